"""What happens to players and watchers themselves: their connections break, or they stop reading."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.chaos.loads import proven
from tests.chaos.promises import Dies, Promises, size

pytestmark = [
    pytest.mark.xdist_group("platform"),
    pytest.mark.timeout(300),
    pytest.mark.skipif(not os.environ.get("CHAOS"), reason="takes a while: make chaos"),
]

BROKEN_AT_ONCE = 32
LINES = f"""
about = "Half of all connections break at once, and others one after another."
tables = 16
seconds = 20

[faults]
storm_sockets = {BROKEN_AT_ONCE}
storm_at_s = 8
disconnects_per_minute = 60
"""


async def test_whose_connection_breaks_keeps_the_seat_and_misses_nothing(tmp_path: Path, promises: Promises) -> None:
    """That nothing is missed is what the proof says: every socket's events are the log's, without a gap."""
    (tmp_path / "lines.toml").write_text(LINES)

    facts = await proven(str(tmp_path / "lines.toml"), tmp_path / "run", within_s=280)

    back = facts["latencies"]["back"]
    assert back["count"] >= BROKEN_AT_ONCE
    found = f"{back['count']} times; the last one was welcomed again after {back['percentiles_ms']['100'] / 1000:.1f} s"
    promises.measured(Dies.CLIENT_NETWORK, "connections", "broken", found, size(facts))


async def test_who_stops_reading_is_cut_off_and_nobody_else_waits(tmp_path: Path, promises: Promises) -> None:
    """The scenario itself fails if one of them is not."""
    facts = await proven("slow-reader", tmp_path / "run", within_s=280)

    cut = facts["counts"]["slow.cut_off"]
    p99 = facts["latencies"]["play"]["percentiles_ms"]["99"]
    found = f"{cut} cut off; 99 of 100 plays of all others answered within {p99:.0f} ms"
    promises.measured(Dies.SLOW_CLIENT, "watchers", "not reading", found, size(facts))
