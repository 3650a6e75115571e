"""Asking a process whether it is ready to work. A probe answers True or False and never raises or hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import httpx2
from grpc_health.v1 import health_pb2

from services.cli.ports import LOOPBACK
from services.runtime.channels import channel
from services.runtime.tls import from_environment

Probe = Callable[[], Awaitable[bool]]

_PATIENCE_S = 1.0


def redis_answers(port: int) -> Probe:
    """Whether the Redis there answers PING; not yet while it loads its files."""

    async def probe() -> bool:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                reader, writer = await asyncio.open_connection(LOOPBACK, port)
                try:
                    writer.write(b"PING\r\n")
                    return await reader.readline() == b"+PONG\r\n"
                finally:
                    writer.close()
                    await writer.wait_closed()
        except (OSError, TimeoutError):
            return False

    return probe


def grpc_serves(port: int) -> Probe:
    """Whether the gRPC server there says SERVING."""

    async def probe() -> bool:
        async with channel(f"{LOOPBACK}:{port}", tls=from_environment()) as opened:
            check: Any = opened.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            try:
                answer = await check(health_pb2.HealthCheckRequest(), timeout=_PATIENCE_S)
            except grpc.aio.AioRpcError:
                return False
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    return probe


def http_answers(url: str) -> Probe:
    """Whether the page there answers with 200."""

    async def probe() -> bool:
        # Nothing is encrypted here, and this is asked many times over while a platform starts: a client that could
        # verify takes 30 ms of processor time to make.
        async with httpx2.AsyncClient(timeout=_PATIENCE_S, trust_env=False, verify=False) as http:
            try:
                return (await http.get(url)).status_code == httpx2.codes.OK
            except httpx2.HTTPError:
                return False

    return probe
