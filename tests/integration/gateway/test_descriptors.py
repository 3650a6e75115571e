"""A gateway that runs out of descriptors: who is there plays on, who comes is told, and it passes."""

from __future__ import annotations

import asyncio
import json
import os
import resource
from contextlib import AsyncExitStack
from pathlib import Path

import httpx2
import pytest

from tests.integration.gateway.place import Place, started
from tests.integration.gateway.player import Turner, attached
from tests.integration.gateway.process import LOOPBACK, Service, free_port, service

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="no system call for another process's limits here"),
]

LEFT = 48
"""Descriptors that the gateway has left, those that it keeps back included."""
REFUSED = 12
ASK = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"


class Client:
    """A connection that asks once and stays."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def asking(cls, port: int) -> Client:
        client = cls(*await asyncio.open_connection(LOOPBACK, port))
        client.writer.write(ASK)
        return client

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Status, header fields and body of its answer."""
        async with asyncio.timeout(20):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            fields = {name.lower(): value for line in head[1:] if line for name, _, value in [line.partition(": ")]}
            return int(head[0].split()[1]), fields, await self.reader.readexactly(int(fields["content-length"]))

    def close(self) -> None:
        self.writer.close()


def leave(gateway: Service, number: int) -> None:
    """Lets the gateway have so many more descriptors than it has open."""
    pid = gateway.process.pid
    taken = max(int(name) for name in os.listdir(f"/proc/{pid}/fd")) + 1
    _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (taken + number, hard))


async def metric(port: int, name: str) -> float:
    async with httpx2.AsyncClient(trust_env=False, timeout=60) as http:
        lines = (await http.get(f"http://{LOOPBACK}:{port}/metrics")).text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


async def filled(port: int, stack: AsyncExitStack) -> tuple[list[Client], tuple[int, dict[str, str], bytes]]:
    """Connects until one is refused: those that were let in, and the answer to the other."""
    inside: list[Client] = []
    while len(inside) <= LEFT:
        client = await Client.asking(port)
        stack.callback(client.close)
        answer = await client.answer()
        if answer[0] != 200:
            return inside, answer
        inside.append(client)
    raise AssertionError("nobody was refused")


async def test_without_descriptors_new_connections_are_told_and_the_others_play_on(
    place: Place, tmp_path: Path
) -> None:
    parts = {"GATEWAY_ENGINES": place.engines, "GATEWAY_LOBBY": place.lobby, "GATEWAY_SCORING": place.scoring}
    metrics_port, log = free_port(), tmp_path / "log"
    variables = {"REDIS_URL": place.redis_url, "GATEWAY_METRICS_PORT": metrics_port, **parts}
    table, (ada, _) = await place.running_hand()
    async with AsyncExitStack() as stack:
        gateway = await stack.enter_async_context(service("gateway", variables, log=log))
        player = await stack.enter_async_context(attached(gateway.port, table, ada.token))
        await started(player)
        turner = Turner(player)
        await turner.turn_and_wait(3)
        assert await metric(metrics_port, "pandemonium_gateway_out_of_descriptors_total") == 0
        leave(gateway, LEFT)

        inside, (status, fields, body) = await filled(gateway.port, stack)

        assert inside
        assert (status, fields["retry-after"]) == (503, "1")
        assert fields["content-type"] == "application/problem+json"
        assert json.loads(body)["code"] == "out_of_descriptors"
        for _ in range(REFUSED - 1):
            late = await Client.asking(gateway.port)
            assert (await late.answer())[0] == 503
            late.close()
        await turner.turn_and_wait(20)
        assert player.close_code is None
        assert await metric(metrics_port, "pandemonium_gateway_out_of_descriptors_total") == REFUSED
        taken, most = [await metric(metrics_port, f"process_{name}_fds") for name in ("open", "max")]
        assert most - LEFT <= taken < most, "it keeps some back, and tells of it"
        said = [json.loads(line) for line in log.read_text().splitlines() if "out of descriptors" in line]
        assert len(said) == 1, "once, however many come"
        assert said[0]["limit"] == most

        for client in inside:
            client.close()
        async with asyncio.timeout(20):
            while True:
                again = await Client.asking(gateway.port)
                stack.callback(again.close)
                if (await again.answer())[0] == 200:
                    break
        await turner.turn_and_wait(3)


async def test_a_crowd_at_once_is_cut_off_at_worst_and_who_is_there_plays_on(place: Place) -> None:
    parts = {"GATEWAY_ENGINES": place.engines, "GATEWAY_LOBBY": place.lobby, "GATEWAY_SCORING": place.scoring}
    table, (ada, _) = await place.running_hand()
    async with AsyncExitStack() as stack:
        gateway = await stack.enter_async_context(service("gateway", {"REDIS_URL": place.redis_url, **parts}))
        player = await stack.enter_async_context(attached(gateway.port, table, ada.token))
        await started(player)
        leave(gateway, LEFT)

        crowd = await asyncio.gather(*(Client.asking(gateway.port) for _ in range(4 * LEFT)))
        for client in crowd:
            stack.callback(client.close)
        turner = Turner(player)
        await turner.turn_and_wait(20)

        ends = await asyncio.gather(*(client.answer() for client in crowd), return_exceptions=True)
        refused = [end for end in ends if isinstance(end, BaseException) or end[0] == 503]
        assert refused
        assert all(isinstance(end, tuple | asyncio.IncompleteReadError | ConnectionError) for end in ends), ends
        assert player.close_code is None
        await turner.turn_and_wait(5)
