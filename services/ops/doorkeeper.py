"""Who is asking, and whether they may: logins, sessions, roles. Every login and every action goes into the record.

A browser has its session in a cookie that scripts can't read, and sends a second secret as a header with whatever it
does, which a page from elsewhere can't know. Programs send the token itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

from fastapi import Request
from starlette.responses import Response

from services.ops import metrics
from services.ops.accounts import Account, Accounts, BadAccounts, Role
from services.ops.redis_audit import RedisAudit
from services.ops.redis_sessions import RedisSessions, Session
from services.runtime.errors import Fault, PermissionDenied, ResourceExhausted, Unauthenticated, Unavailable
from services.runtime.log import logger
from services.runtime.request_origin import address_of, is_secure, same_origin

_HASHES_AT_ONCE: Final = 2
"""Each takes 64 MiB for a moment."""
_SAFE: Final = frozenset(["GET", "HEAD"])

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Operator:
    """Who asks, from where."""

    account: Account
    session: Session
    address: str


class Doorkeeper:
    """Raises ``CONSOLE_OFF``, ``NOT_LOGGED_IN``, ``WRONG_LOGIN``, ``TOO_MANY_LOGINS`` and refusals by role."""

    def __init__(self, accounts: Accounts, sessions: RedisSessions, audit: RedisAudit, most_failures: int) -> None:
        self._accounts = accounts
        self._sessions = sessions
        self._audit = audit
        self._most_failures = most_failures
        self._hashing = asyncio.Semaphore(_HASHES_AT_ONCE)

    def accounts(self) -> dict[str, Account]:
        """Every account. Raises ``CONSOLE_OFF``, also where the file can't be read: better nobody than anybody."""
        try:
            found = self._accounts.all
        except (BadAccounts, OSError) as error:
            _log.error("accounts can't be read", error=str(error))
            raise Unavailable("CONSOLE_OFF", "the file of accounts can't be read; the log says why") from None
        if not found:
            raise Unavailable(
                "CONSOLE_OFF",
                "no accounts: make one with `pandemonium ops user add NAME --file FILE`, set OPS_ACCOUNTS_FILE=FILE",
            )
        return found

    async def log_in(self, request: Request, name: str, password: str) -> tuple[str, Operator]:
        """A session's token, for the right password."""
        try:
            found = await self._log_in(request, name, password)
        except Exception as error:
            metrics.LOGINS.labels(metrics.login_result(error)).inc()
            raise
        metrics.LOGINS.labels("done").inc()
        metrics.SESSIONS.labels("begun").inc()
        return found

    async def _log_in(self, request: Request, name: str, password: str) -> tuple[str, Operator]:
        self.accounts()
        address = address_of(request)
        who = name if name in self.accounts() else ""
        # Names that nobody has are not counted, else they would fill the memory; their senders' address is.
        counted = [f"address:{address}", *([f"account:{who}"] if who else [])]
        for each in counted:
            if await self._sessions.failures(each) >= self._most_failures:
                await self._audit.write(name, address, "login", "", "", "too_many_logins")
                raise ResourceExhausted("TOO_MANY_LOGINS", "too many failed logins in this minute")
        async with self._hashing:
            account = await asyncio.to_thread(self._accounts.verify, name, password)
        if account is None:
            for each in counted:
                await self._sessions.failed(each)
            await self._audit.write(name, address, "login", "", "", "wrong_login")
            raise Unauthenticated("WRONG_LOGIN", "name or password is wrong")
        await self._audit.write(name, address, "login", "", "", "done")
        token, session = await self._sessions.create(account.name)
        return token, Operator(account, session, address)

    async def log_out(self, request: Request, operator: Operator) -> None:
        """Ends the session."""
        await self._sessions.end(_token(request)[0])
        metrics.SESSIONS.labels("ended").inc()
        await self._audit.write(operator.account.name, operator.address, "logout", "", "", "done")

    async def anyone(self, request: Request) -> Operator:
        """Who asks: any account may look, and log out."""
        accounts = self.accounts()
        token, from_cookie = _token(request)
        session = await self._sessions.find(token) if token else None
        # An account that was taken away has no session any more, and one whose role changed has the new one.
        account = accounts.get(session.name) if session else None
        if session is None or account is None:
            raise Unauthenticated("NOT_LOGGED_IN", "log in first")
        if from_cookie and request.method not in _SAFE:
            if not same_origin(request):
                raise PermissionDenied("BAD_ORIGIN", "the request comes from another site")
            sent = request.headers.get("x-csrf-token", "")
            if not compare_digest(sent.encode(), session.csrf.encode()):
                raise PermissionDenied("BAD_CSRF", "the page's own token is missing")
        return Operator(account, session, address_of(request))

    @asynccontextmanager
    async def acting(self, request: Request, what: metrics.Kind, on: str, detail: str = "") -> AsyncIterator[Operator]:
        """Around an action: it is recorded that it begins and how it ends, refusals too.

        Nothing is done unless that it begins is on record.
        """
        operator = await self.anyone(request)
        who, address = operator.account.name, operator.address
        if operator.account.role is not Role.OPERATOR:
            metrics.ACTIONS.labels(what, "viewers_only_look").inc()
            await self._audit.write(who, address, what, on, detail, "viewers_only_look")
            raise PermissionDenied("VIEWERS_ONLY_LOOK", "this account may only look")
        await self._audit.write(who, address, what, on, detail, "begun")
        try:
            yield operator
        except Exception as error:
            metrics.ACTIONS.labels(what, metrics.action_result(error)).inc()
            if isinstance(error, Fault):
                await self._audit.write(who, address, what, on, detail, error.reason.lower())
            raise
        metrics.ACTIONS.labels(what, "done").inc()
        await self._audit.write(who, address, what, on, detail, "done")


def cookie_name(request: Request) -> str:
    """With https one that no other host and no http page can set."""
    return "__Host-ops" if is_secure(request) else "ops"


def set_cookie(response: Response, request: Request, token: str) -> None:
    """Has the browser keep the token; an empty one ends that."""
    name, secure = cookie_name(request), is_secure(request)
    if token:
        response.set_cookie(name, token, httponly=True, samesite="strict", secure=secure, path="/")
    else:
        response.delete_cookie(name, httponly=True, samesite="strict", secure=secure, path="/")


def _token(request: Request) -> tuple[str, bool]:
    """The token, and whether a cookie brought it."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip(), False
    return request.cookies.get(cookie_name(request), ""), True
