"""The life of a match at a table: prepared, ready, dealt, scored, again (RD-13). Pure functions.

A hand is asked for in steps, so that it can be asked for again after any crash: :func:`start` fixes in the table who is
dealt in with which nonces, then the engine deals exactly that, then :func:`dealt` notes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.lobby.seating import leave, require_living, require_seat
from services.lobby.table import Seat, State, Table
from services.rules.options import Options
from services.rules.rulebook import rules_of
from services.runtime.errors import FailedPrecondition, InvalidArgument, PermissionDenied

LONGEST_NONCE = 64
"""Characters."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a counted hand did to its match: totals by seat, and the winners' seats if it is over.

    ``playoff``: the next hand decides it. ``counts``: the hand is no void one.
    """

    match: str
    hand: int
    totals: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]
    playoff: bool = False
    counts: bool = True


def prepared(table: Table, match: str, hand: int, commitment: str, now_ms: int) -> Table:
    """The engine has chosen the secret of the next hand. Nonces from before that don't count."""
    if not awaits_preparing(table) or (match, hand) != (table.match, table.hand + 1):
        return table
    seats = tuple(replace(seat, nonce="") for seat in table.seats)
    return replace(table, seats=seats, commitment=commitment, waiting_ms=now_ms)


def awaits_preparing(table: Table) -> bool:
    """Whether the next hand's secret is to be chosen: all seats are taken, and it has not been."""
    return table.state in (State.OPEN, State.BETWEEN) and not table.commitment and not table.free_seats


def set_ready(table: Table, player: str, ready: bool, nonce: str) -> Table:
    """Notes whether the player is ready for the next hand.

    A nonce counts only once the hash of the secret is published: before that it is dropped, and may be given again.
    Where no hand is awaited nothing changes, so that a repeated or late "ready" is harmless; nor in a solo game, whose
    seat is always ready. Raises ``TABLE_CLOSED``, ``NOT_SEATED``, ``BAD_NONCE``.
    """
    require_living(table)
    index = require_seat(table, player)
    if ready and not (0 < len(nonce) <= LONGEST_NONCE and nonce.isascii() and nonce.isprintable()):
        raise InvalidArgument("BAD_NONCE", f"a nonce is 1 to {LONGEST_NONCE} printable ASCII characters")
    if table.solo or table.state not in (State.OPEN, State.BETWEEN):
        return table
    counts = ready and bool(table.commitment)
    return table.with_seat(index, replace(table.seats[index], ready=ready, nonce=nonce if counts else ""))


def hurry(table: Table, now_ms: int) -> Table:
    """The time for getting ready is up: everybody counts as ready, except bots that have not come.

    Before a match, whoever is neither ready nor present leaves instead, so that nobody starts against a missing player.
    """
    if table.state is State.OPEN:
        for seat in table.people:
            if not seat.ready and not seat.present:
                table = leave(table, seat.player, now_ms)
        if table.state is State.CLOSED:
            return table
    seats = tuple(replace(seat, ready=True) if seat.player else seat for seat in table.seats)
    return table if seats == table.seats else replace(table, seats=seats)


def start(table: Table, spare_nonces: Sequence[str], now_ms: int) -> Table:
    """Begins the next hand, if everything is there for it: from here on seats and nonces of the deal are fixed.

    A seat that gave no nonce gets one of ``spare_nonces``, one per seat. The last hand can't be disputed any more.
    """
    if table.state not in (State.OPEN, State.BETWEEN) or not table.commitment or not table.all_ready or table.voiding:
        return table
    deal = tuple(
        replace(seat, nonce=seat.nonce or spare) for seat, spare in zip(table.seats, spare_nonces, strict=True)
    )
    seats = tuple(replace(seat, dispute=False) for seat in table.seats)
    return replace(
        table,
        seats=seats,
        deal=deal,
        state=State.PLAYING,
        hand=table.hand + 1,
        disputable=False,
        since_ms=now_ms,
    )


def dealt(table: Table, match: str, hand: int) -> Table:
    """The engine has dealt the hand."""
    if (table.state, table.match, table.hand) != (State.PLAYING, match, hand) or not table.deal:
        return table
    return replace(table, deal=())


def undealt(table: Table, match: str, hand: int, now_ms: int) -> Table:
    """The engine knows nothing of the prepared hand (its data were lost): prepare again, and ask for new nonces."""
    if (table.state, table.match, table.hand) != (State.PLAYING, match, hand) or not table.deal:
        return table
    return replace(
        table,
        seats=_unready(table),
        deal=(),
        state=State.OPEN if hand == 1 else State.BETWEEN,
        hand=hand - 1,
        commitment="",
        hurried=True,
        since_ms=now_ms,
        waiting_ms=now_ms,
    )


def scored(table: Table, result: Result, now_ms: int) -> Table:
    """The hand is counted. A result of any other hand than the one played changes nothing: it was taken before.

    A solo game is over with its hand, whatever became of it.
    """
    if (table.state, table.match, table.hand) != (State.PLAYING, result.match, result.hand):
        return table
    if len(result.totals) != len(table.seats):
        return table
    over = result.over or table.solo
    seats = tuple(replace(seat, total=total) for seat, total in zip(_unready(table), result.totals, strict=True))
    return replace(
        table,
        seats=seats,
        state=State.ENDED if over else State.BETWEEN,
        winners=result.winners if over else (),
        playoff=result.playoff and not over,
        disputable=result.counts and has_disputes(table),
        commitment="",
        deal=(),
        since_ms=now_ms,
        waiting_ms=now_ms,
    )


def ask_rematch(table: Table, player: str) -> Table:
    """Notes that the player wants another match. At a table without people its host may ask.

    Raises ``TABLE_CLOSED``, ``NOT_SEATED``, ``MATCH_NOT_OVER``.
    """
    require_living(table)
    index = table.seat_of(player)
    if index is None and (table.people or table.host != player):
        raise PermissionDenied("NOT_SEATED", "this player does not sit at this table")
    if table.state is not State.ENDED:
        raise FailedPrecondition("MATCH_NOT_OVER", "the match is still running")
    if index is None:
        return replace(table, seats=tuple(replace(seat, rematch=True) for seat in table.seats))
    return table.with_seat(index, replace(table.seats[index], rematch=True))


def rematch_agreed(table: Table) -> bool:
    """Whether all people at the table ask for another match; bots follow."""
    deciding = table.people or table.seats
    return table.state is State.ENDED and not table.voiding and all(seat.rematch for seat in deciding)


def rematch(table: Table, match: str, now_ms: int) -> Table:
    """Begins another match at the table, by the same rules, once all have asked for it: totals 0, hands from 1."""
    if not rematch_agreed(table):
        return table
    seats = tuple(replace(seat, total=0, rematch=False, dispute=False) for seat in _unready(table))
    return replace(
        table,
        seats=seats,
        state=State.OPEN,
        match=match,
        hand=0,
        commitment="",
        winners=(),
        disputable=False,
        hurried=True,
        since_ms=now_ms,
        waiting_ms=now_ms,
    )


def has_disputes(table: Table) -> bool:
    """Whether the table's rules let all agree to have a hand dealt again."""
    rules = rules_of(table.options)
    return isinstance(rules, Options) and rules.dispute != "off"


def _unready(table: Table) -> tuple[Seat, ...]:
    """The table's seats, none of them ready any more; but the seat of a solo game always is."""
    return tuple(replace(seat, ready=table.solo, nonce="") for seat in table.seats)
