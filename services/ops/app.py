"""The console's FastAPI application: REST under ``/api/ops/v1``, health, and the page."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import FastAPI, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.ops import problems, rest_platform, rest_sessions, rest_tables
from services.ops.console import Console
from services.runtime import tracing
from services.runtime.health_routes import health_routes

MOST_BYTES: Final = 16 * 1024
PREFIX: Final = "/api/ops/v1"
DIST: Final = Path(__file__).parent / "dist"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_DESCRIPTION: Final = "What operators see and do. Errors are `application/problem+json`; `code` is stable."


class Guarded:
    """Around all of it: headers that keep pages within bounds, no body that is too long to be read, and a trace."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                if scope["scheme"] == "https":
                    headers["Strict-Transport-Security"] = "max-age=31536000"
                headers.setdefault("Cache-Control", "no-store" if scope["path"].startswith("/api/") else "no-cache")
            await send(message)

        asked = Headers(scope=scope)
        length = asked.get("content-length", "")
        if "transfer-encoding" in asked or (length and not (length.isdecimal() and int(length) <= MOST_BYTES)):
            await problems.respond(413, "bad_request", "a body is at most 16 KiB, and says how long it is")(
                scope, receive, guarded
            )
            return
        with tracing.span(scope["method"], path=scope["path"]):
            await self._app(scope, receive, guarded)


def create_app(console: Console, dist: Path = DIST) -> FastAPI:
    """The application of one process."""
    app = FastAPI(
        title="Pandemonium, the console",
        version="1",
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{PREFIX}/openapi.json",
    )
    problems.install(app)
    for routes in (rest_sessions.routes, rest_platform.routes, rest_tables.routes):
        app.include_router(routes(console), prefix=PREFIX, responses=problems.RESPONSES)
    app.include_router(health_routes(console.scope))

    app.add_middleware(Guarded)

    @app.get("/", include_in_schema=False)
    async def home() -> Response:
        return RedirectResponse("/ops/")

    if dist.is_dir():
        app.mount("/ops", StaticFiles(directory=dist, html=True))
    else:

        @app.get("/ops/", include_in_schema=False)
        async def not_built() -> Response:
            return PlainTextResponse("The page has not been built; `make install` does.\n", status_code=503)

    return app
