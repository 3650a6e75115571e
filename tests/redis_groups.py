"""Several Redis that belong together, for tests: a primary with a replica and three sentinels, or a small cluster."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

from redis.asyncio import Redis
from redis.crc import key_slot
from redis.exceptions import RedisError

from services.cli.ports import QUIET, free_ports
from services.runtime.orphans import dies_with_parent
from services.runtime.redis_server import RedisServer, find_redis_server

NAME: Final = "pandemonium"
"""What the sentinels call the primary."""
DOWN_MS: Final = 2000
"""After how much silence a server counts as dead: short for a test, long for a machine with much to do."""
PATIENCE_S: Final = 60.0
SLOTS: Final = 16384
_BUS: Final = 10_000
"""A cluster's nodes talk to each other on the port that is so much higher."""


class SentinelGroup:
    """A primary and its replica, watched by sentinels."""

    def __init__(self, servers: list[RedisServer], ports: list[int]) -> None:
        self.servers = servers
        self.ports = ports

    @property
    def url(self) -> str:
        """For ``REDIS_URL``."""
        return f"redis+sentinel://{','.join(f'127.0.0.1:{port}' for port in self.ports)}/{NAME}/0"

    async def primary(self) -> RedisServer:
        """The server that the sentinels call the primary."""
        async with Redis(port=self.ports[0]) as sentinel:
            _, port = await ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)
        return next(server for server in self.servers if server.port == int(port))

    async def replica_of(self, primary: RedisServer) -> RedisServer:
        """The server that copies it."""
        return next(server for server in self.servers if server is not primary)

    async def fail_over(self) -> None:
        """Kills the primary, and returns when the sentinels have another one."""
        failed = await self.primary()
        await failed.kill()

        async def another() -> bool:
            return await self.primary() is not failed

        await until(another)


class ClusterGroup:
    """Primaries with a replica each. Each is started with its number; the replica of node 0 is node ``primaries``."""

    def __init__(self, servers: list[RedisServer]) -> None:
        self.servers = servers

    @property
    def url(self) -> str:
        """For ``REDIS_URL``: two of the nodes, from which the others are found."""
        return f"redis+cluster://127.0.0.1:{self.servers[0].port},127.0.0.1:{self.servers[-1].port}"

    async def owners(self) -> dict[int, RedisServer]:
        """The server of each slot, as a living node sees it."""
        by_port = {server.port: server for server in self.servers}
        alive = next(server for server in self.servers if server.running)
        async with Redis(port=alive.port) as client:
            ranges: Any = await ask(client, "CLUSTER", "SLOTS")
        found = ranges.items() if isinstance(ranges, dict) else [((r[0], r[1]), {"primary": r[2]}) for r in ranges]
        return {
            slot: by_port[int(told["primary"][1])] for (first, last), told in found for slot in range(first, last + 1)
        }

    async def owner(self, key: str) -> RedisServer:
        """The server that has the key."""
        return (await self.owners())[key_slot(key.encode())]

    async def replica_of(self, primary: RedisServer) -> RedisServer:
        """The server that copies it."""
        number = self.servers.index(primary)
        return self.servers[number + len(self.servers) // 2]

    async def fail_over(self, key: str) -> None:
        """Kills the primary that has the key, and returns when another one has it and the cluster is whole again."""
        failed = await self.owner(key)
        await failed.kill()

        async def another() -> bool:
            return failed not in (await self.owners()).values() and await self.whole()

        await until(another)

    async def whole(self) -> bool:
        """Whether every living node says that all slots are served."""
        for server in self.servers:
            if not server.running:
                continue
            async with Redis(port=server.port) as client:
                if b"cluster_state:ok" not in _raw(await ask(client, "CLUSTER", "INFO")):
                    return False
        return True


@asynccontextmanager
async def cut_off(primary: RedisServer, replica: RedisServer) -> AsyncIterator[None]:
    """Inside, the replica gets nothing more; what was written before has reached it. It goes on afterwards."""
    assert replica.pid is not None
    async with Redis(port=primary.port) as client:
        await until(lambda: ask(client, "WAIT", 1, 1000))
        os.kill(replica.pid, signal.SIGSTOP)
        try:
            # It stands still and can't connect again.
            await ask(client, "CLIENT", "KILL", "TYPE", "replica")
            yield
        finally:
            os.kill(replica.pid, signal.SIGCONT)


async def ask(client: Redis, *words: object) -> Any:
    """A command that redis-py has no method for, and its answer."""
    return await client.execute_command(*words)  # type: ignore[no-untyped-call]


async def until(condition: Callable[[], Awaitable[Any]], within_s: float = PATIENCE_S) -> None:
    """Waits until ``condition`` holds; what can't be reached yet does not hold. Raises TimeoutError."""
    async with asyncio.timeout(within_s):
        while True:
            try:
                if await condition():
                    return
            except (RedisError, OSError):
                pass
            await asyncio.sleep(0.05)


@asynccontextmanager
async def sentinel_group(folder: Path) -> AsyncIterator[SentinelGroup]:
    """A primary, a replica in step with it, and three sentinels that know all of it."""
    async with AsyncExitStack() as stack:
        primary = await stack.enter_async_context(RedisServer(folder / "0", appendfsync="everysec"))
        follows = {"replicaof": f"127.0.0.1 {primary.port}"}
        replica = await stack.enter_async_context(RedisServer(folder / "1", appendfsync="everysec", options=follows))
        await until(lambda: in_step(replica.port))
        ports = [stack.enter_context(_Sentinel(folder / f"sentinel-{i}", primary.port)).port for i in range(3)]
        for port in ports:
            await until(lambda port=port: _knows_all(port))  # type: ignore[misc]
        yield SentinelGroup([primary, replica], ports)


@asynccontextmanager
async def cluster_group(folder: Path, primaries: int = 3, replicas: bool = True) -> AsyncIterator[ClusterGroup]:
    """A cluster that is whole, each primary with a replica in step with it."""
    async with AsyncExitStack() as stack:
        settings = {"cluster-enabled": "yes", "cluster-node-timeout": str(DOWN_MS)}
        servers = [
            await stack.enter_async_context(RedisServer(folder / str(i), _port(), "everysec", settings))
            for i in range(primaries * (2 if replicas else 1))
        ]
        clients = [await stack.enter_async_context(Redis(port=server.port)) for server in servers]
        for number, client in enumerate(clients):
            await ask(client, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            if number < primaries:
                first, end = SLOTS * number // primaries, SLOTS * (number + 1) // primaries
                await ask(client, "CLUSTER", "ADDSLOTS", *range(first, end))
            else:
                await ask(client, "CLUSTER", "MEET", "127.0.0.1", servers[0].port)
        for server in servers[1:primaries]:
            await ask(clients[0], "CLUSTER", "MEET", "127.0.0.1", server.port)
        for client in clients:
            await until(lambda client=client: _acquainted(client, len(servers)))  # type: ignore[misc]
        for number, client in enumerate(clients[primaries:]):
            identity = await ask(clients[number], "CLUSTER", "MYID")
            await ask(client, "CLUSTER", "REPLICATE", identity)
        for server in servers[primaries:]:
            await until(lambda server=server: in_step(server.port))  # type: ignore[misc]
        group = ClusterGroup(servers)
        await until(group.whole)
        yield group


async def in_step(port: int) -> bool:
    """Whether the server there is a replica that has all that its primary has."""
    async with Redis(port=port) as client:
        told = await client.info("replication")
    return bool(told["role"] == "slave" and told["master_link_status"] == "up")


async def _acquainted(client: Redis, nodes: int) -> bool:
    text = _raw(await ask(client, "CLUSTER", "INFO"))
    return f"cluster_known_nodes:{nodes}".encode() in text


async def _knows_all(port: int) -> bool:
    async with Redis(port=port) as client:
        told = (await client.info("sentinel"))["master0"]
    return bool(told["status"] == "ok" and int(told["slaves"]) == 1 and int(told["sentinels"]) == 3)


def _raw(answer: Any) -> bytes:
    """The text of CLUSTER INFO, which the client may have taken apart."""
    if isinstance(answer, dict):
        return "\n".join(f"{name}:{value}" for name, value in answer.items()).encode()
    return answer if isinstance(answer, bytes) else str(answer).encode()


class _Sentinel:
    """The same program as a sentinel, which keeps what it knows in its configuration file."""

    def __init__(self, folder: Path, primary_port: int) -> None:
        self.port = _port()
        self._folder = folder
        folder.mkdir(parents=True)
        (folder / "sentinel.conf").write_text(
            f"port {self.port}\nbind 127.0.0.1\ndir {folder}\n"
            f"sentinel monitor {NAME} 127.0.0.1 {primary_port} 2\n"
            f"sentinel down-after-milliseconds {NAME} {DOWN_MS}\n"
            f"sentinel failover-timeout {NAME} 10000\n"
        )

    def __enter__(self) -> _Sentinel:
        with (self._folder / "sentinel.log").open("wb") as log:
            command = [*dies_with_parent(), str(find_redis_server()), str(self._folder / "sentinel.conf"), "--sentinel"]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 10
        while self._process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        self._process.kill()
        self._process.wait()


def _port() -> int:
    """A free port, low enough for a node's second one, which is free too."""
    while True:
        port = next(free_ports(1, range(QUIET.start, QUIET.stop - _BUS)))
        with socket.socket() as bus:
            try:
                bus.bind(("127.0.0.1", port + _BUS))
            except OSError:
                continue
            return port
