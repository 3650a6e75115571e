"""A whole platform on this machine: every service as its own process, an embedded Redis, a data folder.

``pandemonium up`` runs one for good; ``match`` and the tests run one for as long as they need it::

    async with Platform(Path("data"), Ports.free(), say=print_line) as platform:
        print(platform.url)
        platform["engine-1"].kill()  # is started again by itself
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Final, Self

from services.cli.folder import DataFolder
from services.cli.plan import STOP_S, Plan, stop_s
from services.cli.ports import LOOPBACK, Ports
from services.cli.process import Process, Say
from services.cli.redis_process import redis_spec

START_S: Final = 60.0


class Platform:
    """An async context manager: entered when everything is ready, left when no process remains.

    Raises on entry ``FolderInUse``, ``PortTaken``, ``RedisNotFound`` or ``NotReady``; whatever was started by then has
    been stopped again.
    """

    def __init__(
        self,
        folder: Path,
        ports: Ports,
        *,
        say: Say,
        redis_url: str | None = None,
        bots: bool = True,
        accounts: Path | None = None,
        env: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """``redis_url``: use that one, not an embedded one. ``accounts``: have a console, with that file of accounts.

        ``env``: further settings for all services.
        """
        self.folder = DataFolder(folder)
        self.ports = ports
        self.redis_url = redis_url or f"redis://{LOOPBACK}:{ports.redis}/0"
        self.startup_s = 0.0
        """How long it took until everything was ready."""
        self._embedded = redis_url is None
        self._say = say
        self._plan = Plan(ports, self.redis_url, self.folder.database_url, bots=bots, accounts=accounts, env=env)
        self._processes: dict[str, Process] = {}
        self._stack = AsyncExitStack()

    @property
    def url(self) -> str:
        """Of the first gateway."""
        return self.urls[0]

    @property
    def urls(self) -> list[str]:
        """Of every gateway."""
        return [f"http://{LOOPBACK}:{port}" for port in self.ports.gateways]

    @property
    def ops_url(self) -> str:
        """Of the console, if there is one."""
        return f"http://{LOOPBACK}:{self.ports.ops}"

    @property
    def processes(self) -> list[Process]:
        """All of them; Redis, if it is ours, is the last."""
        return list(self._processes.values())

    def __getitem__(self, name: str) -> Process:
        """A process by name: ``gateway-1``, ``engine-1``, ``engine-2``, ``lobby``, ``scoring``, ``bots``, ``redis``."""
        return self._processes[name]

    async def __aenter__(self) -> Self:
        started = time.monotonic()
        async with AsyncExitStack() as stack:
            stack.enter_context(self.folder)
            self.ports.check(redis=self._embedded, ops=self._plan.accounts is not None)
            self._processes = {spec.name: Process(spec, self._say) for spec in self._plan.services()}
            if self._embedded:
                redis = Process(redis_spec(self.folder.redis, self.ports.redis), self._say)
                stack.push_async_callback(redis.stop, STOP_S)
                await redis.start()
                await redis.ready(START_S)
                self._processes["redis"] = redis
            stack.push_async_callback(self._stop_services)
            await asyncio.gather(*(process.start() for process in self.processes))
            await asyncio.gather(*(process.ready(START_S) for process in self.processes))
            self._stack = stack.pop_all()
        self.startup_s = time.monotonic() - started
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def _stop_services(self) -> None:
        """The edge and the bots first, then what they ask; within each of the two all at once."""
        services = [process for process in self.processes if process.name != "redis"]
        edge = [process for process in services if process.name.startswith(("bots", "gateway"))]
        await asyncio.gather(*(process.stop(stop_s(process.name)) for process in edge))
        await asyncio.gather(*(process.stop(stop_s(process.name)) for process in services if process not in edge))
