"""Tables of one: a game of Aces Up, which is private and waits for nobody's readiness. Pure functions.

The rest of such a table's life is that of any other: prepared, dealt, counted, and over with its one hand.
"""

from __future__ import annotations

from services.lobby import seating
from services.lobby.table import PlayerId, Seat, State, Table, TableId
from services.rules.aces_up.options import AcesUpOptions
from services.rules.options import OptionError
from services.rules.rulebook import rules_of
from services.runtime.errors import InvalidArgument


def options(text: str) -> AcesUpOptions:
    """A game's options from JSON. Raises ``BAD_OPTION``."""
    try:
        found = rules_of(text)
        if not isinstance(found, AcesUpOptions):
            raise OptionError("game", "must be aces_up")
    except OptionError as error:
        raise InvalidArgument("BAD_OPTION", str(error), {"option": error.option}) from None
    return found


def table(
    table_id: TableId, player: PlayerId, name: str, rules: AcesUpOptions, *, match: str, now_ms: int, keep_at_ms: int
) -> Table:
    """A new table where the player sits, ready, and begins at once. ``match`` is the game's name for good."""
    return Table(
        id=table_id,
        # Who sits down has no socket yet.
        seats=(Seat(player=player, name=name, ready=True, away_ms=now_ms),),
        host=player,
        created_ms=now_ms,
        since_ms=now_ms,
        waiting_ms=now_ms,
        unchecked_ms=now_ms,
        keep_at_ms=keep_at_ms,
        match=match,
        options=rules.to_json(),
    )


def done_with(before: Table) -> bool:
    """Whether it is a solo table whose game is over, so that its player may sit down anywhere."""
    return before.solo and before.state is State.ENDED


def close_done(before: Table, now_ms: int) -> Table:
    """Closes the table if its game is over; another one may have begun there."""
    return seating.close(before, now_ms) if done_with(before) else before
