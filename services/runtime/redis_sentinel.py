"""The primary that sentinels know, for every connection anew: so a failover is followed by whoever connects again."""

from __future__ import annotations

from typing import Any, Final

from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

from services.runtime.redis_place import Address, Login, Sentinels

SENTINEL_SECONDS: Final = 0.3
"""How long one sentinel may take to connect and to answer; then the next one is asked."""


class PrimaryPool(SentinelConnectionPool, BlockingConnectionPool):
    """Connections to the primary: asked of the sentinels whenever one is opened, waited for when all are taken.

    Once the sentinels name another primary, idle connections to the old one are closed, and busy ones are not given out
    again. A connection that is answered ``READONLY`` is closed: its server is no primary any more.
    """

    def __init__(self, name: str, sentinels: Sentinel, **options: Any) -> None:
        super().__init__(name, sentinels, **options)  # type: ignore[no-untyped-call]

    async def aclose(self) -> None:
        """Closes the connections to the sentinels too."""
        await super().aclose()
        await self.sentinel_manager.aclose()


def sentinels(where: Sentinels) -> Sentinel:
    """Clients of the sentinels. They are asked in turn; who answered last is asked first."""
    options = {
        "socket_timeout": SENTINEL_SECONDS,
        "socket_connect_timeout": SENTINEL_SECONDS,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "driver_info": None,
        **credentials(where.sentinel_login),
        **({"ssl": True, **where.files.options()} if where.secure else {}),
    }
    return Sentinel(list(where.addresses), sentinel_kwargs=options)  # type: ignore[no-untyped-call]


async def primary(asked: Sentinel, name: str) -> Address:
    """Where the primary is now. Raises redis-py's ``ConnectionError`` while no sentinel knows a living one."""
    host, port = await asked.discover_master(name)
    return str(host), int(port)


def credentials(login: Login) -> dict[str, Any]:
    """The login as redis-py's options."""
    told = {"username": login.username, "password": login.password}
    return {name: value for name, value in told.items() if value is not None}
