"""Whether the log's order is one in which everybody could have seen things happen: linearizability, in one pass.

**What is to be shown.** A command is an operation on the table: it is invoked when its client sends it, and it has
responded as soon as somebody knows its outcome: when its verdict arrives, or when any client has its event, whichever
is first. A history of such operations is linearizable (Herlihy and Wing, 1990) if there is *one* order of them that

(a) the game's rules allow, with the very outcomes that were told, and
(b) keeps real time: whatever had responded before another was invoked comes before it.

**The witness.** To search for such an order is expensive in general. But the platform claims one: its log. (a) is what
``check_hand`` shows, since the referee, asked again in the log's order, gives the same events; ``check_commands`` shows
that these are the outcomes that clients were told. What is left is (b), for the log's order alone.

**The algorithm.** (b) is broken exactly if there are X before Y in the log where Y had responded before X was invoked.
Walk the log from its beginning and keep the latest invocation so far. Y breaks (b) with *some* X before it exactly if
it responded before that latest invocation: some X reaches that maximum, and if Y responded no earlier than it, then no
earlier than any other. Sorting by sequence number costs O(n log n), the walk O(n).

**Per place.** Linearizability is local: a history is linearizable exactly if each object's part of it is. Each
foundation place is an object, and so are each seat's layout and the hand as a whole. An order that holds for the whole
table, as is checked here, holds for each place; a finding names the place where both commands went for the same one.

**What is not answered.** A command without a verdict may or may not have happened. If the log has it, it is invoked at
its time and responds when the first client has its event, or never; if the log does not, it is left out. The definition
allows both. Refused commands change nothing and have no place in the log: ``check_refusals`` holds that each could have
been refused at some moment between its being sent and its answer.

Times are µs on one machine's monotonic clock, taken before sending and after receiving. So an operation is never
shorter in the records than it was, and a violation that is found is one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from services.loadtest.check_commands import Seat
from services.loadtest.check_log import TableLog
from services.loadtest.check_report import Fault, Finding, Report
from services.rules.event import Event, SeatEvent
from services.rules.events import Played, Returned

NEVER: Final = 2**63


@dataclass(frozen=True, slots=True)
class Operation:
    """An event of the log with its times, µs: ``invoked`` 0 and ``responded`` NEVER where they are not known."""

    seq: int
    invoked_us: int
    responded_us: int


def operations(log: TableLog, seats: Iterable[Seat], first_seen_us: dict[int, int]) -> list[Operation]:
    """The events of the log in its order. Those of the system were invoked at no known time."""
    by_number = {seat.number: seat for seat in seats}
    found = []
    for seq, event in sorted(log.events.items()):
        invoked, responded = 0, first_seen_us.get(seq, NEVER)
        seat = by_number.get(event.seat) if isinstance(event, SeatEvent) else None
        if isinstance(event, SeatEvent) and seat is not None and (command := seat.commands.get(event.n)) is not None:
            invoked = command.sent_us or 0
            if command.answer is not None and command.answer[1] == seq and command.answered_us is not None:
                responded = min(responded, command.answered_us)
        found.append(Operation(seq, invoked, responded))
    return found


def check(log: TableLog, ordered: Iterable[Operation], report: Report) -> None:
    """Checks that no event stands in the log behind one that was sent only after its own outcome was known."""
    latest: Operation | None = None
    for operation in ordered:
        if latest is not None and operation.responded_us < latest.invoked_us:
            report.add(_finding(log, latest, operation))
        if operation.invoked_us and operation.responded_us != NEVER:
            report.checked["commands in real-time order"] += 1
        if latest is None or operation.invoked_us > latest.invoked_us:
            latest = operation


def _finding(log: TableLog, earlier: Operation, later: Operation) -> Finding:
    place = _same_place(log.events[earlier.seq], log.events[later.seq])
    by_us = earlier.invoked_us - later.responded_us
    detail = f"its outcome was known {by_us} µs before event {earlier.seq} was sent, which the log has before it{place}"
    return log.hand_of[later.seq].fault(Fault.REAL_TIME_VIOLATED, detail, later.seq)


def _same_place(a: Event, b: Event) -> str:
    plays = (Played, Returned)
    if isinstance(a, plays) and isinstance(b, plays) and (a.f, a.rank) == (b.f, b.rank):
        return f"; both went for foundation {a.f}, rank {a.rank}"
    return ""
