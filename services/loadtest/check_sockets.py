"""What each socket was told of a table's log: every event once, in order, none left out, with the log's own digests.

A digest names the whole history up to its event, so equal digests mean equal histories. Of hands that have no log, what
the clients were told is compared among themselves.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from services.loadtest import history
from services.loadtest.check_log import TableLog
from services.loadtest.check_report import Fault, Finding, Report

_WAITED_FOR: Final = 10_000


class Witness:
    """What all clients together saw of one table."""

    def __init__(self, table: str, log: TableLog) -> None:
        self.table = table
        self.log = log
        self.first_seen_us: dict[int, int] = {}
        """When the first client had an event, by sequence number: by then it had happened."""
        self.last = 0
        self._unlogged: dict[int, str] = {}

    def fault(self, fault: Fault, detail: str, hand: int | None = None, seq: int | None = None) -> Finding:
        """A finding at this table; of an event in a log, its match is known too."""
        logged = self.log.hand_of.get(seq or 0)
        return Finding(fault, detail, self.table, logged.match if logged else None, hand, seq)

    def saw(self, record: history.Event | history.Snapshot, report: Report) -> None:
        """A client has this event, or a snapshot that ends with it."""
        seq = record.seq
        self.last = max(self.last, seq)
        known = self.first_seen_us.get(seq)
        if known is None or record.at_us < known:
            self.first_seen_us[seq] = record.at_us
        logged = self.log.digests.get(seq)
        if logged is not None:
            number = self.log.hand_of[seq].number
            if number != record.hand:
                detail = f"the client was in hand {record.hand}, the log's event is of hand {number}"
                report.add(self.fault(Fault.HAND_DIFFERS, detail, record.hand, seq))
            if logged == record.digest:
                report.checked["digests equal to the log's"] += 1
            else:
                detail = f"a client has {record.digest}, the log {logged}"
                report.add(self.fault(Fault.DIGEST_DIFFERS, detail, record.hand, seq))
        elif self._skipped(seq):
            report.add(self.fault(Fault.ACKNOWLEDGED_NOT_IN_LOG, "a client has an event that no log has", None, seq))
        else:
            report.unchecked["events of hands without a log, compared among the clients only"] += 1
            other = self._unlogged.setdefault(seq, record.digest)
            if other != record.digest:
                detail = f"a client has {record.digest}, another {other}"
                report.add(self.fault(Fault.DIGEST_DIFFERS, detail, record.hand, seq))

    def _skipped(self, seq: int) -> bool:
        """Whether the logs leave this event out though they have those around it: within a hand, or between two."""
        hands = self.log.hands
        within = any(hand.first <= seq <= hand.last for hand in hands)
        return within or any(
            before.last < seq < after.first and (before.match, before.number + 1) == (after.match, after.number)
            for before, after in pairwise(hands)
        )


class Stream:
    """The events of one socket, as they came."""

    def __init__(self, witness: Witness, opened: history.Opened) -> None:
        self.witness = witness
        self.seat = opened.seat
        self._after = opened.after
        self._last: int | None = None  # the event after which the next one is to come; None: not known
        self._missing: set[int] = set()

    @property
    def last(self) -> int | None:
        """The last event that the socket has, if that is known."""
        return self._last

    def welcomed(self, record: history.Welcomed, report: Report) -> None:
        """The stream begins, after the event that the attach named or after the snapshot that follows."""
        if record.set_back:
            report.add(self.witness.fault(Fault.SET_BACK, f"the edge said so to {self._name()}"))
        if record.resumed:
            self._last = self._after
            report.checked["streams resumed"] += 1
            if self._after is None:
                report.unchecked["where a resumed stream began: its history does not say"] += 1
        else:
            self._last = 0

    def snapshot(self, record: history.Snapshot, report: Report) -> None:
        """Events go on after it."""
        self.witness.saw(record, report)
        self._last = record.seq
        report.checked["snapshots"] += 1

    def event(self, record: history.Event, report: Report) -> None:
        """It must be the next one."""
        seq = record.seq
        expected = None if self._last is None else self._last + 1
        if expected is None or seq == expected:
            self._last = seq
        elif seq > expected:
            self._skipped(expected, record, report)
            self._last = seq
        else:
            late = seq in self._missing
            self._missing.discard(seq)
            fault = Fault.EVENT_OUT_OF_ORDER if late else Fault.EVENT_REPEATED
            report.add(self.witness.fault(fault, f"{self._name()} had {self._last} already", record.hand, seq))
        self.witness.saw(record, report)

    def _skipped(self, expected: int, record: history.Event, report: Report) -> None:
        """Events between may still come, out of order; unless they are more than a table ever has under way."""
        if record.seq - expected <= _WAITED_FOR:
            self._missing.update(range(expected, record.seq))
        else:
            detail = f"{self._name()} got none of the events from {expected} up to this one"
            report.add(self.witness.fault(Fault.EVENT_MISSING, detail, record.hand, record.seq))

    def finish(self, report: Report) -> None:
        """The socket's history is read to its end: what never came is missing."""
        for seq in sorted(self._missing):
            detail = f"{self._name()} got events up to {self._last}, never this one"
            report.add(self.witness.fault(Fault.EVENT_MISSING, detail, None, seq))

    def _name(self) -> str:
        return "a watcher" if self.seat is None else f"the client of seat {self.seat}"
