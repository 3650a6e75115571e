"""Faults to HTTP: reasons become statuses and the stable codes of problem+json (RFC 9457)."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from services.ops import metrics
from services.ops.models import Problem
from services.runtime.errors import HTTP_STATUS, Fault, Internal
from services.runtime.log import logger

MEDIA_TYPE: Final = "application/problem+json"
RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": Problem, "description": meaning}
    for status, meaning in {
        401: "`not_logged_in`, `wrong_login`",
        403: "`viewers_only_look`, `bad_origin`, `bad_csrf`",
        404: "`unknown_table`, `unknown_process`",
        409: "`table_closed`, `no_player_there`",
        422: "`bad_request`",
        429: "`too_many_logins`",
        503: "`console_off`, `redis_unavailable`, or a service does not answer",
    }.items()
}

_log = logger(__name__)


def install(app: FastAPI) -> None:
    """Has every error of ``app`` answered as a problem."""

    @app.exception_handler(Fault)
    async def on_fault(request: Request, fault: Fault) -> Response:
        if fault.reason.lower() in metrics.REFUSALS:
            metrics.REFUSED.labels(fault.reason.lower()).inc()
        if isinstance(fault, Internal):
            _log.error("request failed", path=request.url.path, exc_info=fault)
            return respond(500, "internal", "")
        return respond(HTTP_STATUS.get(fault.code, 500), fault.reason.lower(), fault.detail)

    @app.exception_handler(RequestValidationError)
    async def on_bad_request(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        return respond(422, "bad_request", f"{where}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def on_http(_: Request, error: HTTPException) -> Response:
        return respond(error.status_code, "not_found" if error.status_code == 404 else "bad_request", "")

    @app.exception_handler(Exception)
    async def on_mistake(_: Request, __: Exception) -> Response:
        return respond(500, "internal", "")


def respond(status: int, code: str, detail: str) -> Response:
    """A problem."""
    problem = Problem(title=code.replace("_", " ").capitalize(), status=status, detail=detail, code=code)
    headers = {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "60"}, 503: {"Retry-After": "1"}}
    return JSONResponse(problem.model_dump(), status, headers.get(status, {}), MEDIA_TYPE)
