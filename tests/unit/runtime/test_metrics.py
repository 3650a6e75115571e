from __future__ import annotations

import asyncio
import socket
import time

import httpx2
import pytest
from prometheus_client import REGISTRY

from services.runtime import metrics


async def test_metrics_are_shown_on_their_own_port_while_inside() -> None:
    with metrics.start_metrics(0) as port:
        async with httpx2.AsyncClient(timeout=60) as http:
            answer = await http.get(f"http://127.0.0.1:{port}/metrics")
        assert answer.status_code == 200
        assert "pandemonium_loop_lag_seconds_bucket" in answer.text
        assert "process_resident_memory_bytes" in answer.text
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
        pass


def test_the_port_listens_on_loopback_only_unless_told_otherwise() -> None:
    with metrics.start_metrics(0) as port, socket.socket() as other:
        other.bind(("127.0.0.2", port))


def test_buckets_resolve_a_play_that_takes_less_than_a_millisecond() -> None:
    assert list(metrics.FINE_SECONDS) == sorted(set(metrics.FINE_SECONDS))
    assert metrics.FINE_SECONDS[0] == 0.0002
    assert sum(bucket <= 0.005 for bucket in metrics.FINE_SECONDS) >= 6


async def test_a_loop_that_is_held_up_is_seen_as_lag() -> None:
    def late() -> float:
        slow = REGISTRY.get_sample_value("pandemonium_loop_lag_seconds_bucket", {"le": "0.25"}) or 0
        return (REGISTRY.get_sample_value("pandemonium_loop_lag_seconds_count") or 0) - slow

    before = late()
    watching = asyncio.create_task(metrics.watch_loop_lag())
    await asyncio.sleep(0)
    time.sleep(0.6)
    async with asyncio.timeout(60):
        while late() == before:
            await asyncio.sleep(0.01)
    watching.cancel()
