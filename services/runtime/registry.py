"""A gRPC server that remembers what was registered with it: reflection and metrics need the names, gRPC hides them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import grpc


class RegisteringServer(grpc.aio.Server):
    """Passes everything on to ``inner`` and keeps the names of services and methods in ``methods``."""

    def __init__(self, inner: grpc.aio.Server) -> None:
        self._inner = inner
        self.methods: dict[str, tuple[str, ...]] = {}

    def add_generic_rpc_handlers(self, generic_rpc_handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        self._inner.add_generic_rpc_handlers(generic_rpc_handlers)

    def add_registered_method_handlers(
        self, service_name: str, method_handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    ) -> None:
        self.methods[service_name] = tuple(method_handlers)
        self._inner.add_registered_method_handlers(service_name, method_handlers)

    def add_insecure_port(self, address: str) -> int:
        return self._inner.add_insecure_port(address)

    def add_secure_port(self, address: str, server_credentials: grpc.ServerCredentials) -> int:
        return self._inner.add_secure_port(address, server_credentials)

    async def start(self) -> None:
        await self._inner.start()

    async def stop(self, grace: float | None) -> None:
        await self._inner.stop(grace)

    async def wait_for_termination(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109
        return await self._inner.wait_for_termination(timeout)
