"""Channels to other services: one per address and process, with keep-alive and a deadline on every unary call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import grpc

from services.runtime.call_context import outgoing
from services.runtime.tls import Tls

DEADLINE_SECONDS: Final = 5.0
"""The deadline of a unary call that names none."""

_OPTIONS: Final = (
    # A peer that went silent is noticed within 4 s, streams or none.
    ("grpc.keepalive_time_ms", 2_000),
    ("grpc.keepalive_timeout_ms", 2_000),
    # gRPC waits for the answer to any ping by this one, 60 s unless told; the keep-alive time-out alone does nothing.
    ("grpc.http2.ping_timeout_ms", 2_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 500),
    # Who sends again is decided by the caller, who knows whether that may count twice.
    ("grpc.enable_retries", 0),
    ("grpc.use_local_subchannel_pool", 1),
)


def channel(address: str, deadline_seconds: float = DEADLINE_SECONDS, tls: Tls | None = None) -> grpc.aio.Channel:
    """A channel to ``host:port``, encrypted if there is ``tls``; it connects when first used; close it when done.

    Streams get no deadline.
    """
    interceptors = [_Prepared(deadline_seconds)]
    if tls is None:
        return grpc.aio.insecure_channel(address, options=_OPTIONS, interceptors=interceptors)
    return grpc.aio.secure_channel(address, tls.of_client(), options=_OPTIONS, interceptors=interceptors)


class _Prepared(grpc.aio.UnaryUnaryClientInterceptor):
    """Gives a unary call without a deadline the default one, and the context of the work that it is for."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def intercept_unary_unary(
        self,
        continuation: Callable[[grpc.aio.ClientCallDetails, Any], Any],
        client_call_details: grpc.aio.ClientCallDetails,
        request: Any,
    ) -> Any:
        given = client_call_details
        prepared = grpc.aio.ClientCallDetails(
            method=given.method,
            timeout=self._seconds if given.timeout is None else given.timeout,
            metadata=grpc.aio.Metadata(*(given.metadata or ()), *outgoing()),
            credentials=given.credentials,
            wait_for_ready=given.wait_for_ready,
        )
        return await continuation(prepared, request)
