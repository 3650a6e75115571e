from __future__ import annotations

import asyncio
import gc
import warnings
from typing import ClassVar

import pytest
from redis.asyncio import Redis

from services.runtime import keys
from services.runtime.serve import serving
from tests.unit.runtime.echo_service import EchoSettings, build


class Reporting(EchoSettings):
    """One whose processes tell of themselves."""

    reports: ClassVar[bool] = True


@pytest.fixture
def settings(redis: Redis, redis_url: str) -> Reporting:
    return Reporting(redis_url=redis_url)


async def _told(redis: Redis) -> None:
    async with asyncio.timeout(30):
        while not await redis.hlen(keys.processes()):
            await asyncio.sleep(0.01)


async def test_a_process_tells_of_itself_for_as_long_as_it_runs(redis: Redis, settings: Reporting) -> None:
    async with serving(settings, build):
        await _told(redis)
    assert not await redis.hlen(keys.processes())


async def test_whatever_moment_its_task_is_cancelled_in_no_connection_stays_open(
    redis: Redis, settings: Reporting, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(client: Redis, name: str, *fields: str) -> int:
        return len(fields)

    # What breaks in the middle of an answer is closed by itself; here nothing breaks.
    monkeypatch.setattr(Redis, "hdel", at_once)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        async with serving(settings, build):
            await _told(redis)
            (reporter,) = (task for task in asyncio.all_tasks() if task.get_name() == "reporter")
            while not reporter.done():
                # A stop does so too, though not at every step.
                reporter.cancel()
                await asyncio.sleep(0)
            del reporter
        gc.collect()
    assert [str(warning.message) for warning in caught] == []
