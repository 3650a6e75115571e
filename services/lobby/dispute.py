"""Having a counted hand dealt again, which all people at the table must want (the option ``dispute``). Pure functions.

Like a deal it goes in steps, so that each may be done twice: players ask; once all have, :func:`uphold` fixes it, and
whoever comes, goes or changes their mind later is too late; then scoring takes the hand back, and :func:`voided` or
:func:`dismissed` notes what it said. Until then no other hand begins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from services.lobby.match import has_disputes
from services.lobby.seating import require_living, require_seat
from services.lobby.table import State, Table
from services.runtime.errors import FailedPrecondition


@dataclass(frozen=True, slots=True)
class Standing:
    """A match without the hand that was taken back: totals by seat, and whether the next hand is the playoff."""

    totals: tuple[int, ...]
    playoff: bool


def ask(table: Table, player: str, withdraw: bool) -> Table:
    """Notes that the player wants the last hand dealt again, and so is not ready for the next one; or no longer wants.

    What a bot wants changes nothing: bots follow. Raises ``TABLE_CLOSED``, ``NOT_SEATED``, ``NO_DISPUTES``,
    ``HAND_RUNNING``, ``NOTHING_TO_DISPUTE``, and ``PLAYER_LEFT`` where a match is over and can't go on with the same
    seats taken.
    """
    require_living(table)
    index = require_seat(table, player)
    if not has_disputes(table):
        raise FailedPrecondition("NO_DISPUTES", "by the rules of this table every hand stands")
    if table.state is State.PLAYING:
        raise FailedPrecondition("HAND_RUNNING", "the next hand is dealt already")
    if not table.disputable:
        raise FailedPrecondition("NOTHING_TO_DISPUTE", "no hand of this match was counted last")
    if table.free_seats:
        raise FailedPrecondition("PLAYER_LEFT", "somebody has left since the match ended")
    seat = table.seats[index]
    if seat.bot or table.voiding:
        return table
    if withdraw:
        return table.with_seat(index, replace(seat, dispute=False))
    return table.with_seat(index, replace(seat, dispute=True, ready=False, nonce=""))


def upheld(table: Table) -> bool:
    """Whether all people at the table want the last hand dealt again, and nothing is done about it yet."""
    people = table.people
    agreed = bool(people) and all(seat.dispute for seat in people)
    return table.disputable and not table.voiding and not table.free_seats and agreed


def uphold(table: Table) -> Table:
    """From here on the hand is to be taken back, whoever leaves or thinks again."""
    return replace(table, voiding=True) if upheld(table) else table


def voided(table: Table, match: str, hand: int, standing: Standing, now_ms: int) -> Table:
    """Scoring has taken the hand back: the match goes on, though it may have been over.

    Who has said since that they are ready for the next hand is ready for it, and so are bots.
    """
    if not _awaits(table, match, hand) or len(standing.totals) != len(table.seats):
        return table
    seats = tuple(
        replace(seat, total=total, dispute=False, rematch=False)
        for seat, total in zip(table.seats, standing.totals, strict=True)
    )
    return replace(
        table,
        seats=seats,
        state=State.BETWEEN,
        winners=(),
        playoff=standing.playoff,
        disputable=False,
        voiding=False,
        since_ms=now_ms,
        waiting_ms=now_ms,
    )


def dismissed(table: Table, match: str, hand: int) -> Table:
    """Scoring does not take the hand back (its data were lost): the hand stands, and the table goes on."""
    if not _awaits(table, match, hand):
        return table
    seats = tuple(replace(seat, dispute=False) for seat in table.seats)
    return replace(table, seats=seats, disputable=False, voiding=False)


def _awaits(table: Table, match: str, hand: int) -> bool:
    living = table.state in (State.BETWEEN, State.ENDED)
    return living and table.voiding and (table.match, table.hand) == (match, hand)
