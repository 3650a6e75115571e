"""What a table needs done, and when: the one place that knows what comes next. Pure.

The table's earliest due time is stored beside it (``redis_tables.py``), so whatever a dying lobby left undone is found
and done by the next sweep. Every step may be done twice, by several lobbies at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from services.lobby.dispute import upheld
from services.lobby.match import awaits_preparing, rematch_agreed
from services.lobby.table import State, Table


class Step(StrEnum):
    """One thing to do for a table; also a label of a metric."""

    SETTLE = "settle"
    """Closed: end the running hand, let its players go."""
    FORGET = "forget"
    """Closed a while ago: delete every key."""
    FREEZE = "freeze"
    """Held still by an operator: have the engine hold the hand still."""
    THAW = "thaw"
    """Not held still any more: have the engine let the hand go on."""
    CLOSE = "close"
    """Nobody will go on here."""
    DROP_ABSENT = "drop_absent"
    """Free the seats of people who have been away too long."""
    UPHOLD = "uphold"
    """All people have disputed the last hand: fix that it is to be void."""
    VOID = "void"
    """Have scoring take the disputed hand back."""
    REMATCH = "rematch"
    """All have asked for another match."""
    FILL = "fill"
    """Give the free seats to bots."""
    PREPARE = "prepare"
    """Have the engine choose the secret of the next hand."""
    HURRY = "hurry"
    """The time for getting ready is up."""
    START = "start"
    """Everybody is ready: fix the deal."""
    DEAL = "deal"
    """Have the engine deal what was fixed."""
    KEEP = "keep"
    """Renew the claims of the seated players, and let go of who sits elsewhere."""
    OFFER = "offer"
    """Bot seats wait for a worker: say so again."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The lobby's declared times, ms."""

    fill_ms: int = 20_000
    """A quick-play table that is not full by then gets bots."""
    ready_ms: int = 30_000
    """Between hands, who is not ready by then counts as ready."""
    absent_ms: int = 300_000
    """A seat before a match is kept for someone away, and a match for people who are all away, so long."""
    idle_ms: int = 600_000
    """A table whose match is over closes if nobody goes on."""
    stale_ms: int = 7_200_000
    """Any table closes that gets no further in this time: no seat taken, no hand prepared, dealt or counted. So long a
    solo game is kept for a player who is away."""
    forget_ms: int = 60_000
    """A closed table can be looked at for so long."""
    keep_ms: int = 600_000
    """How often claims are renewed."""
    check_ms: int = 2_000
    """So long after a seat was taken it is checked that its player sits nowhere else: the lobby that took it may have
    died before it knew. Shorter than a claim is pending."""


@dataclass(frozen=True, slots=True)
class Due:
    """A step and when it is to be done, ms; 0: at once."""

    at_ms: int
    step: Step


def due(table: Table, timing: Timing) -> Due:
    """The step of the table that comes first. Of several due at once the one that stands first in :class:`Step`."""
    order = list(Step)
    return min(_agenda(table, timing), key=lambda item: (item.at_ms, order.index(item.step)))


def next_step(table: Table, now_ms: int, timing: Timing) -> Step | None:
    """The step to do now; of several that are due the one that stands first in :class:`Step`."""
    steps = {item.step for item in _agenda(table, timing) if item.at_ms <= now_ms}
    return next((step for step in Step if step in steps), None)


def _agenda(table: Table, timing: Timing) -> Iterator[Due]:
    if table.state is State.CLOSED:
        yield Due(table.since_ms + timing.forget_ms, Step.FORGET) if table.settled else Due(0, Step.SETTLE)
        return
    if table.frozen_ms or table.stalled:
        # A deal that was fixed is carried out first, so that what is held still is dealt or is not.
        yield Due(table.keep_at_ms, Step.KEEP)
        if table.deal:
            yield Due(0, Step.DEAL)
        elif table.stalled is not bool(table.frozen_ms):
            yield Due(0, Step.FREEZE if table.frozen_ms else Step.THAW)
        return
    yield Due(_last_moved_ms(table) + timing.stale_ms, Step.CLOSE)
    yield Due(table.keep_at_ms, Step.KEEP)
    if table.unchecked_ms:
        yield Due(table.unchecked_ms + timing.check_ms, Step.KEEP)
    if table.wanted:
        yield Due(0, Step.OFFER)
    if upheld(table):
        yield Due(0, Step.UPHOLD)
    people = table.people
    away = [seat.away_ms for seat in people if not seat.present]
    match table.state:
        case State.OPEN:
            if away:
                yield Due(min(away) + timing.absent_ms, Step.DROP_ABSENT)
            if table.quick and table.free_seats:
                yield Due(table.since_ms + timing.fill_ms, Step.FILL)
            yield from _next_hand(table, timing)
        case State.BETWEEN:
            if table.voiding:
                yield Due(0, Step.VOID)
            else:
                yield from _next_hand(table, timing)
        case State.PLAYING:
            if table.deal:
                yield Due(0, Step.DEAL)
        case State.ENDED:
            yield Due(table.since_ms + timing.idle_ms, Step.CLOSE)
            if table.voiding:
                yield Due(0, Step.VOID)
            elif rematch_agreed(table):
                yield Due(0, Step.REMATCH)
    if not _can_wait(table) and people and len(away) == len(people) and not table.watched:
        yield Due(max(away) + timing.absent_ms, Step.CLOSE)


def _can_wait(table: Table) -> bool:
    """Whether it is no loss to anybody if all its people are away: before a match, and in a running solo game."""
    return table.state is State.OPEN or (table.solo and table.state is State.PLAYING)


def _last_moved_ms(table: Table) -> int:
    """When the table last got further; a solo game also when its player last went away."""
    away_ms = max(seat.away_ms for seat in table.seats) if table.solo else 0
    return max(table.since_ms, table.waiting_ms, away_ms)


def _next_hand(table: Table, timing: Timing) -> Iterator[Due]:
    if awaits_preparing(table):
        yield Due(0, Step.PREPARE)
    elif table.commitment and table.all_ready:
        yield Due(0, Step.START)
    elif table.commitment and not table.free_seats and (table.hurried or table.state is State.BETWEEN):
        yield from (
            Due(table.waiting_ms + timing.ready_ms, Step.HURRY) for s in table.seats if s.player and not s.ready
        )
