"""The nodes of a Redis Cluster: one plain connection to each, and which one has which slot. Knows no key."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from redis.crc import key_slot

from services.engine.redis_server_at import at
from services.engine.redis_wire import Call, PlainRedis, ScriptCalls, command
from services.runtime.errors import Unavailable
from services.runtime.redis_place import Address, Cluster

REDIRECTIONS: Final = 3
"""How often a call that has not run is sent on."""
REST_SECONDS: Final = 1.0
"""How long a node that did not answer is left alone, so that the tables of others don't wait for it again and again."""

T = TypeVar("T")


class ClusterNodes:
    """The nodes as last looked up; looked up anew before the next use after :meth:`doubt`."""

    def __init__(self, where: Cluster) -> None:
        self._where = where
        self._nodes: dict[Address, PlainRedis] = {}
        self._owners: dict[int, Address] = {}
        self._resting: dict[Address, float] = {}
        self._doubted = True
        self._looking = asyncio.Lock()

    async def by_owner(self, items: Iterable[T], slot: Callable[[T], int]) -> dict[Address | None, list[T]]:
        """The items by the node that owns the slot of each; under ``None`` those that can't be asked for now.

        Raises ``Unavailable`` if no node says who owns what.
        """
        if self._doubted:
            await self._look()
        groups: dict[Address | None, list[T]] = {}
        now = time.monotonic()
        for item in items:
            owner = self._owners.get(slot(item))
            if owner is not None and self._resting.get(owner, 0.0) > now:
                owner = None
            groups.setdefault(owner, []).append(item)
        if None in groups:
            self.doubt()
        return groups

    def node(self, address: Address) -> PlainRedis:
        """The connection to that node."""
        if address not in self._nodes:
            self._nodes[address] = PlainRedis(at(*address, self._where))
        return self._nodes[address]

    def moved(self, slot: int, address: Address) -> None:
        """A node says that the slot is at that address now; it may not be the only one that moved."""
        self._owners[slot] = address
        self.doubt()

    def failed(self, address: Address) -> None:
        """The node did not answer."""
        self._resting[address] = time.monotonic() + REST_SECONDS
        self.doubt()

    def doubt(self) -> None:
        """Who owns what may have changed."""
        self._doubted = True

    def close(self) -> None:
        """Cuts all connections."""
        for node in self._nodes.values():
            node.close()

    async def _look(self) -> None:
        async with self._looking:
            if not self._doubted:
                return
            now = time.monotonic()
            # Those known to live first, then the configured ones, in case all others were replaced.
            known = sorted({*self._nodes, *self._where.addresses}, key=lambda one: self._resting.get(one, 0.0))
            for address in known:
                try:
                    (answer,) = await self.node(address).send([command("CLUSTER", "SLOTS")])
                except Unavailable:
                    self._resting[address] = now + REST_SECONDS
                    continue
                if not isinstance(answer, Exception):
                    self._take(answer, address[0])
                    return
            raise Unavailable("REDIS_UNAVAILABLE", "no node of the cluster can be reached")

    def _take(self, ranges: Sequence[Any], asked: str) -> None:
        owners: dict[int, Address] = {}
        for first, last, (host, port, *_), *_ in ranges:
            # A node that knows no name of its own is where it was asked.
            owners |= dict.fromkeys(range(first, last + 1), ((host or b"").decode() or asked, port))
        self._owners, self._doubted = owners, False
        for gone in self._nodes.keys() - {*owners.values(), *self._where.addresses}:
            self._nodes.pop(gone).close()


class ClusterCalls:
    """``redis_wire.ScriptCalls`` over all nodes: all keys of one call are of one slot."""

    def __init__(self, nodes: ClusterNodes, source: str, replicas: int = 0) -> None:
        self._nodes = nodes
        self._source = source
        self._replicas = replicas

    async def run(self, calls: Sequence[Call]) -> list[Any]:
        """Each call's reply, or the error that its node answered, or ``Unavailable`` if that is not known."""
        replies: list[Any] = [Unavailable("REDIS_UNAVAILABLE", "the log cannot be reached")] * len(calls)
        left: Sequence[int] = range(len(calls))
        for _ in range(REDIRECTIONS):
            groups = await self._nodes.by_owner(left, lambda i: key_slot(calls[i][0][0].encode()))
            groups.pop(None, None)
            sent_on = [self._at(address, calls, some, replies) for address, some in groups.items() if address]
            left = [i for some in await asyncio.gather(*sent_on) for i in some]
            if not left:
                break
        return replies

    async def _at(self, address: Address, calls: Sequence[Call], some: Sequence[int], replies: list[Any]) -> list[int]:
        """Has the node run some of the calls; those that it says have moved."""
        script = ScriptCalls(self._nodes.node(address), self._source, self._replicas)
        moved = []
        try:
            for i, reply in zip(some, await script.run([calls[i] for i in some]), strict=True):
                replies[i] = reply
                if not isinstance(reply, Exception):
                    continue
                word, *rest = str(reply).split(" ")
                if word == "MOVED":
                    self._nodes.moved(int(rest[0]), _address(rest[1], address))
                    moved.append(i)
                elif word == "ASK":
                    replies[i] = await self._asked(_address(rest[1], address), calls[i])
                else:
                    self._nodes.doubt()
        except Unavailable:
            self._nodes.failed(address)
        return moved

    async def _asked(self, address: Address, call: Call) -> Any:
        try:
            return await ScriptCalls(self._nodes.node(address), self._source, self._replicas).ask(call)
        except Unavailable as unavailable:
            return unavailable


def _address(text: str, asked: Address) -> Address:
    host, _, port = text.rpartition(":")
    return host or asked[0], int(port)
