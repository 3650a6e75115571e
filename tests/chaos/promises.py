"""What is promised when something dies (docs/architecture.md), beside what was measured in this run of the tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Promises:
    """Collects rows; printed at the end of a session."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)

    def measured(self, what: str, found: str, facts: dict[str, Any] | None = None) -> None:
        """What was done, what came of it, and the size of the run in which it was."""
        size = ""
        if facts is not None:
            size = f"{facts['figures']['tables']} tables, {facts['figures']['plays']:,} plays, proof holds"
        self.rows.append((what, found, size))

    def table(self) -> list[str]:
        """The rows, in columns."""
        widths = [max(len(row[i]) for row in self.rows) for i in range(3)] if self.rows else []
        return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in self.rows]


PROMISES = Promises()
"""Of this process."""
