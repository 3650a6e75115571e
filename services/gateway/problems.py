"""Faults to HTTP: the one place where reasons become statuses, titles and the stable codes of problem+json (RFC 9457).

A code is the reason in lower case, and stays what it is when texts change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from services.gateway.models import Problem
from services.runtime.errors import HTTP_STATUS, RETRY_AFTER, Fault, Internal
from services.runtime.log import logger

MEDIA_TYPE: Final = "application/problem+json"

TITLES: Final[Mapping[str, tuple[int, str]]] = {
    "UNKNOWN_TABLE": (404, "No such table"),
    "UNKNOWN_CODE": (404, "No table has this code"),
    "UNKNOWN_SEAT": (404, "No such seat"),
    "NO_SOCKET": (404, "Nobody was ever there"),
    "UNKNOWN_MATCH": (404, "No such match"),
    "UNKNOWN_HAND": (404, "No such hand"),
    "NOT_HOST": (403, "Only the host may do that"),
    "NOT_SEATED": (403, "Only a seated player may do that"),
    "BAD_INVITE": (403, "The invite is not this table's"),
    "SENT_AWAY": (403, "This player was sent away from the table"),
    "BAD_ORIGIN": (403, "The request comes from another site"),
    "TABLE_FULL": (409, "No seat is free"),
    "TABLE_CLOSED": (409, "The table is closed"),
    "MATCH_RUNNING": (409, "The match is running"),
    "MATCH_NOT_OVER": (409, "The match is not over"),
    "NO_DISPUTES": (409, "The table's rules have no disputes"),
    "NOTHING_TO_DISPUTE": (409, "There is no hand to dispute"),
    "PLAYER_LEFT": (409, "Somebody has left since the match ended"),
    "NOT_LAST_HAND": (409, "Only the last hand that counts can be taken back"),
    "NO_OUTLOOK": (409, "No game of Aces Up is dealt there"),
    "ALREADY_SEATED": (409, "The player sits at another table"),
    "SEAT_TAKEN": (409, "The seat is taken"),
    "NO_BOT_THERE": (409, "No bot sits there"),
    "NO_PLAYER_THERE": (409, "No other player sits there"),
    "NOT_PREPARED": (409, "The hand was not prepared"),
    "HAND_RUNNING": (409, "A hand is running"),
    "HAND_UNCOUNTED": (409, "The last hand is not counted yet"),
    "BAD_OPTION": (400, "A house rule can't be"),
    "BAD_SEATS": (422, "The seats can't be"),
    "BAD_NONCE": (422, "The nonce can't be"),
    "BAD_MESSAGE": (500, "The edge and a service don't understand each other"),
    "BAD_PAGE": (422, "The page token is not ours"),
    "BAD_ID": (422, "The id can't be"),
    "BAD_PACKED": (500, "The edge and the engine don't understand each other"),
    "BAD_COUNTDOWN": (422, "The countdown can't be"),
    "BAD_PLAYER": (422, "The player can't be"),
    "BAD_TABLE": (422, "The table can't be"),
    "BAD_WORKER": (422, "The worker can't be"),
    "BAD_VERSION": (500, "The edge and the lobby don't understand each other"),
    "BAD_SOCKET": (500, "The edge and the lobby don't understand each other"),
    "BAD_NAME": (422, "Nobody may be called that"),
    "BAD_REQUEST": (422, "The request can't be understood"),
    "NOT_SIGNED_IN": (401, "Not signed in"),
    "NOT_FOUND": (404, "No such page"),
    "METHOD_NOT_ALLOWED": (405, "Not with this method"),
    "TOO_MANY_GUESTS": (429, "Too many guests from this address"),
    "TOO_MANY_CODES": (429, "Too many wrong codes from this address"),
    "TOO_MANY_QUESTIONS": (429, "One question at a time"),
    "TOO_MANY_WATCHES": (429, "Too many watch"),
    "TOO_MANY_REQUESTS": (429, "Too many requests"),
    "TOO_MANY_TABLES": (429, "Too many new tables"),
    "TOO_MANY_HOSTED": (409, "The player has opened too many tables to watch"),
    "TOO_LARGE": (413, "The request is too large"),
    "CREATION_PAUSED": (503, "No new tables are opened at the moment"),
    "BUSY": (503, "A service has too much to do"),
    "CONTENDED": (503, "Too many want the same at once"),
    "NO_ENGINE": (503, "No engine can be reached"),
    "DATABASE_UNAVAILABLE": (503, "The results cannot be reached"),
    "REDIS_UNAVAILABLE": (503, "The tables cannot be reached"),
    "UNAVAILABLE": (503, "A service cannot be reached"),
    "OUT_OF_DESCRIPTORS": (503, "Too many are connected here"),
    "UNKNOWN_VERSION": (503, "A newer release keeps this"),
    "DRAINING": (503, "A service is being replaced"),
    "DEADLINE_EXCEEDED": (504, "A service did not answer in time"),
    "INTERNAL": (500, "A mistake of ours"),
}
"""Status and title of every reason that is known."""

_ALWAYS: Final = (
    "BAD_REQUEST",
    "TOO_LARGE",
    "TOO_MANY_REQUESTS",
    "REDIS_UNAVAILABLE",
    "UNAVAILABLE",
    "DEADLINE_EXCEEDED",
    "INTERNAL",
)

_log = logger(__name__)


def problem(fault: Fault) -> Problem:
    """What a client is told of a fault."""
    status, title = TITLES.get(fault.reason, (HTTP_STATUS.get(fault.code, 500), "It can't be done"))
    if isinstance(fault, Internal):
        return Problem(title=TITLES["INTERNAL"][1], status=500, detail="", code="internal")
    return Problem(
        title=title, status=status, detail=fault.detail, code=fault.reason.lower(), option=fault.metadata.get("option")
    )


def responses(*reasons: str) -> dict[int | str, dict[str, Any]]:
    """The errors of a route for its OpenAPI description: ``reasons``, and those that any route may end in."""
    by_status: dict[int, list[str]] = {}
    for reason in (*reasons, *_ALWAYS):
        by_status.setdefault(TITLES[reason][0], []).append(reason)
    return {
        status: {
            "description": "; ".join(f"`{reason.lower()}`: {TITLES[reason][1]}" for reason in some),
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, some in sorted(by_status.items())
    }


def install(app: FastAPI) -> None:
    """Has every error of ``app`` answered as a problem."""

    @app.exception_handler(Fault)
    async def on_fault(request: Request, fault: Fault) -> Response:
        if isinstance(fault, Internal):
            _log.error("request failed", path=request.url.path, exc_info=fault)
        return respond(fault)

    @app.exception_handler(RequestValidationError)
    async def on_bad_request(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        detail = f"{where}: {first['msg']}" if where else str(first["msg"])
        return _respond(_plain("BAD_REQUEST", detail))

    @app.exception_handler(HTTPException)
    async def on_http(_: Request, error: HTTPException) -> Response:
        reason = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED", 413: "TOO_LARGE"}.get(error.status_code, "BAD_REQUEST")
        # A body that is no text at all is 400 to FastAPI, one that is no JSON 422: to us it is the same.
        status = 422 if error.status_code == 400 else error.status_code
        answer = _plain(reason, "").model_copy(update={"status": status})
        return _respond(answer, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def on_mistake(_: Request, __: Exception) -> Response:
        return _respond(_plain("INTERNAL", ""))


def respond(fault: Fault) -> Response:
    """The answer that a fault gets."""
    after = fault.metadata.get(RETRY_AFTER)
    return _respond(problem(fault), {} if after is None else {"Retry-After": after})


def _plain(reason: str, detail: str) -> Problem:
    status, title = TITLES[reason]
    return Problem(title=title, status=status, detail=detail, code=reason.lower())


def _respond(answer: Problem, headers: Mapping[str, str] | None = None) -> Response:
    headers = dict(headers or {})
    if answer.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if answer.status in (429, 503):
        headers.setdefault("Retry-After", "1")
    return JSONResponse(answer.model_dump(exclude_none=True), answer.status, headers, MEDIA_TYPE)
