"""Does harm to the processes of a platform on this machine: as accidents do, and as an upgrade does."""

from __future__ import annotations

import asyncio
import re
import signal
import time
from typing import Final

import httpx2

from services.cli.local_platform import START_S, Platform
from services.cli.plan import stop_s
from services.cli.ports import LOOPBACK
from services.cli.process import NotReady

_LOOK_S: Final = 0.05
_ENGINES_READY: Final = re.compile(r"^pandemonium_gateway_engines_ready (\S+)$", re.MULTILINE)


class Harming:
    """One platform's."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    def services(self) -> list[str]:
        """The processes that an upgrade replaces, in the order in which it does: everything but Redis."""
        names = [process.name for process in self._platform.processes if process.name != "redis"]
        order = ("engine", "lobby", "scoring", "gateway", "bots")
        return sorted(names, key=lambda name: (next(i for i, of in enumerate(order) if name.startswith(of)), name))

    async def harm(self, process: str, how: str, for_s: float) -> None:
        """Kills (it is started again by itself), pauses for so long, or restarts; returns when all is well again.

        Raises ``NotReady`` if it is not.
        """
        victim = self._platform[process]
        match how:
            case "kill":
                before = victim.deaths
                victim.kill()
                while victim.deaths == before:  # noqa: ASYNC110 - the keeper of a process has no event to wait for
                    await asyncio.sleep(_LOOK_S)
            case "pause":
                victim.signal(signal.SIGSTOP)
                try:
                    await asyncio.sleep(for_s)
                finally:
                    victim.signal(signal.SIGCONT)
            case _:
                await victim.stop(stop_s(process))
                await victim.start()
        await self.well(process)

    async def well(self, process: str) -> None:
        """Until the process is ready, and every gateway has a stream to every engine. Raises ``NotReady``."""
        await self._platform[process].ready(START_S)
        deadline = time.monotonic() + START_S
        ports = self._platform.ports
        async with httpx2.AsyncClient(trust_env=False, timeout=1.0, verify=False) as http:
            for number in range(1, len(ports.gateways) + 1):
                url = f"http://{LOOPBACK}:{ports.metrics_of(f'gateway-{number}')}/metrics"
                while await _engines_ready(http, url) < len(ports.engines):
                    if time.monotonic() > deadline:
                        raise NotReady(f"gateway-{number} had no stream to every engine within {START_S:.0f} s")
                    await asyncio.sleep(_LOOK_S)


async def _engines_ready(http: httpx2.AsyncClient, url: str) -> float:
    try:
        found = _ENGINES_READY.search((await http.get(url)).text)
    except httpx2.TransportError:
        return 0.0
    return float(found[1]) if found else 0.0
