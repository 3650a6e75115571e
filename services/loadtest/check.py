"""The proof: from the clients' histories and the tables' logs of a run, that nothing went wrong (docs/proof.md).

The tables are dealt out to parts, and the parts to processes. Each part reads all histories and looks at its own tables
only, so its memory is that of its logs, however long the run was. Nothing is passed over in silence: what could not be
checked is counted, with the reason.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from services.loadtest import check_folder, check_hand, check_log
from services.loadtest.check_folder import NotARun as NotARun
from services.loadtest.check_folder import Run, shard_of
from services.loadtest.check_report import Fault, Finding, Report
from services.loadtest.check_table import Tables
from services.loadtest.history import History

HANDS_AT_ONCE: Final = 250
"""About how many logs a process holds at the same time: some 100 MB."""


def check(folder: Path, processes: int = 1) -> Report:
    """Checks the run in ``folder``. Raises :class:`NotARun`, or OSError."""
    run, report = check_folder.read(folder)
    parts = max(processes, -(-run.hands // HANDS_AT_ONCE))
    work = [(run, number, parts) for number in range(parts)]
    for part in _each(work, processes):
        report.merge(part)
    report.findings.sort(key=lambda f: (f.fault, f.table or "", f.seq or 0))
    return report


def _each(work: list[tuple[Run, int, int]], processes: int) -> Iterator[Report]:
    if processes == 1:
        yield from (_part(*one) for one in work)
        return
    # Spawned: a fork of a process that has threads may hang.
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(_part, *zip(*work, strict=True))


def _part(run: Run, number: int, parts: int) -> Report:
    """Checks the tables of one part; the first also tells of the histories themselves, and of logs without a table."""
    report = Report()
    own = [files for name, files in run.tables.items() if shard_of(name, parts) == number]
    tables = Tables(own, lambda name: shard_of(name, parts) == number, report)
    for path in run.histories:
        source = History(path)
        tables.read(source)
        if number == 0:
            _of_history(source, report)
    if number == 0:
        _strays(run, report)
    tables.finish()
    return report


def _of_history(source: History, report: Report) -> None:
    report.checked["histories"] += 1
    if source.torn:
        report.unchecked[f"what is behind the end of a history that breaks off ({source.torn})"] += 1
    for line in source.unreadable:
        report.add(Finding(Fault.FILE_UNREADABLE, line))


def _strays(run: Run, report: Report) -> None:
    """Logs whose table is not known: they are judged, and held against no client."""
    for (match, hand), path in run.strays.items():
        log = check_log.read(path, None, match, hand, report)
        if log is not None:
            check_hand.check(log, report)
        report.unchecked["logs without a sheet, which no client's history could be held against"] += 1
