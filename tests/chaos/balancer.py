"""What stands before several gateways in earnest: one address, behind which connections go to one that is there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from tests.doorway import LOOPBACK, Doorway


class Balancer(Doorway):
    """Forwards each connection to the first of ``ports`` that takes it."""

    def __init__(self, ports: Sequence[int]) -> None:
        super().__init__()
        self._ports = ports

    @property
    def url(self) -> str:
        """The one address."""
        return f"http://{LOOPBACK}:{self.port}"

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            for port in self._ports:
                with suppress(OSError):
                    upstream_reader, upstream = await asyncio.open_connection(LOOPBACK, port)
                    await _join(reader, writer, upstream_reader, upstream)
                    return
        finally:
            await _close(writer)


async def _join(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    upstream_reader: asyncio.StreamReader,
    upstream: asyncio.StreamWriter,
) -> None:
    """Copies both ways until one side ends."""
    both = [asyncio.create_task(_copy(upstream_reader, writer)), asyncio.create_task(_copy(reader, upstream))]
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
        await _close(upstream)


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
