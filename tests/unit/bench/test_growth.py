"""What the growth benchmark reads out of runs, on runs whose figures are known."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bench import growth

MIB = 1 << 20


def run(tables: int, plays: int, redis_mib: int, gateway_mib: float) -> dict[str, Any]:
    """Two seconds of play, and one after it that must not count."""
    after = 1000.0
    return {
        "figures": {
            "tables": tables, "sockets": 4 * tables, "plays": plays, "played_s": 2.0, "plays_per_s": plays / 2
        },
        "services": {
            "gateway-1": {"cpu": [None, 0.25, 0.25, after], "mib": [gateway_mib, gateway_mib, gateway_mib, after]},
            "engine-1": {"cpu": [None, 0.5, 0.5, after], "mib": [1.0] * 4},
            "engine-2": {"cpu": [None, 0.1, None, after], "mib": [1.0] * 4},
            "generator-1": {"cpu": [None, 0.9, 0.9, after], "mib": [1.0] * 4},
        },
        "redis": [{"memory_bytes": redis_mib * MIB}, {}, {"memory_bytes": redis_mib * MIB}, {"memory_bytes": after}],
        "latencies": {"play": {"percentiles_ms": {"99": 12.0}}},
        "void": [],
    }  # fmt: skip


def test_cpu_a_play_is_that_of_all_processes_of_a_service_while_seats_played() -> None:
    assert growth.cpu_us_per_play(run(3, 100, 8, 50.0)) == pytest.approx({"gateway": 5_000.0, "engine": 11_000.0})


def test_memory_is_what_each_table_or_socket_adds_to_those_of_one_table() -> None:
    alone, many = run(1, 10, 8, 50.0), run(9, 90, 10, 54.0)
    assert growth.redis_bytes(many, alone) == pytest.approx(2 * MIB / 8)
    assert growth.gateway_bytes(many, alone) == pytest.approx(4 * MIB / 32)


def test_every_size_has_every_figure() -> None:
    alone, many = run(1, 10, 8, 50.0), run(10, 100, 10, 54.0)
    names = [figure.what for figure in growth.figures(many, alone)]
    assert all(name.startswith("10 tables: ") for name in names)
    assert len(names) == 6
