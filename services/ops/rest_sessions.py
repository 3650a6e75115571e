"""REST: logging in and out, who one is, and the accounts."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from services.ops import models
from services.ops.console import Console
from services.ops.doorkeeper import Operator, set_cookie
from services.runtime.errors import PermissionDenied
from services.runtime.request_origin import same_origin


def routes(console: Console) -> APIRouter:
    """The routes."""
    router = APIRouter(tags=["sessions"])
    door = console.door

    @router.post("/login", operation_id="logIn")
    async def log_in(request: Request, response: Response, body: models.Login) -> models.Me:
        """Begins a session: a cookie for browsers, a token for programs that ask for it."""
        if not same_origin(request):
            raise PermissionDenied("BAD_ORIGIN", "the request comes from another site")
        token, operator = await door.log_in(request, body.name, body.password)
        if body.token:
            return _me(operator, token)
        set_cookie(response, request, token)
        return _me(operator)

    @router.post("/logout", operation_id="logOut")
    async def log_out(request: Request, response: Response) -> models.Done:
        """Ends the session."""
        await door.log_out(request, await door.anyone(request))
        set_cookie(response, request, "")
        return models.Done()

    @router.get("/me", operation_id="getMe")
    async def me(request: Request) -> models.Me:
        """Who is logged in."""
        return _me(await door.anyone(request))

    @router.get("/users", operation_id="listUsers")
    async def users(request: Request) -> models.Users:
        """Every account; never a password's hash."""
        await door.anyone(request)
        return models.Users(users=[models.User(name=a.name, role=a.role.value) for a in door.accounts().values()])

    @router.get("/audit", operation_id="listAudit")
    async def audit(request: Request, before: str = "", limit: int = 50) -> models.Audit:
        """The record of what operators did, newest first; further back from the id `before`."""
        await door.anyone(request)
        found = await console.audit.read(_entry_id(before), max(1, min(limit, 500)))
        return models.Audit(
            entries=[
                models.AuditEntry(
                    id=e.id,
                    at=e.at,
                    who=e.who,
                    address=e.address,
                    what=e.what,
                    on=e.on,
                    detail=e.detail,
                    result=e.result,
                )
                for e in found
            ]
        )

    return router


def _entry_id(text: str) -> str:
    """The id of an entry of a stream, or nothing."""
    first, _, second = text.partition("-")
    return text if first.isdecimal() and second.isdecimal() and text.isascii() and len(text) < 40 else ""


def _me(operator: Operator, token: str = "") -> models.Me:
    account = operator.account
    return models.Me(name=account.name, role=account.role.value, csrf=operator.session.csrf, token=token)
