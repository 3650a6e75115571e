"""uvicorn as the edge needs it: the wire as its WebSocket protocol, and an end after which clients come back."""

from __future__ import annotations

from typing import Final

import uvicorn
from fastapi import FastAPI

from services.gateway import frames
from services.gateway.doorway import Doorway, http_protocol
from services.gateway.edge import Edge
from services.gateway.wire import Wire
from services.runtime.app_server import AppServer

DRAIN_SHARE: Final = 0.2
"""The part of a stop's time in which sockets may answer their close."""
FAREWELL_SHARE: Final = 0.25
"""The part in which the others are told who did not come back; what HTTP gets comes after it."""
HTTP_SECONDS: Final = 1


class EdgeServer(AppServer):
    """Serves the edge's application."""

    def __init__(self, app: FastAPI, edge: Edge) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=http_protocol(Doorway()),
                ws=Wire,
                ws_max_size=frames.MOST_BYTES,
                ws_per_message_deflate=False,
                ws_ping_interval=None,
                lifespan="off",
                log_config=None,
                log_level="warning",  # it would tell of every socket
                access_log=False,
                server_header=False,
                proxy_headers=True,
                forwarded_allow_ips=edge.settings.forwarded_allow_ips,
                timeout_graceful_shutdown=HTTP_SECONDS,
            )
        )
        self._edge = edge

    async def drain(self) -> None:
        """Closes what the drain left open with 1001, and says whose seats they were."""
        stop_seconds = self._edge.settings.stop_seconds
        await self._edge.sockets.drain(DRAIN_SHARE * stop_seconds)
        await self._edge.company.tell()
        await self._edge.tasks.settle(FAREWELL_SHARE * stop_seconds)
        await self._edge.attendance.close()
