"""Whatever a service is called with: a fault that says what is wrong, never a mistake of ours or its death."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, closing
from typing import Any, Final

import grpc
import pytest
import pytest_asyncio
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pandemonium.engine.v1 import engine_pb2
from pandemonium.lobby.v1 import lobby_pb2, operator_pb2
from pandemonium.scoring.v1 import scoring_pb2

from services.runtime.redis_server import RedisServer
from tests.integration.gateway.place import Place, place_on

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    # The services, in the same process, draw numbers of their own meanwhile.
    pytest.mark.filterwarnings("ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"),
]

EXAMPLES: Final = 20
"""Calls of each method and kind."""
DEADLINE_S: Final = 20.0
UNREADABLE: Final = "Exception deserializing request!"
"""gRPC's own answer to bytes that are no message, with the code INTERNAL."""
LENGTHENED: Final = {"wait_ms"}
"""Fields that say how long a call may take."""

PARTS: Final = {"engines": [engine_pb2], "lobby": [lobby_pb2, operator_pb2], "scoring": [scoring_pb2]}
METHODS: Final = {
    method.full_name: (part, method)
    for part, files in PARTS.items()
    for file in files
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}

_words: Final = st.sampled_from(
    ["", "t1", "m1", "p1", "x" * 64, "x" * 65, "a b", "{}", "[]", "\x00", "é", "12345678901234567890"]
)
_numbers: Final = st.sampled_from([0, 1, 2, 7, 8, 9, 2**31 - 1])


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def alone(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    """A platform that nobody else minds: operators' calls are among those that are drawn."""
    folder = tmp_path_factory.mktemp("alone")
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(folder / "redis", appendfsync="no"))
        yield await place_on(stack, server.url, folder)


def value_of(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """What a field may hold, as a program that means no good would choose it."""
    if field.message_type is not None:
        return message_of(field.message_type)
    if field.name in LENGTHENED:
        return st.just(1)
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        return _words | st.text(max_size=20).filter(lambda text: text.isprintable())
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        return st.integers(-1, 12)
    if kind in (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64):
        return _numbers | st.sampled_from([-1, -(2**31)])
    if kind in (FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64):
        return _numbers
    return st.floats(width=32)


def message_of(descriptor: Descriptor) -> st.SearchStrategy[Message]:
    """Messages of a type, with any of their fields set to anything."""
    fields = {
        field.name: st.binary(max_size=40)
        if field.type == FieldDescriptor.TYPE_BYTES and not field.is_repeated
        else _repeated(field)
        if field.is_repeated
        else value_of(field)
        for field in descriptor.fields
    }
    return st.fixed_dictionaries({}, optional=fields).map(lambda given_: GetMessageClass(descriptor)(**given_))


def _repeated(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return st.just({})
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.lists(st.binary(max_size=20), max_size=3)
    return st.lists(value_of(field), max_size=3)


def _answers(channel: grpc.Channel, method: MethodDescriptor, requests: list[bytes]) -> grpc.StatusCode:
    """Calls a method with these bytes and hears its answer out; the code that it ends with."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    raw: Any = channel
    try:
        if method.client_streaming:
            call = raw.stream_stream(path)(iter(requests), timeout=DEADLINE_S)
            for _ in call:
                pass
        elif method.server_streaming:
            # What is watched goes on without end; one answer is enough.
            call = raw.unary_stream(path)(requests[0], timeout=1.0)
            next(call, None)
            call.cancel()
        else:
            raw.unary_unary(path)(requests[0], timeout=DEADLINE_S)
    except grpc.RpcError as error:
        failed: Any = error
        if failed.code() is grpc.StatusCode.INTERNAL and failed.details() == UNREADABLE:
            return grpc.StatusCode.INVALID_ARGUMENT
        return failed.code()  # type: ignore[no-any-return]
    return grpc.StatusCode.OK


def _serving(channel: grpc.Channel) -> bool:
    check: Any = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
        response_deserializer=health_pb2.HealthCheckResponse.FromString,
    )
    answer = check(health_pb2.HealthCheckRequest(), timeout=DEADLINE_S)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _kinds(method: MethodDescriptor) -> Iterator[st.SearchStrategy[bytes]]:
    yield st.binary(max_size=60)
    yield message_of(method.input_type).map(lambda message: message.SerializeToString())


@pytest.mark.parametrize("name", METHODS)
async def test_a_call_with_anything_in_it_is_no_mistake_of_ours(alone: Place, name: str) -> None:
    part, method = METHODS[name]
    address: str = getattr(alone, part)

    def fuzz() -> None:
        with closing(grpc.insecure_channel(address)) as channel:

            def ask(requests: list[bytes]) -> None:
                code = _answers(channel, method, requests)
                assert code not in (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.DATA_LOSS)

            exact: Any = settings(
                max_examples=EXAMPLES,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            for drawn in _kinds(method):
                exact(given(st.lists(drawn, min_size=1, max_size=3))(ask))()
            assert _serving(channel)

    await asyncio.to_thread(fuzz)
