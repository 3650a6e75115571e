"""Channels to other services: one per address and process, with keep-alive and a deadline on every unary call.

What fails on them is a ``Fault``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import grpc

from services.runtime.call_context import outgoing
from services.runtime.errors import Unavailable, fault_from
from services.runtime.tls import Tls

DEADLINE_SECONDS: Final = 5.0
"""The deadline of a unary call that names none."""

_T = TypeVar("_T")

_OPTIONS: Final = (
    # A peer that went silent is noticed within 4 s, streams or none.
    ("grpc.keepalive_time_ms", 2_000),
    ("grpc.keepalive_timeout_ms", 2_000),
    # gRPC waits for the answer to any ping by this one, 60 s unless told; the keep-alive time-out alone does nothing.
    ("grpc.http2.ping_timeout_ms", 2_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 50),
    # In spite of its name: how long an attempt to connect may take. A busy peer needs its time; one that is not there
    # refuses at once.
    ("grpc.min_reconnect_backoff_ms", 1_000),
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


async def answer_of(call: Awaitable[_T]) -> _T:
    """The answer to a unary call. Raises the ``Fault`` that it ended with."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        raise fault_from(error) from error


async def connected(to: grpc.aio.Channel, seconds: float, detail: str) -> None:
    """Connects, if it is not. Raises ``Unavailable`` with this detail if that takes longer."""
    state = to.get_state(try_to_connect=True)
    try:
        async with asyncio.timeout(seconds):
            while state is not grpc.ChannelConnectivity.READY:
                await to.wait_for_state_change(state)
                state = to.get_state(try_to_connect=True)
    except TimeoutError:
        raise Unavailable("UNAVAILABLE", detail) from None


class TwoWay:
    """An open stream in both directions; ``other`` is who is at its other end, for messages.

    Over for whatever reason, it fails with a ``Fault`` for whoever still reads or writes. gRPC itself has three ways to
    say so, and one of them looks like the cancelling of the task that asks.
    """

    def __init__(self, call: Any, other: str) -> None:
        self._call = call
        self._other = other

    async def write(self, message: Any) -> None:
        """Sends a message. Raises a ``Fault``."""
        with self._faults():
            await self._call.write(message)

    async def read(self) -> Any:
        """The next message. Raises a ``Fault``, also if the other side has ended the stream."""
        with self._faults():
            message = await self._call.read()
        if message is grpc.aio.EOF:
            raise Unavailable("UNAVAILABLE", f"{self._other} has ended the stream")
        return message

    def cancel(self) -> None:
        """Ends it at once."""
        self._call.cancel()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except grpc.aio.AioRpcError as error:
            raise fault_from(error) from error
        except asyncio.InvalidStateError as error:
            raise Unavailable("UNAVAILABLE", "the stream is over") from error
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            raise Unavailable("UNAVAILABLE", "the stream was ended here") from error


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
