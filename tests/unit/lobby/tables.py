"""Tables for tests, in any state, without Redis."""

from __future__ import annotations

from services.lobby import match, seating, solo
from services.lobby.table import Lease, PlayerId, Seat, State, Table, TableId
from services.rules.aces_up.options import AcesUpOptions

NOW = 1_700_000_000_000
"""ms."""


def table(seats: int = 2, *people: str, bots: int = 0, **more: object) -> Table:
    """An open public table where ``people`` sit, first seat first, and whose last ``bots`` seats want bots."""
    empty = tuple(Seat(bot=index >= seats - bots) for index in range(seats))
    made = Table(
        id=TableId("t"),
        seats=empty,
        host=PlayerId(people[0] if people else "host"),
        created_ms=NOW,
        since_ms=NOW,
        waiting_ms=NOW,
        keep_at_ms=NOW + 600_000,
        match="m1",
        public=True,
        **more,  # type: ignore[arg-type]
    )
    for player in people:
        made = seating.join(made, PlayerId(player), player.title(), "", NOW)
    return seating.kept(made, NOW + 600_000)


def solo_table(player: str = "ada", number: int = 7) -> Table:
    """A new table for a game of Aces Up."""
    return solo.table(
        TableId("t"),
        PlayerId(player),
        player.title(),
        AcesUpOptions(number),
        match="m1",
        now_ms=NOW,
        keep_at_ms=NOW + 600_000,
    )


def lease(seat: int, player: str = "robot", worker: str = "w") -> Lease:
    return Lease(TableId("t"), seat, worker, PlayerId(player))


def prepared(before: Table) -> Table:
    return match.prepared(before, before.match, before.hand + 1, "hash", NOW)


def playing(before: Table) -> Table:
    """The table with everybody ready and the next hand dealt."""
    ready = prepared(before)
    for seat in ready.seats:
        ready = match.set_ready(ready, seat.player, True, f"of {seat.player}")
    begun = match.start(ready, ["spare"] * len(ready.seats), NOW)
    assert begun.state is State.PLAYING
    return match.dealt(begun, begun.match, begun.hand)


def counted(before: Table, *totals: int, winners: tuple[int, ...] = (), **more: bool) -> Table:
    """The table after its hand was counted."""
    result = match.Result(before.match, before.hand, totals, bool(winners), winners, **more)
    return match.scored(before, result, NOW)
