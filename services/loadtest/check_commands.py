"""A seat's commands, as its client sent them and was answered, held against the log: exactly once, and as it was told.

The seat's numbers name the commands: the same number again, after a reconnect, is the same command.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from services.loadtest import history
from services.loadtest.check_actions import asked, became, seen
from services.loadtest.check_log import TableLog
from services.loadtest.check_report import Fault, Report
from services.loadtest.check_sockets import Witness
from services.rules.event import Event, SeatEvent
from services.rules.events import Called, Dealt, Played, Returned
from services.rules.moves import Reason
from services.rules.verdict import Outcome

_HAPPENED: Final = (Outcome.APPLIED, Outcome.TIED, Outcome.RETURNED)
_JUDGED: Final = (*_HAPPENED, Outcome.REFUSED)
"""Verdicts that use up the command's number; others ask to send it again, or say that it does not count."""

_ANY: Final = 2**63


@dataclass(slots=True)
class Command:
    """One command: its frames (more than one only if its number was given anew) and its verdict, if it got one.

    ``sent_us`` is the first time it was sent, ``answered_us`` the first time that its verdict arrived. ``received``
    is the last event that its socket had by the time it was sent, the last time if it was sent again.
    """

    n: int
    sent_us: int | None = None
    hand: int = 0
    frames: list[bytes] = field(default_factory=list)
    answer: tuple[str, int | None, str | None] | None = None
    answered_us: int | None = None
    received: int = 0

    @property
    def happened(self) -> bool:
        """Whether the client was told that it became an event."""
        return self.answer is not None and self.answer[0] in _HAPPENED

    @property
    def refused(self) -> str | None:
        """The reason of its refusal, if it was refused and the reason is still known."""
        if self.answer is None or self.answer[0] != Outcome.REFUSED or self.answer[2] == Reason.FORGOTTEN:
            return None
        return self.answer[2]


class Seat:
    """All that the clients of one seat sent and were answered, over all their sockets.

    ``torn``: a history of it breaks off, so that what is not in it may have happened.
    """

    def __init__(self, witness: Witness, number: int) -> None:
        self.witness = witness
        self.number = number
        self.commands: dict[int, Command] = {}
        self.players: set[str | None] = set()
        self.torn = False
        self._answered = 0

    def sent(self, record: history.Sent, received: int | None) -> None:
        """A command was sent, perhaps again. ``received``: see :class:`Command`; None if it is not known."""
        command = self._command(record.n)
        command.received = max(command.received, _ANY if received is None else received)
        if command.sent_us is None or record.at_us < command.sent_us:
            command.sent_us = record.at_us
        command.hand = record.hand
        frame = bytes(record.frame)
        if frame not in command.frames:
            command.frames.append(frame)

    def answered(self, record: history.Verdict, report: Report) -> None:
        """A verdict came, perhaps again: then it must be the same."""
        report.checked[f"verdicts: {record.verdict}"] += 1
        if record.verdict not in _JUDGED:
            return
        command = self._command(record.n)
        answer = (record.verdict, record.seq, record.why)
        if (
            command.answer is not None
            and answer != command.answer
            and Reason.FORGOTTEN not in (record.why, command.answer[2])
        ):
            detail = f"command {record.n} of seat {self.number}: first {command.answer}, then {answer}"
            report.add(self.witness.fault(Fault.VERDICT_CHANGED, detail, command.hand, record.seq))
        if command.answer is None or command.answer[2] == Reason.FORGOTTEN:
            command.answer = answer
        if command.answered_us is None or record.at_us < command.answered_us:
            command.answered_us = record.at_us
        self._answered = max(self._answered, record.n)

    def welcomed(self, record: history.Welcomed, report: Report) -> None:
        """The edge names the seat's last number, which can't be behind one that it has answered."""
        if record.n < self._answered:
            detail = f"seat {self.number} is welcomed after command {record.n}, but {self._answered} was answered"
            report.add(self.witness.fault(Fault.SET_BACK, detail))

    def _command(self, n: int) -> Command:
        return self.commands.setdefault(n, Command(n))


def check(log: TableLog, seats: Iterable[Seat], report: Report) -> None:
    """Checks each seat's commands against the log, and the log's commands against what the seats sent."""
    by_number = {seat.number: seat for seat in seats}
    logged = _logged(log, report)
    for seat in by_number.values():
        of_seat = {n: event for (number, n), event in logged.items() if number == seat.number}
        _answers(seat, of_seat, log, report)
    for (number, _), event in logged.items():
        _was_sent(event, by_number.get(number), log, report)


def _logged(log: TableLog, report: Report) -> dict[tuple[int, int], SeatEvent]:
    """The log's commands by seat and number. An automatic call has that of the command which brought it about."""
    found: dict[tuple[int, int], SeatEvent] = {}
    for seq, event in log.events.items():
        if not isinstance(event, SeatEvent):
            continue
        key = (event.seat, event.n)
        before = found.setdefault(key, event)
        by_itself = isinstance(event, Called) and before.seq == seq - 1
        if before is not event and not by_itself:
            detail = f"command {event.n} of seat {event.seat} is event {before.seq} too"
            report.add(log.hand_of[seq].fault(Fault.APPLIED_TWICE, detail, seq))
    return found


def _answers(seat: Seat, logged: dict[int, SeatEvent], log: TableLog, report: Report) -> None:
    highest = max((n for n, command in seat.commands.items() if command.answer), default=0)
    for n, command in sorted(seat.commands.items()):
        name = f"command {n} of seat {seat.number}"
        report.checked["commands"] += 1
        event = logged.get(n)
        if command.answer is None:
            _unanswered(seat, command, event, n < highest, report)
        elif command.answer[2] == Reason.FORGOTTEN:
            report.unchecked["commands whose verdict was no longer kept (forgotten)"] += 1
        elif not command.happened:
            if event is not None:
                detail = f"{name} was refused ({command.answer[2]}), the log has it as {event.e}"
                report.add(log.hand_of[event.seq].fault(Fault.VERDICT_CONTRADICTS_LOG, detail, event.seq))
        elif _in_log(seat, command, log, report):
            report.checked["acknowledged commands found in the log, once"] += 1
            _agrees(seat, command, log, report)


def _unanswered(seat: Seat, command: Command, event: SeatEvent | None, overtaken: bool, report: Report) -> None:
    """A command under way when the run ended may have happened or not; one that a later answer overtook was lost."""
    if overtaken and not seat.torn:
        what = "it happened" if event else "the log does not have it"
        detail = f"command {command.n} of seat {seat.number} was never answered, later ones were; {what}"
        fault = seat.witness.fault(Fault.VERDICT_MISSING, detail, command.hand, event.seq if event else None)
        report.add(fault)
    else:
        happened = "happened" if event else "are in no log"
        report.unchecked[f"commands unanswered when their history ended, which {happened}"] += 1


def _in_log(seat: Seat, command: Command, log: TableLog, report: Report) -> bool:
    """Whether the event that the verdict names is this command's; a finding if it is not, and should be."""
    assert command.answer is not None
    outcome, seq, _ = command.answer
    event = log.events.get(seq or 0)
    detail = f"command {command.n} of seat {seat.number} was {outcome} as event {seq}"
    if isinstance(event, SeatEvent) and (event.seat, event.n) == (seat.number, command.n):
        return True
    if event is not None:
        detail += f", which is {event.e}" + (f" of seat {event.seat}" if isinstance(event, SeatEvent) else "")
    elif _unlogged(seat.witness, seq or 0, command.hand):
        report.unchecked["acknowledged commands of hands without a log"] += 1
        return False
    report.add(seat.witness.fault(Fault.ACKNOWLEDGED_NOT_IN_LOG, detail, command.hand, seq))
    return False


def _unlogged(witness: Witness, seq: int, number: int) -> bool:
    """Whether an event that no log has may be of a hand that has none: clients got it, or no log has such a hand."""
    log = witness.log
    return seq in witness.first_seen_us or (seq > log.last and all(hand.number != number for hand in log.hands))


def _agrees(seat: Seat, command: Command, log: TableLog, report: Report) -> None:
    assert command.answer is not None
    outcome, seq, why = command.answer
    assert seq is not None
    event = log.events[seq]
    told = _told(event)
    if told != (outcome, why):
        by_client, by_log = (f"{v} ({reason})" if reason else v for v, reason in ((outcome, why), told))
        detail = f"command {command.n} of seat {seat.number}: its client was told {by_client}, the log tells {by_log}"
        report.add(log.hand_of[seq].fault(Fault.VERDICT_CONTRADICTS_LOG, detail, seq))


def _told(event: Event) -> tuple[str, str | None]:
    """Verdict and reason of a command that became this event."""
    match event:
        case Returned(why=why):
            return Outcome.RETURNED, why
        case Played(tie=True):
            return Outcome.TIED, None
        case _:
            return Outcome.APPLIED, None


def _was_sent(event: SeatEvent, seat: Seat | None, log: TableLog, report: Report) -> None:
    hand = log.hand_of[event.seq]
    dealt = next((e for e in hand.events[:2] if isinstance(e, Dealt)), None)
    player = dealt.seats[event.seat].player if dealt and event.seat < len(dealt.seats) else None
    if seat is None or (player not in seat.players and None not in seat.players):
        report.unchecked["commands in logs whose player was not recorded"] += 1
        return
    command = seat.commands.get(event.n)
    if command is None or not command.frames:
        if seat.torn:
            report.unchecked["commands in logs whose client's history breaks off"] += 1
            return
        detail = f"command {event.n} of seat {event.seat} ({event.e})"
        report.add(hand.fault(Fault.NEVER_SENT, detail, event.seq))
        return
    report.checked["commands in logs that were sent so"] += 1
    became_of = [frame for frame in command.frames if _became(event, frame)]
    if not became_of:
        detail = f"command {event.n} of seat {event.seat} is {event.e} in the log, was sent as {command.frames[-1]!r}"
        report.add(hand.fault(Fault.NEVER_SENT, detail, event.seq))
    elif wrong := _wrongly_seen(event, [seen(frame) for frame in became_of], command.received):
        report.add(hand.fault(Fault.SEEN_WRONG, f"command {event.n} of seat {event.seat}: {wrong}", event.seq))


def _wrongly_seen(event: SeatEvent, said: list[int], received: int) -> str | None:
    """What a player had seen decides races. It is what the player said, or more if a pong has proven more.

    A pong travels in order with the command, so it can prove no more than the client had when it sent the command.
    """
    if event.seen < min(said):
        return f"judged as if its player had seen event {event.seen} at the latest, but that said {min(said)}"
    if event.seen > max(*said, received):
        return f"judged as if its player had seen event {event.seen}, but its client had {received} then"
    return None


def _became(event: SeatEvent, frame: bytes) -> bool:
    try:
        return became(event, asked(frame))
    except ValueError:
        return False
