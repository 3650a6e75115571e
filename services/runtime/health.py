"""The gRPC health service, telling the truth: SERVING exactly while the service is ready (``Scope.serves``)."""

from __future__ import annotations

import asyncio

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from services.runtime.log import logger
from services.runtime.scope import CHECK_SECONDS, Scope

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

_log = logger(__name__)


class Health:
    """Answers for the whole server under the name ``""`` and for each check under its own name."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._servicer = health.aio.HealthServicer()
        self._last: dict[str, bool] | None = None

    async def register(self, server: grpc.aio.Server) -> None:
        """Adds the health service, not serving yet."""
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, server)
        await self._servicer.set("", NOT_SERVING)

    async def look(self) -> bool:
        """Asks every check once and publishes the answers; tells whether all passed."""
        answers = await self._scope.ready()
        ready = self._scope.serves(answers)
        if answers != self._last:
            _log.info("readiness", ready=ready, **{f"check_{name}": passed for name, passed in answers.items()})
            self._last = answers
        for name, passed in answers.items():
            await self._servicer.set(name, SERVING if passed else NOT_SERVING)
        await self._servicer.set("", SERVING if ready else NOT_SERVING)
        return ready

    async def watch(self) -> None:
        """Looks once a second until the service drains or stops; from then on it is not serving, whatever else."""
        ends = [asyncio.ensure_future(event.wait()) for event in (self._scope.draining, self._scope.stopping)]
        try:
            while not any(end.done() for end in ends):
                await self.look()
                await asyncio.wait(ends, timeout=CHECK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()
        await self.stop()

    async def stop(self) -> None:
        """Not serving any more; may be said twice."""
        await self._servicer.enter_graceful_shutdown()
