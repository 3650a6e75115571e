"""Everything that can be checked of a few tables, from their logs and from the histories of all clients.

The histories are read once from beginning to end, and only what concerns these tables is looked at; of events only
where each socket is, so that memory does not grow with what was delivered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from services.loadtest import (
    check_commands,
    check_hand,
    check_log,
    check_order,
    check_refusals,
    check_sheets,
    history,
)
from services.loadtest.check_commands import Seat
from services.loadtest.check_folder import TableFiles
from services.loadtest.check_log import LoggedHand, TableLog
from services.loadtest.check_report import Report
from services.loadtest.check_sockets import Stream, Witness
from services.loadtest.history import History
from services.rules.hand import Hand


class TableCheck:
    """One table: its logs, and what its clients saw."""

    def __init__(self, files: TableFiles, report: Report) -> None:
        self.files = files
        logs = (
            check_log.read(path, files.table, match, number, report) for (match, number), path in files.logs.items()
        )
        self.log = TableLog(log for log in logs if log is not None)
        self.witness = Witness(files.table, self.log)
        self.seats: dict[int, Seat] = {}

    def seat(self, number: int) -> Seat:
        """What the clients of a seat sent and were answered."""
        return self.seats.setdefault(number, Seat(self.witness, number))

    def finish(self, report: Report) -> None:
        """The histories are read: now they are held against the logs, and the logs against the rules."""
        self.log.linked(report)
        states: dict[int, Hand] = {}
        for hand in self.log.hands:
            states |= check_hand.check(hand, report)
        seats = list(self.seats.values())
        check_commands.check(self.log, seats, report)
        ordered = check_order.operations(self.log, seats, self.witness.first_seen_us)
        check_order.check(self.log, ordered, report)
        check_refusals.check(self.log, seats, ordered, states, report)
        for sheet in self.files.sheets.values():
            check_sheets.check(sheet, self._hands_of(sheet.id), report)
        report.checked["tables"] += 1

    def _hands_of(self, match: str) -> dict[int, LoggedHand]:
        return {hand.number: hand for hand in self.log.hands if hand.match == match}


class Tables:
    """The tables of one part of the check, those among them that have no log included."""

    def __init__(self, files: Iterable[TableFiles], own: Callable[[str], bool], report: Report) -> None:
        self._report = report
        self._own = own
        self._tables = {table.table: TableCheck(table, report) for table in files}

    def read(self, source: History) -> None:
        """Reads a history, and holds each record of an own table against the log. Raises OSError."""
        sockets: dict[int, _Socket | None] = {}
        for record in source:
            if isinstance(record, history.Began | history.Ended):
                continue
            if isinstance(record, history.Opened):
                sockets[record.socket] = self._opened(record)
                continue
            try:
                socket = sockets[record.socket]
            except KeyError:
                self._report.unchecked["records of sockets that were never opened"] += 1
                continue
            if socket is not None:
                socket.take(record, self._report)
        for socket in sockets.values():
            if socket is not None:
                socket.stream.finish(self._report)
                if source.torn and socket.seat:
                    socket.seat.torn = True

    def finish(self) -> None:
        """Checks the tables one after the other, and lets go of each."""
        while self._tables:
            _, table = self._tables.popitem()
            table.finish(self._report)

    def _opened(self, record: history.Opened) -> _Socket | None:
        if not self._own(record.table):
            return None
        self._report.checked["sockets"] += 1
        table = self._tables.get(record.table)
        if table is None:
            table = self._tables[record.table] = TableCheck(TableFiles(record.table), self._report)
        if record.seat is None:
            return _Socket(Stream(table.witness, record), None)
        seat = table.seat(record.seat)
        seat.players.add(record.player)
        return _Socket(Stream(table.witness, record), seat)


@dataclass(slots=True)
class _Socket:
    stream: Stream
    seat: Seat | None

    def take(self, record: history.Record, report: Report) -> None:
        match record:
            case history.Event():
                self.stream.event(record, report)
            case history.Sent() if self.seat:
                self.seat.sent(record, self.stream.last)
            case history.Verdict() if self.seat:
                self.seat.answered(record, report)
            case history.Snapshot():
                self.stream.snapshot(record, report)
            case history.Welcomed():
                self.stream.welcomed(record, report)
                if self.seat:
                    self.seat.welcomed(record, report)
