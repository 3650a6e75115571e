"""Faults: what went wrong in asking, as exceptions with a stable reason and a canonical gRPC code.

::

    Fault
    |-- InvalidArgument      INVALID_ARGUMENT      the request can never be right
    |-- Unauthenticated      UNAUTHENTICATED       nobody is signed in
    |-- PermissionDenied     PERMISSION_DENIED     this one may not
    |-- NotFound             NOT_FOUND             no such thing
    |-- FailedPrecondition   FAILED_PRECONDITION   not in this state
    |-- ResourceExhausted    RESOURCE_EXHAUSTED    a limit or a full queue
    |-- Unavailable          UNAVAILABLE           try again, perhaps elsewhere
    |-- DeadlineExceeded     DEADLINE_EXCEEDED     too late; it may have happened
    `-- Internal             INTERNAL              our mistake; nothing of it is told

A lost race and an illegal move are values, never faults. On the wire a fault is a ``google.rpc.Status`` with an
``ErrorInfo`` of reason and domain (AIP-193): :func:`to_status` writes it, :func:`fault_from` reads it back. This
module must not know who raises what. The interceptor that answers with faults is in ``interceptors.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import ClassVar, Final

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import DecodeError
from google.rpc import code_pb2, error_details_pb2, status_pb2

DETAILS_KEY: Final = "grpc-status-details-bin"
"""The trailing metadata in which gRPC carries a serialized ``google.rpc.Status``."""

RETRY_AFTER: Final = "retry_after"
"""In a fault's metadata: after how many seconds the same request may succeed, where that is known."""


class Fault(Exception):
    """Root of all faults. ``reason`` is stable and for programs, ``detail`` is for people, ``metadata`` for both."""

    code: ClassVar[grpc.StatusCode] = grpc.StatusCode.UNKNOWN

    def __init__(self, reason: str, detail: str = "", metadata: Mapping[str, str] | None = None) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        self.metadata: Mapping[str, str] = MappingProxyType(dict(metadata or {}))

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


class InvalidArgument(Fault):
    """The request can never be right, in whatever state."""

    code = grpc.StatusCode.INVALID_ARGUMENT


class Unauthenticated(Fault):
    """Nobody is signed in, or the session is over."""

    code = grpc.StatusCode.UNAUTHENTICATED


class PermissionDenied(Fault):
    """Whoever asks may not do this."""

    code = grpc.StatusCode.PERMISSION_DENIED


class NotFound(Fault):
    """There is no such thing."""

    code = grpc.StatusCode.NOT_FOUND


class FailedPrecondition(Fault):
    """The thing asked about is not in a state that allows it; asking again changes nothing by itself."""

    code = grpc.StatusCode.FAILED_PRECONDITION


class ResourceExhausted(Fault):
    """A limit is reached or a bounded queue is full."""

    code = grpc.StatusCode.RESOURCE_EXHAUSTED


class Unavailable(Fault):
    """Something needed does not answer now; the same request may be sent again, perhaps elsewhere."""

    code = grpc.StatusCode.UNAVAILABLE


class DeadlineExceeded(Fault):
    """The time given ran out; whether it happened is not known."""

    code = grpc.StatusCode.DEADLINE_EXCEEDED


class Internal(Fault):
    """A mistake of ours. What it was stands in the log, never in the answer."""

    code = grpc.StatusCode.INTERNAL


BY_CODE: Final[Mapping[grpc.StatusCode, type[Fault]]] = MappingProxyType(
    {fault.code: fault for fault in Fault.__subclasses__()}
)
"""The fault of each gRPC code that has one."""

HTTP_STATUS: Final[Mapping[grpc.StatusCode, int]] = MappingProxyType(
    {
        grpc.StatusCode.INVALID_ARGUMENT: 422,
        grpc.StatusCode.UNAUTHENTICATED: 401,
        grpc.StatusCode.PERMISSION_DENIED: 403,
        grpc.StatusCode.NOT_FOUND: 404,
        grpc.StatusCode.FAILED_PRECONDITION: 409,
        grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
        grpc.StatusCode.UNAVAILABLE: 503,
        grpc.StatusCode.DEADLINE_EXCEEDED: 504,
        grpc.StatusCode.INTERNAL: 500,
    }
)
"""What a fault of each gRPC code is in HTTP, unless its reason says something nearer."""


def to_status(fault: Fault, domain: str) -> status_pb2.Status:
    """The fault as a rich status whose ``ErrorInfo`` names ``reason`` and ``domain``; of an internal one only these."""
    if isinstance(fault, Internal):
        fault = Internal(fault.reason)
    info = error_details_pb2.ErrorInfo(reason=fault.reason, domain=domain, metadata=fault.metadata)
    packed = any_pb2.Any()
    packed.Pack(info)
    number = code_pb2.Code.Value(fault.code.name)
    return status_pb2.Status(code=number, message=fault.detail or fault.reason, details=[packed])


def fault_from(error: grpc.RpcError) -> Fault:
    """The fault that a call to another service ended with.

    Without an ``ErrorInfo`` (a broken connection, a proxy, a deadline of ours) the reason is the code's name, and the
    text is left out, for it names addresses: raise the fault *from* the error and the log has both. A code that has
    no fault of its own (``UNKNOWN``, ``DATA_LOSS``, ``UNIMPLEMENTED``, …) becomes :class:`Internal`;
    ``CANCELLED`` becomes :class:`Unavailable`, because a server that stops ends accepted calls with it.
    """
    code = error.code() if isinstance(error, grpc.aio.AioRpcError | grpc.Call) else grpc.StatusCode.UNKNOWN
    kind = Unavailable if code is grpc.StatusCode.CANCELLED else BY_CODE.get(code, Internal)
    trailing = error.trailing_metadata() if isinstance(error, grpc.aio.AioRpcError | grpc.Call) else None
    for key, value in trailing or ():
        if key != DETAILS_KEY:
            continue
        # Somebody between us and the server may have put anything here; unreadable details are no details.
        with suppress(DecodeError):
            status = status_pb2.Status.FromString(value if isinstance(value, bytes) else value.encode("latin-1"))
            for packed in status.details:
                info = error_details_pb2.ErrorInfo()
                if packed.Unpack(info):
                    detail = status.message if status.message != info.reason else ""
                    return kind(info.reason, detail, dict(info.metadata))
    return kind(code.name)
