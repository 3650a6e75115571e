"""The pages by which a balancer learns whether a process that speaks HTTP answers, and whether it serves."""

from __future__ import annotations

from fastapi import APIRouter, Response

from services.runtime.scope import Scope


def health_routes(scope: Scope) -> APIRouter:
    """``/healthz`` and ``/readyz`` of the process; no part of the API's description."""
    router = APIRouter(include_in_schema=False)

    @router.get("/healthz")
    async def healthz() -> dict[str, str]:
        """The process answers."""
        return {"status": "ok"}

    @router.get("/readyz")
    async def readyz(response: Response) -> dict[str, bool]:
        """Whether it serves now: 503 if not. A check that is false beside 200 is a degraded state."""
        checks = await scope.ready()
        if not scope.serves(checks):
            response.status_code = 503
        return checks

    return router
