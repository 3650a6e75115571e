"""Each process tells the console of itself, and does what it is ordered: by way of two keys in Redis, once a second.

The only order is ``drain``: it begins the drain of :class:`services.runtime.scope.Scope`, as SIGUSR1 does. The process
stays, not ready, until it is told to end. While Redis is away nothing is told and nothing is ordered; that is no fault.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import time
from typing import Final

import msgspec
from msgspec import Struct
from redis.asyncio import Redis

from services.runtime import keys
from services.runtime.errors import Fault
from services.runtime.log import logger
from services.runtime.redis import faults
from services.runtime.scope import Scope
from services.runtime.settings import ServiceSettings

TELL_SECONDS: Final = 1.0
LIVES_MS: Final = 5_000
"""A process that has not told of itself for so long is gone."""
DRAIN: Final = "drain"
_ANYWHERE: Final = ("0.0.0.0", "::", "")

_log = logger(__name__)


class Told(Struct, frozen=True):
    """What a process tells of itself. ``until`` is when that is old (ms); the ports are those it listens on."""

    name: str
    service: str
    host: str
    port: int
    metrics_port: int
    pid: int
    started: int
    ready: bool
    draining: bool
    checks: dict[str, bool]
    until: int


class Reporter:
    """Tells of one process. Its name is new with each start, so that no order reaches a later process."""

    def __init__(self, settings: ServiceSettings, scope: Scope, client: Redis, *, port: int, metrics_port: int) -> None:
        self._settings = settings
        self._client = client
        self._scope = scope
        self._port = port
        self._metrics_port = metrics_port
        self._started = _now_ms()
        self.name = f"{settings.service}-{secrets.token_hex(4)}"

    async def run(self) -> None:
        """Tells and obeys until the service stops, then takes back what was told."""
        try:
            while not self._scope.stopping.is_set():
                await self._once()
                await asyncio.sleep(TELL_SECONDS)
        finally:
            try:
                async with faults():
                    await self._client.hdel(keys.processes(), self.name)
            except Fault:
                pass  # it is old in a moment by itself

    async def _once(self) -> None:
        checks = await self._scope.ready()
        settings = self._settings
        told = Told(
            name=self.name,
            service=settings.service,
            host=socket.gethostname() if settings.metrics_host in _ANYWHERE else settings.metrics_host,
            port=self._port,
            metrics_port=self._metrics_port,
            pid=os.getpid(),
            started=self._started,
            ready=self._scope.serves(checks),
            draining=self._scope.draining.is_set(),
            checks=checks,
            until=_now_ms() + LIVES_MS,
        )
        try:
            async with faults():
                await self._client.hset(keys.processes(), self.name, msgspec.json.encode(told))
                order = await self._client.get(keys.order(self.name))
        except Fault as fault:
            _log.debug("not told", fault=str(fault))
            return
        if order == DRAIN.encode() and not self._scope.draining.is_set():
            _log.info("draining", cause="the console")
            self._scope.drain()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
