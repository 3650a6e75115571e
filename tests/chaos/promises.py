"""What is promised when something dies (docs/architecture.md), beside what was measured in this run of the tests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import Any, Final

_DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "architecture.md"
_HEADING: Final = "## What is promised when something dies"


class Dies(StrEnum):
    """The rows of the table in the document, by their first cell."""

    ENGINE = "an engine"
    GATEWAY = "a gateway"
    LOBBY_OR_SCORING = "the lobby or scoring"
    BOTS = "a bots worker"
    REPLACED = "any process, replaced"
    REDIS = "Redis"
    PRIMARY = "a Redis primary, replica promoted"
    NETWORK = "the network to Redis"
    POSTGRES = "PostgreSQL"
    CLIENT_NETWORK = "a client's network"
    SLOW_CLIENT = "one slow client"


KILLED: Final = "killed"
PAUSED: Final = "paused"
MATRIX: Final = tuple(product(("engine", "gateway", "lobby", "scoring", "bots", "redis", "postgres"), (KILLED, PAUSED)))
"""Each kind of process, and what has to be done to it at least once."""
_OF_KIND: Final = {
    "engine": Dies.ENGINE,
    "gateway": Dies.GATEWAY,
    "lobby": Dies.LOBBY_OR_SCORING,
    "scoring": Dies.LOBBY_OR_SCORING,
    "bots": Dies.BOTS,
    "redis": Dies.REDIS,
    "postgres": Dies.POSTGRES,
}


def promised() -> dict[str, str]:
    """The table as the document has it: what dies, and what is promised then."""
    lines = _DOCUMENT.read_text().partition(_HEADING)[2].strip().splitlines()
    cells = (line.strip("|").partition("|") for line in lines if line.startswith("|"))
    return {dies.strip(): promise.strip() for dies, _, promise in list(cells)[2:]}


def kind(process: str) -> str:
    """``engine-1`` is an engine."""
    return re.sub(r"-\d+$", "", process)


def of_process(process: str) -> Dies:
    """The row of a process."""
    return _OF_KIND[kind(process)]


def size(facts: dict[str, Any]) -> str:
    """Of a load whose proof holds."""
    return f"{facts['figures']['tables']} tables, {facts['figures']['plays']:,} plays, proof holds"


@dataclass(frozen=True, slots=True)
class Measured:
    """What was done to what, what came of it, and the size of the run in which it was."""

    dies: Dies
    what: str
    how: str
    found: str
    size: str


@dataclass
class Promises:
    """Collects what is measured; printed at the end of a session."""

    rows: list[Measured] = field(default_factory=list)

    def measured(self, dies: Dies, what: str, how: str, found: str, size: str) -> None:
        """Adds a row. ``how`` begins with :data:`KILLED` or :data:`PAUSED` where that was done to a process."""
        self.rows.append(Measured(dies, what, how, found, size))

    def lacking(self) -> list[str]:
        """Promises and harms that nothing was measured of."""
        without = [dies for dies in promised() if dies not in {row.dies for row in self.rows}]
        done = {(kind(row.what), row.how.split()[0]) for row in self.rows}
        return without + [" ".join(harm) for harm in MATRIX if harm not in done]

    def table(self) -> list[str]:
        """Each promise, and under it what was measured, in columns."""
        cells = [(f"{row.what} {row.how}", row.found, row.size) for row in self.rows]
        widths = [max((len(row[column]) for row in cells), default=0) for column in range(3)]
        lines = []
        for dies, promise in promised().items():
            lines.append(f"{dies}: {promise}")
            its = [cell for row, cell in zip(self.rows, cells, strict=True) if row.dies == dies]
            lines += [
                "  " + "  ".join(text.ljust(width) for text, width in zip(cell, widths, strict=True)).rstrip()
                for cell in its
            ] or ["  not measured"]
        return lines


PROMISES = Promises()
"""Of this process."""
