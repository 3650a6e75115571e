from __future__ import annotations

import grpc
import pytest
from google.rpc import error_details_pb2

from services.runtime import errors
from services.runtime.errors import BY_CODE, Fault, Internal, Unavailable, fault_from, to_status
from services.runtime.interceptors import FaultInterceptor
from tests.unit.runtime.echo_server import KINDS, call, echo_server

FAULTS = sorted(Fault.__subclasses__(), key=lambda fault: fault.__name__)


def rpc_error(code: grpc.StatusCode, details: str = "", trailing: grpc.aio.Metadata | None = None) -> grpc.RpcError:
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailing or grpc.aio.Metadata(), details)


def test_every_fault_has_a_code_of_its_own() -> None:
    assert {fault.code for fault in FAULTS} == set(BY_CODE)
    assert all(BY_CODE[fault.code] is fault for fault in FAULTS)


def test_the_tree_in_the_docstring_is_the_tree_of_the_code() -> None:
    drawn = {line.split()[1]: line.split()[2] for line in (errors.__doc__ or "").splitlines() if "-- " in line}
    assert drawn == {fault.__name__: fault.code.name for fault in FAULTS}


@pytest.mark.parametrize("kind", [fault for fault in FAULTS if fault is not Internal])
async def test_a_fault_arrives_as_it_was_raised(kind: type[Fault]) -> None:
    async def act(_request: bytes) -> bytes:
        raise kind("SOME_REASON", "what people read", {"option": "draw"})

    async with echo_server(act, [FaultInterceptor("engine.pandemonium")]) as to_server:
        with pytest.raises(grpc.RpcError) as caught:
            await call(to_server, "Unary")
    fault = fault_from(caught.value)
    assert type(fault) is kind
    assert (fault.reason, fault.detail, dict(fault.metadata)) == (
        "SOME_REASON",
        "what people read",
        {"option": "draw"},
    )


@pytest.mark.parametrize("method", KINDS)
async def test_of_an_unexpected_exception_nothing_leaves_the_process(method: str) -> None:
    async def act(_request: bytes) -> bytes:
        raise ValueError("the password is swordfish")

    async with echo_server(act, [FaultInterceptor("engine.pandemonium")]) as to_server:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(to_server, method)
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    assert "swordfish" not in repr(caught.value)
    assert "ValueError" not in repr(caught.value)
    assert type(fault_from(caught.value)) is Internal


def test_what_an_internal_fault_says_stays_inside() -> None:
    status = to_status(Internal("BROKEN", "row 7 of accounts", {"row": "7"}), "scoring.pandemonium")
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (info.reason, info.domain, dict(info.metadata)) == ("BROKEN", "scoring.pandemonium", {})
    assert "accounts" not in str(status)


def test_the_domain_names_the_service_that_spoke() -> None:
    info = error_details_pb2.ErrorInfo()
    to_status(Unavailable("REDIS_UNAVAILABLE"), "lobby.pandemonium").details[0].Unpack(info)
    assert info.domain == "lobby.pandemonium"


@pytest.mark.parametrize("code", [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK])
def test_every_code_becomes_a_fault_even_without_a_reason(code: grpc.StatusCode) -> None:
    fault = fault_from(rpc_error(code, "ipv4:10.0.0.7:7001 refused"))
    expected = Unavailable if code is grpc.StatusCode.CANCELLED else BY_CODE.get(code, Internal)
    assert type(fault) is expected
    assert fault.reason == code.name
    assert "10.0.0.7" not in str(fault), "addresses stay inside"


def test_details_that_cannot_be_read_are_passed_over() -> None:
    trailing = grpc.aio.Metadata((errors.DETAILS_KEY, b"\xff\xff\xff"))
    assert fault_from(rpc_error(grpc.StatusCode.NOT_FOUND, trailing=trailing)).reason == "NOT_FOUND"
