from __future__ import annotations

import asyncio
import gc
import os
from contextlib import nullcontext
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError
from prometheus_client import REGISTRY
from redis import exceptions

from services.runtime.errors import InvalidArgument, NotFound, fault_from
from services.runtime.handlers import surround
from services.runtime.interceptors import (
    DeadlineInterceptor,
    FaultInterceptor,
    MetricsInterceptor,
    ReadingInterceptor,
    method_labels,
)
from tests.unit.runtime.echo_server import KINDS, SERVICE, call, echo_server, handlers

STREAMS = 10_000 if os.environ.get("PROVE") else 300


async def echo(request: bytes) -> bytes:
    return request


def handled(method: str, code: str) -> float:
    labels = {"service": SERVICE, "method": method, "code": code}
    return REGISTRY.get_sample_value("pandemonium_grpc_handled_total", labels) or 0.0


@pytest.mark.parametrize("method", KINDS)
async def test_every_kind_of_call_passes_through_unchanged(method: str) -> None:
    chain = [MetricsInterceptor(), FaultInterceptor("echo.pandemonium"), DeadlineInterceptor()]
    before = handled(method, "OK")
    async with echo_server(echo, chain) as to_server:
        assert await call(to_server, method, b"hello") == (b"firsthello" if method == "Yields" else b"hello")
    assert handled(method, "OK") == before + 1


@pytest.mark.parametrize("method", KINDS)
async def test_a_fault_in_any_kind_of_call_is_counted_under_its_code(method: str) -> None:
    async def act(_request: bytes) -> bytes:
        raise NotFound("UNKNOWN_TABLE")

    before = handled(method, "NOT_FOUND")
    async with echo_server(act, [MetricsInterceptor(), FaultInterceptor("echo.pandemonium")]) as to_server:
        with pytest.raises(grpc.RpcError) as caught:
            await call(to_server, method)
        # The caller hears of the fault before the call's own code is done.
        async with asyncio.timeout(60):
            while handled(method, "NOT_FOUND") == before:
                await asyncio.sleep(0.01)
    assert fault_from(caught.value).reason == "UNKNOWN_TABLE"
    assert handled(method, "NOT_FOUND") == before + 1


@pytest.mark.parametrize(
    "error",
    [
        exceptions.ConnectionError("refused"),
        exceptions.TimeoutError("slow"),
        exceptions.BusyLoadingError("loading"),
        exceptions.ReadOnlyError("READONLY You can't write against a read only replica."),
        exceptions.OutOfMemoryError("OOM command not allowed when used memory > 'maxmemory'."),
        exceptions.ResponseError("MISCONF Errors writing to the AOF file: No space left on device"),
        exceptions.ResponseError("NOREPLICAS Not enough good replicas to write."),
    ],
)
async def test_a_redis_that_cannot_serve_now_makes_the_call_unavailable(error: Exception) -> None:
    async def act(_request: bytes) -> bytes:
        raise error

    async with echo_server(act, [FaultInterceptor("echo.pandemonium")]) as to_server:
        with pytest.raises(grpc.RpcError) as caught:
            await call(to_server, "Unary")
    fault = fault_from(caught.value)
    assert (fault.code, fault.reason) == (grpc.StatusCode.UNAVAILABLE, "REDIS_UNAVAILABLE")


async def test_a_mistake_in_a_redis_command_is_our_own() -> None:
    async def act(_request: bytes) -> bytes:
        raise exceptions.ResponseError("WRONGTYPE Operation against a key holding the wrong kind of value")

    async with echo_server(act, [FaultInterceptor("echo.pandemonium")]) as to_server:
        with pytest.raises(grpc.RpcError) as caught:
            await call(to_server, "Unary")
    assert fault_from(caught.value).code is grpc.StatusCode.INTERNAL


async def forever(_request: bytes) -> bytes:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


async def test_a_call_without_a_deadline_gets_one() -> None:
    chain = [FaultInterceptor("echo.pandemonium"), DeadlineInterceptor(0.05)]
    # Not by our own channel, which never asks without a deadline.
    async with echo_server(forever, chain, grpc.aio.insecure_channel) as to_server:
        with pytest.raises(grpc.RpcError) as caught:
            await call(to_server, "Unary", timeout=None)
    assert fault_from(caught.value).code is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_time_out_inside_a_handler_is_not_taken_for_the_deadline() -> None:
    async def act(_request: bytes) -> bytes:
        raise TimeoutError

    async with echo_server(act, [FaultInterceptor("echo.pandemonium"), DeadlineInterceptor(5)]) as to_server:
        with pytest.raises(grpc.RpcError) as caught:
            await call(to_server, "Unary")
    assert fault_from(caught.value).code is grpc.StatusCode.INTERNAL


async def test_an_unknown_method_stays_unimplemented() -> None:
    chain = [MetricsInterceptor(), FaultInterceptor("echo.pandemonium"), DeadlineInterceptor()]
    async with echo_server(echo, chain) as to_server:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(to_server, "Nothing")
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_calls_that_are_given_up_are_counted_and_leave_nothing_open() -> None:
    entered = asyncio.Event()

    async def act(request: bytes) -> bytes:
        entered.set()
        return await forever(request)

    before, open_before = handled("Unary", "CANCELLED"), REGISTRY.get_sample_value("pandemonium_grpc_open_calls")
    async with echo_server(act, [MetricsInterceptor(), FaultInterceptor("echo.pandemonium")]) as to_server:
        asked = asyncio.create_task(call(to_server, "Unary"))
        await asyncio.wait_for(entered.wait(), 10)
        asked.cancel()
        async with asyncio.timeout(60):
            while handled("Unary", "CANCELLED") == before:
                await asyncio.sleep(0.01)
        assert asked.cancelled()
    assert REGISTRY.get_sample_value("pandemonium_grpc_open_calls") == open_before


@pytest.mark.timeout(600)
async def test_streams_that_are_abandoned_leave_no_task_and_no_memory() -> None:
    chain = [MetricsInterceptor(), FaultInterceptor("echo.pandemonium"), DeadlineInterceptor(600)]
    open_before = REGISTRY.get_sample_value("pandemonium_grpc_open_calls")
    async with echo_server(forever, chain) as to_server:
        opens: Any = to_server.unary_stream(f"/{SERVICE}/Yields")

        async def abandoned(count: int) -> tuple[int, int]:
            """Tasks and objects after so many streams that their readers left."""
            for _ in range(count):
                stream = opens(b"", timeout=600)
                assert await stream.read() == b"first"
                stream.cancel()
            async with asyncio.timeout(60):
                while REGISTRY.get_sample_value("pandemonium_grpc_open_calls") != open_before:
                    await asyncio.sleep(0.01)
            gc.collect()
            return len(asyncio.all_tasks()), len(gc.get_objects())

        tasks, objects = await abandoned(50)
        tasks_after, objects_after = await abandoned(STREAMS)
    assert tasks_after <= tasks + 2
    assert objects_after - objects < STREAMS, "less than one object for a stream"


def test_a_path_is_taken_apart_into_service_and_method() -> None:
    assert method_labels("/pandemonium.engine.v1.EngineService/Play") == ("pandemonium.engine.v1.EngineService", "Play")


async def test_bytes_that_are_no_message_are_a_fault_of_who_sent_them() -> None:
    async def act(request: bytes) -> bytes:
        return request

    def read(data: bytes) -> bytes:
        raise DecodeError("no message")

    handler = surround(handlers(act)["Unary"], lambda _request, _context: nullcontext(), read)

    async def continuation(_details: object) -> Any:
        return handler

    nothing: Any = None
    made: Any = await ReadingInterceptor().intercept_service(continuation, nothing)
    request = made.request_deserializer(b"x")
    with pytest.raises(InvalidArgument) as caught:
        await made.unary_unary(request, nothing)
    assert caught.value.reason == "BAD_MESSAGE"
