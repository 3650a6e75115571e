"""Whatever bytes come over a table socket: a proper end or an error for who sent them, and nothing for anybody else."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.frames import Opcode

from tests.integration.gateway.hostile import ATTACH, Heard, frame, sent, text
from tests.integration.gateway.place import Place, welcomed
from tests.integration.gateway.player import attached
from tests.unit.gateway.test_session_fuzz import _raw as json_or_bytes

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    # The edge, in the same process, draws numbers of its own meanwhile.
    pytest.mark.filterwarnings("ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"),
]

PROPER: Final = {None, 1000, 1001, 1002, 1005, 1007, 1008, 1009, 4001, 4003, 4029}
"""Ends that are the client's own doing; None: it went, and there was nothing to say; 1005: it closed without a code,
and got the same back. Never 1011, a fault of ours."""
EXACT: Final[Any] = settings(max_examples=60, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
_frames = st.builds(
    frame,
    st.sampled_from(list(Opcode)),
    st.binary(max_size=125) | json_or_bytes,
    fin=st.booleans(),
    mask=st.booleans(),
    rsv1=st.booleans(),
)


async def asked(place: Place, table: str, *data: bytes) -> Heard:
    return await asyncio.to_thread(sent, place.port, table, b"".join(data))


@pytest.fixture(scope="module")
def tables() -> dict[str, str]:
    return {}


async def a_table(place: Place, tables: dict[str, str]) -> str:
    if "one" not in tables:
        tables["one"] = await place.table(await place.guest())
    return tables["one"]


DEEP: Final = b"[" * 2000 + b"]" * 2000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(text(b"x" * 4097), 1009, id="a byte too many"),
        pytest.param(b"\x81\xff" + b"\x7f" + b"\xff" * 7 + b"mask", 1009, id="a length beyond all memory"),
        pytest.param(frame(Opcode.TEXT, b"{}", mask=False), 1002, id="not masked"),
        pytest.param(frame(Opcode.TEXT, b"{}", rsv1=True), 1002, id="a reserved bit"),
        pytest.param(b"\x83\x80mask", 1002, id="an unknown opcode"),
        pytest.param(frame(Opcode.CONT, b"{}"), 1002, id="a fragment of nothing"),
        pytest.param(frame(Opcode.PING, b"", fin=False), 1002, id="half a ping"),
        pytest.param(b"\x89\xfe\x00\xffmask" + b"x" * 255, 1002, id="a ping too long"),
        pytest.param(frame(Opcode.CLOSE, b"\x03"), 1002, id="half a close code"),
        pytest.param(frame(Opcode.CLOSE, b""), 1005, id="no close code"),
        pytest.param(frame(Opcode.CLOSE, b"\x03\xed"), 1002, id="a close code that nobody may send"),
        pytest.param(
            frame(Opcode.TEXT, b"{", fin=False) + 200 * frame(Opcode.CONT, b" ", fin=False), 1008, id="many fragments"
        ),
    ],
)
async def test_who_breaks_the_rules_is_told_by_the_close_code(
    place: Place, tables: dict[str, str], data: bytes, code: int
) -> None:
    heard = await asked(place, await a_table(place, tables), data)
    assert heard.close_code == code


@pytest.mark.parametrize(
    "payload",
    [
        DEEP,
        b'{"t":"ping","id":1,"unknown":' + DEEP + b"}",
        b'{"t":' * 600,
        b"\xff\xfe",
        b'{"t":"ping","id":1e999}',
        b'{"t":"ping","id":NaN}',
    ],
)
async def test_a_frame_that_is_none_is_an_error_and_the_socket_goes_on(
    place: Place, tables: dict[str, str], payload: bytes
) -> None:
    async with attached(place.port, await a_table(place, tables), seat=False) as watcher:
        await welcomed(watcher)
        await watcher.connection.send(payload, text=True)
        await watcher.until(lambda: bool(watcher.of("error")))
        await watcher.sends({"t": "ping", "id": 9})
        await watcher.until(lambda: bool(watcher.of("pong")))
    assert watcher.of("error")[0]["code"] == "bad_frame"


async def test_a_binary_frame_is_an_error(place: Place, tables: dict[str, str]) -> None:
    heard = await asked(place, await a_table(place, tables), frame(Opcode.BINARY, b"\x00\x01"))
    assert [json.loads(each)["code"] for each in heard.texts] == ["bad_frame"]


@pytest.mark.parametrize("what", ["bytes", "frames", "frames of who is attached"])
async def test_no_bytes_harm_anybody_but_who_sent_them(place: Place, tables: dict[str, str], what: str) -> None:
    table = await a_table(place, tables)
    before = text(ATTACH) if what.endswith("attached") else b""
    drawn = st.binary(max_size=200) if what == "bytes" else st.lists(_frames, max_size=6).map(b"".join)

    async with attached(place.port, table, seat=False) as bystander:
        await welcomed(bystander)

        def ask(data: bytes) -> None:
            heard = sent(place.port, table, before + data)
            assert heard.close_code in PROPER, heard
            for each in heard.texts:
                json.loads(each)

        await asyncio.to_thread(EXACT(given(drawn)(ask)))
        await bystander.sends({"t": "ping", "id": 7})
        await bystander.until(lambda: bool(bystander.of("pong")))
    assert not bystander.of("error")


async def test_a_message_in_fragments_is_one_message(place: Place, tables: dict[str, str]) -> None:
    whole = [frame(Opcode.TEXT, ATTACH[:9], fin=False), frame(Opcode.PING, b"between"), frame(Opcode.CONT, ATTACH[9:])]
    goodbye = frame(Opcode.CLOSE, b"\x03\xe8")

    heard = await asked(place, await a_table(place, tables), *whole, goodbye)
    assert heard.close_code == 1000
