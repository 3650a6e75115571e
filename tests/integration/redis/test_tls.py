"""Every kind of connection to Redis can be encrypted, shows a certificate if it has one, and trusts only the authority.

The Redis of a test has no TLS; in front of it stands what has, as a tunnel does where Redis itself can't.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from services.engine.redis_wire import PlainRedis, ScriptCalls
from services.runtime.errors import Unavailable
from services.runtime.redis import blocking, connect, faults
from services.runtime.redis_place import BadRedisUrl, Cluster, Files, Sentinels, place
from services.runtime.settings import redact_url
from tests.certificates import Authority, Papers, demanding


class Front(NamedTuple):
    """Where Redis can be reached by TLS only, and what is shown there."""

    address: str
    papers: Papers


@pytest_asyncio.fixture
async def front(redis_url: str, tmp_path: Path) -> AsyncIterator[Front]:
    papers = Authority(tmp_path).papers()
    async with tunnel(redis_url, demanding(papers)) as port:
        yield Front(f"127.0.0.1:{port}", papers)


@asynccontextmanager
async def tunnel(redis_url: str, context: ssl.SSLContext) -> AsyncIterator[int]:
    where = urlsplit(redis_url)
    tasks: set[asyncio.Task[None]] = set()

    async def passed_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(where.hostname, where.port)
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(pumped(source, sink))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    async def pumped(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, ssl.SSLError):
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        sink.close()

    server = await asyncio.start_server(passed_on, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def url(front: Front, *, ca: str | None = None, shown: Papers | None = None) -> str:
    asked = [f"ssl_ca_certs={ca}"] if ca else []
    if shown is not None:
        asked += [f"ssl_certfile={shown.cert}", f"ssl_keyfile={shown.key}"]
    return f"rediss://{front.address}/0?{'&'.join(asked)}"


async def test_clients_and_the_engines_own_connection_speak_tls_and_show_their_certificate(front: Front) -> None:
    secure = url(front, ca=front.papers.ca, shown=front.papers)
    plain = PlainRedis(secure)
    try:
        assert await ScriptCalls(plain, "return redis.call('INCRBY', KEYS[1], ARGV[1])").run([(["tls"], ["2"])]) == [2]
    finally:
        plain.close()
    async with connect(secure) as client, blocking(secure) as waiting:
        assert await client.get("tls") == b"2"
        assert await waiting.delete("tls")


@pytest.mark.parametrize("wrong", ["no certificate", "unknown authority", "no TLS"])
async def test_who_is_not_to_be_trusted_is_not_talked_to(front: Front, wrong: str) -> None:
    address = {
        "no certificate": url(front, ca=front.papers.ca),
        "unknown authority": url(front, shown=front.papers),
        "no TLS": f"redis://{front.address}/0",
    }[wrong]
    async with connect(address) as client:
        with pytest.raises(Unavailable):
            async with faults():
                await client.ping()
    plain = PlainRedis(address)
    with pytest.raises(Unavailable):
        await ScriptCalls(plain, "return 1").run([(["tls"], [])])


async def test_a_server_of_another_name_is_not_talked_to(redis_url: str, tmp_path: Path) -> None:
    papers = Authority(tmp_path).papers("redis.test")
    async with tunnel(redis_url, demanding(papers)) as port:
        address = url(Front(f"127.0.0.1:{port}", papers), ca=papers.ca, shown=papers)
        async with connect(address) as client:
            with pytest.raises(Unavailable):
                async with faults():
                    await client.ping()


def test_the_files_are_named_in_the_same_way_for_sentinels_and_clusters() -> None:
    query = "?ssl_ca_certs=/ca.pem&ssl_certfile=/c.pem&ssl_keyfile=/k.pem"
    files = Files("/ca.pem", "/c.pem", "/k.pem")
    found = [place(f"rediss+cluster://one{query}"), place(f"rediss+sentinel://one/main{query}")]
    assert [isinstance(each, Cluster | Sentinels) and each.files for each in found] == [files, files]
    with pytest.raises(BadRedisUrl):
        place(f"redis+cluster://one{query}")
    assert redact_url(f"rediss://:word@one{query}") == f"rediss://:***@one{query}"
