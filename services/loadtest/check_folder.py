"""The folder of a run, as far as it is checked: histories of clients, logs of hands, sheets of matches.

``histories/<process>.jsonl.gz``, ``logs/<match>-<hand>.json`` (what ``GET /matches/{match}/hands/{hand}`` gave) and
``matches/<match>.json`` (what ``GET /matches/{match}`` gave). Knows nothing of what they say about one another.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from services.client.models import Match
from services.loadtest.check_report import Fault, Finding, Report

_LOG_NAME: Final = re.compile(r"(?P<match>.+)-(?P<hand>\d+)\.json")


class NotARun(Exception):
    """The folder holds no run that could be checked."""


@dataclass(slots=True)
class TableFiles:
    """What there is of one table: the sheets of its matches, and its logs by match and hand."""

    table: str
    sheets: dict[str, Match] = field(default_factory=dict)
    logs: dict[tuple[str, int], Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """The files of a run, by table. ``strays``: logs whose match has no sheet, so that their table is not known."""

    histories: tuple[Path, ...]
    tables: dict[str, TableFiles]
    strays: dict[tuple[str, int], Path]

    @property
    def hands(self) -> int:
        """How many logs there are."""
        return sum(len(files.logs) for files in self.tables.values()) + len(self.strays)


def read(folder: Path) -> tuple[Run, Report]:
    """The run in ``folder``, and what is wrong with its files. Raises :class:`NotARun`, or OSError."""
    histories = tuple(sorted((folder / "histories").glob("*.jsonl.gz")))
    logs = {}
    report = Report()
    for path in sorted((folder / "logs").glob("*.json")):
        if named := _LOG_NAME.fullmatch(path.name):
            logs[named["match"], int(named["hand"])] = path
        else:
            report.add(Finding(Fault.FILE_UNREADABLE, f"{path.name} is not named <match>-<hand>.json"))
    if not histories or not logs:
        raise NotARun(
            f"{folder}: {len(histories)} histories and {len(logs)} logs of hands, so there is nothing to prove"
        )
    sheets = _sheets(folder, report)
    tables: dict[str, TableFiles] = {}
    for match in sheets.values():
        tables.setdefault(match.table, TableFiles(match.table)).sheets[match.id] = match
    strays = {}
    for (match_id, hand), path in logs.items():
        if match_id in sheets:
            tables[sheets[match_id].table].logs[match_id, hand] = path
        else:
            strays[match_id, hand] = path
    _missing(tables, strays, report)
    return Run(histories, tables, strays), report


def shard_of(name: str, shards: int) -> int:
    """Which part of the check a table belongs to."""
    return zlib.crc32(name.encode()) % shards


def _sheets(folder: Path, report: Report) -> dict[str, Match]:
    sheets = {}
    for path in sorted((folder / "matches").glob("*.json")):
        try:
            sheet = msgspec.json.decode(path.read_bytes(), type=Match)
        except msgspec.DecodeError as error:
            report.add(Finding(Fault.FILE_UNREADABLE, f"{path.name}: {error}"))
        else:
            sheets[sheet.id] = sheet
    return sheets


def _missing(tables: dict[str, TableFiles], strays: dict[tuple[str, int], Path], report: Report) -> None:
    by_match: defaultdict[str, list[int]] = defaultdict(list)
    for match, hand in strays:
        by_match[match].append(hand)
    for match, hands in by_match.items():
        report.add(Finding(Fault.FILE_MISSING, f"its sheet; there are logs of its hands {hands}", match=match))
    for files in tables.values():
        for sheet in files.sheets.values():
            for counted in sheet.hands:
                if (sheet.id, counted.hand) not in files.logs:
                    place = (files.table, sheet.id, counted.hand)
                    report.add(Finding(Fault.FILE_MISSING, "the log of a counted hand", *place))
