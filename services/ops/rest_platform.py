"""REST: the platform as a whole, and what is done to it."""

from __future__ import annotations

import secrets
import time
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from services.ops import models
from services.ops.console import Console
from services.runtime.errors import Fault, InvalidArgument, NotFound


def routes(console: Console) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["platform"])
    door, desk = console.door, console.desk

    @router.get("/overview", operation_id="getOverview")
    async def overview(request: Request, since: Annotated[int, Query(ge=0)] = 0) -> models.Overview:
        """Processes, rates and latencies; the figures begin when somebody begins to look."""
        await door.anyone(request)
        processes = []
        for told in await desk.processes():
            cpu, memory = console.watcher.use_of(told.name)
            processes.append(
                models.Process(
                    name=told.name,
                    service=told.service,
                    host=told.host,
                    port=told.port,
                    pid=told.pid,
                    started=told.started,
                    ready=told.ready,
                    draining=told.draining,
                    checks=told.checks,
                    cpu=cpu,
                    memory=memory,
                )
            )
        try:
            paused: bool | None = await console.lobby.paused()
        except Fault:
            paused = None
        notice = await desk.notice()
        return models.Overview(
            now=_now_ms(),
            paused=paused,
            notice=models.Notice.model_validate(notice) if notice else None,
            processes=processes,
            points=console.watcher.points(since),
        )

    @router.post("/notice", operation_id="announce")
    async def announce(request: Request, body: models.NoticeRequest) -> models.Notice:
        """Has all players told something, as plain text; it replaces what they were told before."""
        if "en" not in body.texts:
            raise InvalidArgument("BAD_REQUEST", "texts: English is always there")
        until = _now_ms() + body.minutes * 60_000
        notice = models.Notice(
            id=secrets.token_hex(6), texts={str(language): text for language, text in body.texts.items()}, until=until
        )
        async with door.acting(request, "announce", "", body.texts["en"]):
            await desk.announce(notice.model_dump(), body.minutes * 60)
        return notice

    @router.delete("/notice", operation_id="withdrawNotice")
    async def withdraw(request: Request) -> models.Done:
        """Has players told nothing any more."""
        async with door.acting(request, "withdraw", ""):
            await desk.announce(None)
        return models.Done()

    @router.post("/creation", operation_id="pauseCreation")
    async def creation(request: Request, body: models.CreationRequest) -> models.Done:
        """Stops or resumes opening tables."""
        async with door.acting(request, "pause" if body.paused else "resume", ""):
            await console.lobby.pause(body.paused)
        return models.Done()

    @router.post("/processes/{process}/drain", operation_id="drainProcess")
    async def drain(
        request: Request, process: Annotated[str, Path(pattern=r"^[a-z]{1,20}-[0-9a-f]{8}$")]
    ) -> models.Done:
        """Has a process take nothing new and hand over what it has; it stays until it is told to end."""
        async with door.acting(request, "drain", process):
            if process not in {told.name for told in await desk.processes()}:
                raise NotFound("UNKNOWN_PROCESS", f"no process {process}")
            await desk.drain(process)
        return models.Done()

    return router


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
