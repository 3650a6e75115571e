"""A client of a Redis Cluster that never sends twice what may have run, as those of one Redis don't."""

from __future__ import annotations

import asyncio
from typing import Any, Final, Self

from redis import exceptions
from redis.asyncio.cluster import ClusterNode, ClusterPipeline, RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from services.runtime.redis_metrics import MEASURED
from services.runtime.redis_place import Cluster
from services.runtime.redis_sentinel import credentials

_LOST: Final = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ClusterError,
    exceptions.RedisClusterException,
    asyncio.CancelledError,
)
"""What says that the nodes may not be what they were. Who gives up waiting for an answer is cancelled."""


class ClusterClient(RedisCluster):
    """Commands go to the node that owns their key; pipelines in one write per node, and are no transactions.

    What a node answers with MOVED or ASK has not run, and follows. Whatever may have run is left to the caller, but the
    nodes are looked for again before the next command.
    """

    def __init__(self, where: Cluster, **options: Any) -> None:
        super().__init__(
            startup_nodes=[ClusterNode(host, port) for host, port in where.addresses],
            retry=Retry(NoBackoff(), 0),
            require_full_coverage=False,
            # Otherwise every fifth MOVED would cut the connections on which others wait for their answers.
            reinitialize_steps=0,
            ssl=where.secure,
            **where.files.options(),
            **credentials(where.login),
            **options,
        )
        self.connection_kwargs["connection_class"] = MEASURED[self.connection_kwargs["connection_class"]]

    async def __aenter__(self) -> Self:
        """Connects nothing: a cluster that is not there yet is met by the first command."""
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self.aclose()

    def pipeline(self, transaction: Any = None, shard_hint: Any = None) -> ClusterPipeline:
        """A pipeline. What belongs together atomically is a script here: transactions are refused."""
        if transaction:
            raise ValueError("no transactions in a cluster; use a script")
        return _Pipeline(self)  # type: ignore[abstract]  # redis-py's own pipeline lacks an attribute it never uses

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """One command."""
        try:
            return await super().execute_command(*args, **options)
        except asyncio.CancelledError:
            self.look_again()
            raise

    def look_again(self) -> None:
        """Has the nodes looked for anew before the next command, without cutting anybody's connection."""
        self._initialize = True

    async def own_connection(self) -> AbstractConnection:
        """A new connection to some node, not connected yet: every node passes on what is published at any."""
        await self.initialize()
        node = self.get_random_node()
        options = {**node.connection_kwargs, "retry": Retry(NoBackoff(), 0)}
        connection: AbstractConnection = node.connection_class(**options)
        return connection


class _Pipeline(ClusterPipeline):
    """redis-py's looks for new nodes after an error only if it may send everything again; this one always does."""

    def __init__(self, client: ClusterClient) -> None:
        super().__init__(client)
        self._owner = client

    async def execute(self, raise_on_error: bool = True, allow_redirections: bool = True) -> list[Any]:
        try:
            answers: list[Any] = await super().execute(raise_on_error, allow_redirections)
        except _LOST:
            self._owner.look_again()
            raise
        if any(isinstance(answer, _LOST) for answer in answers):
            self._owner.look_again()
        return answers
