"""The logs of a table, read: each hand's events with their digests, and all of them by sequence number.

What is read is only held to be a chain (gapless numbers, digests); what the events say is judged in ``check_hand``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from services.client import hand_log
from services.loadtest.check_report import Fault, Finding, Report
from services.rules import chain
from services.rules.events import Event, unseal


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """The log of one hand: its events with the digest of each. ``sealed`` are their bytes."""

    table: str | None
    match: str
    number: int
    sealed: Sequence[bytes]
    events: Sequence[Event]
    digests: Sequence[str]

    @property
    def first(self) -> int:
        """The sequence number of its first event."""
        return self.events[0].seq

    @property
    def last(self) -> int:
        """The sequence number of its last event."""
        return self.events[-1].seq

    def fault(self, fault: Fault, detail: str, seq: int | None = None) -> Finding:
        """A finding at this hand."""
        return Finding(fault, detail, self.table, self.match, self.number, seq)


def read(path: Path, table: str | None, match: str, number: int, report: Report) -> LoggedHand | None:
    """The log in ``path``; None, and a finding, if it holds no events at all. Raises OSError."""
    try:
        sealed = hand_log.read(path)
    except hand_log.NotALog as error:
        report.add(Finding(Fault.FILE_UNREADABLE, f"{path.name}: {error}", table, match, number))
        return None
    events, problems, _ = chain.read(sealed)
    log = LoggedHand(table, match, number, sealed, events, [unseal(text)[1] for text in sealed[: len(events)]])
    for problem in problems:
        report.add(log.fault(Fault.CHAIN_BROKEN, problem))
    report.checked["events in logs"] += len(events)
    return log if events else None


class TableLog:
    """All logged hands of a table, in the order of their sequence numbers.

    The numbers of a table rise by one through all its hands, so a number names one event. ``hands`` that were not
    logged (still running when the run ended) leave holes.
    """

    def __init__(self, hands: Iterable[LoggedHand]) -> None:
        self.hands = sorted(hands, key=lambda hand: hand.first)
        self.events: dict[int, Event] = {}
        self.digests: dict[int, str] = {}
        self.hand_of: dict[int, LoggedHand] = {}
        for hand in self.hands:
            for event, digest in zip(hand.events, hand.digests, strict=True):
                self.events[event.seq] = event
                self.digests[event.seq] = digest
                self.hand_of[event.seq] = hand

    @property
    def last(self) -> int:
        """The last sequence number that any log has; 0 if there is none."""
        return self.hands[-1].last if self.hands else 0

    def linked(self, report: Report) -> None:
        """Checks that a hand whose log begins right behind another one continues its chain of digests."""
        for before, after in pairwise(self.hands):
            if after.first <= before.last:
                report.add(after.fault(Fault.CHAIN_BROKEN, f"overlaps hand {before.number}", after.first))
            elif after.first == before.last + 1:
                problems = chain.read(after.sealed[:1], before.digests[-1]).problems
                for problem in problems:
                    report.add(after.fault(Fault.CHAIN_BROKEN, problem, after.first))
                report.checked["hands linked to the one before"] += 1
