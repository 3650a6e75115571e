"""A table that an operator holds still: nothing falls due, and its times go on where they stood. Pure functions."""

from __future__ import annotations

from dataclasses import replace

from services.lobby.seating import require_living
from services.lobby.table import Table


def freeze(table: Table, now_ms: int) -> Table:
    """Holds the table still; the engine is told by a step of its own. Raises ``TABLE_CLOSED``."""
    require_living(table)
    return table if table.frozen_ms else replace(table, frozen_ms=now_ms)


def thaw(table: Table, now_ms: int) -> Table:
    """Lets the table go on: whatever waited has waited as long as when it was held still. Raises ``TABLE_CLOSED``."""
    require_living(table)
    if not table.frozen_ms:
        return table

    def later(at_ms: int) -> int:
        return at_ms + max(0, now_ms - max(at_ms, table.frozen_ms)) if at_ms else 0

    return replace(
        table,
        seats=tuple(replace(seat, away_ms=later(seat.away_ms)) for seat in table.seats),
        since_ms=later(table.since_ms),
        waiting_ms=later(table.waiting_ms),
        unchecked_ms=later(table.unchecked_ms),
        frozen_ms=0,
    )


def told(table: Table, still: bool) -> Table:
    """Notes what the engine was told last."""
    return table if table.stalled is still else replace(table, stalled=still)
