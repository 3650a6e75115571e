"""A whole service for the tests of starting and stopping, run as ``python -m``; ``ECHO_HABIT`` makes it misbehave."""

from __future__ import annotations

import asyncio
import time
from typing import ClassVar, Literal

import grpc
from pydantic_settings import SettingsConfigDict

from services.runtime.scope import Scope
from services.runtime.serve import run
from services.runtime.settings import ServiceSettings
from tests.unit.runtime.echo_server import add_echo


class EchoSettings(ServiceSettings):
    """As every service's."""

    model_config = SettingsConfigDict(env_prefix="ECHO_")
    service: ClassVar[str] = "echo"
    habit: Literal["good", "slow_start", "broken_start", "broken_task", "clings", "blocks", "never_closes"] = "good"


class Clinging:
    """Something that takes for ever to close."""

    async def __aenter__(self) -> Clinging:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.Event().wait()


async def build(settings: EchoSettings, server: grpc.aio.Server, scope: Scope) -> None:
    """An echo; the request ``break`` breaks a background task."""
    broken = asyncio.Event()

    async def act(request: bytes) -> bytes:
        if request == b"break":
            broken.set()
        if request == b"wait":
            await asyncio.Event().wait()
        return request

    async def breaks() -> None:
        await broken.wait()
        raise RuntimeError("the task broke")

    async def clings() -> None:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                continue

    async def blocks() -> None:
        await scope.stopping.wait()
        time.sleep(60)

    add_echo(server, act)
    match settings.habit:
        case "slow_start":
            print("building", flush=True)
            await asyncio.Event().wait()
        case "broken_start":
            raise RuntimeError("no way to start")
        case "broken_task":
            scope.spawn(breaks, "breaks")
        case "clings":
            scope.spawn(clings, "clings")
        case "blocks":
            scope.spawn(blocks, "blocks")
        case "never_closes":
            await scope.enter(Clinging())
        case "good":
            pass


if __name__ == "__main__":
    run(EchoSettings.read(), build)
