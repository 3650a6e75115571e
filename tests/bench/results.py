"""What a benchmark found: printed as one table, kept as JSON."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Samples:
    """The same quantity, measured several times."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one."""
        return statistics.median(self.values)

    def __str__(self) -> str:
        low, high = min(self.values), max(self.values)
        return f"{_short(self.median)} ({_short(low)} to {_short(high)})" if low != high else _short(low)


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: what was measured, the yardstick of the same run, and how the two compare."""

    id: str
    what: str
    unit: str
    measured: Samples
    yardstick: Samples | None = None
    ratio: Samples | None = None
    bar: str = ""


def machine() -> str:
    """Cores, memory, interpreter."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}, {platform.system()}"


def show(figures: Sequence[Figure]) -> None:
    """Prints the table: medians, with the lowest and the highest."""
    table = Table(title=f"{datetime.now(UTC):%Y-%m-%d}, {machine()}")
    for title in ("", "what", "unit", "measured", "yardstick", "ratio", "bar"):
        table.add_column(title)
    for figure in figures:
        yardstick = str(figure.yardstick or "")
        table.add_row(
            figure.id, figure.what, figure.unit, str(figure.measured), yardstick, str(figure.ratio or ""), figure.bar
        )
    Console(width=160).print(table)


def save(figures: Sequence[Figure], folder: Path) -> Path:
    """Writes ``<time>.json``; each sample is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    path = folder / f"{now:%Y%m%dT%H%M%SZ}.json"
    content = {"at": now.isoformat(), "machine": machine(), "figures": [asdict(figure) for figure in figures]}
    path.write_text(json.dumps(content, indent=2) + "\n")
    return path


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
