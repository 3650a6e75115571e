"""Whether each refused command could be refused so: in some state that it can have met, the rules give that reason.

A refusal leaves no event, so it stands nowhere in the log. But it was decided between its being sent and its answer,
and between the commands before and after it of its own seat. So the states that it can have met follow one another in
the log: not before any event that was known before it was sent, not after any event that was sent only after its
answer. If the referee, asked in each of them, never gives that reason, the refusal was wrong. Which one it was need not
be known: a refusal changes nothing, so for linearizability any will do.

The referee also asks when a command reached the edge and what its player had seen. The records don't tell the first,
and of the second what the client said, which the edge may raise; so both extremes are tried. Nor do logs tell whether
an operator held the table still: a refusal as ``frozen`` must be of a hand that runs, and is counted as not checked.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, product
from typing import Final

from services.loadtest.check_actions import asked, seen
from services.loadtest.check_commands import Command, Seat
from services.loadtest.check_log import TableLog
from services.loadtest.check_order import NEVER, Operation
from services.loadtest.check_report import Fault, Report
from services.rules.aces_up.moves import Action as AcesUpAction
from services.rules.event import SeatEvent
from services.rules.hand import Hand, Phase
from services.rules.moves import Action, Reason, Recycle
from services.rules.referee import Command as Asked
from services.rules.referee import judge
from services.rules.rulebook import AnyAction
from services.rules.verdict import Outcome

_LATE_MS: Final = 2**52
"""Later than any time of a log, ms."""


class Bounds:
    """Between which events something can have been decided, by the times of its beginning and its end."""

    def __init__(self, ordered: Sequence[Operation]) -> None:
        known = sorted((op.responded_us, op.seq) for op in ordered if op.responded_us != NEVER)
        self._known_us = [us for us, _ in known]
        self._known_seq = list(accumulate((seq for _, seq in known), max))
        sent = sorted(((op.invoked_us, op.seq) for op in ordered if op.invoked_us), reverse=True)
        self._sent_us = [us for us, _ in reversed(sent)]
        self._sent_seq = list(reversed(list(accumulate((seq for _, seq in sent), min))))

    def after(self, sent_us: int) -> int:
        """The last event whose outcome was known before; 0: none."""
        i = bisect_left(self._known_us, sent_us)
        return self._known_seq[i - 1] if i else 0

    def before(self, answered_us: int) -> int | None:
        """The first event that was sent only afterwards."""
        i = bisect_right(self._sent_us, answered_us)
        return self._sent_seq[i] if i < len(self._sent_seq) else None


def check(
    log: TableLog, seats: Iterable[Seat], ordered: Sequence[Operation], states: Mapping[int, Hand], report: Report
) -> None:
    """Checks each refused command. ``states`` are the table's after each event of its logs."""
    bounds = Bounds(ordered)
    numbers = sorted(states)
    for seat in seats:
        own = sorted((e.n, e.seq) for e in log.events.values() if isinstance(e, SeatEvent) and e.seat == seat.number)
        for command in seat.commands.values():
            if command.refused is not None:
                window = _window(command, own, bounds, log)
                met = numbers[bisect_left(numbers, window.start) : bisect_left(numbers, window.stop)] if window else []
                _refused(log, seat, command, window, [states[seq] for seq in met], report)


def _window(command: Command, own: list[tuple[int, int]], bounds: Bounds, log: TableLog) -> range | None:
    """The events after any of which it can have been decided; None if that is not known."""
    if command.sent_us is None or command.answered_us is None:
        return None
    i = bisect_left(own, (command.n, 0))
    first = max(bounds.after(command.sent_us), own[i - 1][1] if i else 0)
    ends = [seq for seq in (bounds.before(command.answered_us), own[i][1] if i < len(own) else None) if seq is not None]
    return range(first, min(ends, default=log.last + 1))


def _refused(
    log: TableLog, seat: Seat, command: Command, window: range | None, met: Sequence[Hand], report: Report
) -> None:
    """``met`` are the states within the window, as far as they are known."""
    if window is None:
        report.unchecked["refusals whose command or moment was not recorded"] += 1
        return
    try:
        commands = [(asked(frame), seen(frame)) for frame in command.frames]
    except ValueError:
        report.unchecked["refusals of frames that are no command"] += 1
        return
    if any(_explained(command, seat.number, hand, action, knows) for action, knows in commands for hand in met):
        if command.refused == Reason.FROZEN:
            report.unchecked["refusals in a hand that runs, if an operator held it still: no log tells"] += 1
        else:
            report.checked["refusals that the rules give"] += 1
    elif not met or len(met) < window.stop - window.start or window.stop > log.last:
        # A window beyond the logs, or into one that contradicts the rules, may hide the very state that explains it.
        report.unchecked["refusals in hands without a log, or without one that holds"] += 1
    else:
        detail = (
            f"command {command.n} of seat {seat.number} was refused as {command.refused}, which the rules give "
            f"after none of the events {window.start} to {window.stop - 1}"
        )
        report.add(seat.witness.fault(Fault.REFUSED_WITHOUT_REASON, detail, command.hand, window.start))


def _explained(command: Command, number: int, hand: Hand, action: AnyAction, knows: int) -> bool:
    """Whether the referee refuses it for that very reason in this state, held still if that is the reason."""
    if not 0 <= number < len(hand.seats):
        return False
    seat = replace(hand.seats[number], last_n=command.n - 1)
    frozen = command.refused == Reason.FROZEN
    hand = replace(hand, seats=(*hand.seats[:number], seat, *hand.seats[number + 1 :]), frozen=frozen)
    if isinstance(action, AcesUpAction):
        # The engine tells the games apart before the referee asks for more than a running hand.
        other = command.refused == Reason.OTHER_GAME and hand.phase in (Phase.PLAYING, Phase.CLOSING)
        return other or _refuses(hand, number, command, Recycle(), knows, 0)
    extremes = product((knows, max(knows, hand.seq)), (0, _LATE_MS))
    return any(_refuses(hand, number, command, action, seen_seq, arrived) for seen_seq, arrived in extremes)


def _refuses(hand: Hand, number: int, command: Command, action: Action, knows: int, arrived_ms: int) -> bool:
    again = Asked(number, hand.seats[number].epoch, command.n, command.hand, knows, arrived_ms, action)
    verdict = judge(hand, again, _LATE_MS).verdict
    return verdict.outcome is Outcome.REFUSED and verdict.why == command.refused
