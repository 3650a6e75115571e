"""A platform is copied while it plays, and another one goes on from the copy."""

from __future__ import annotations

import asyncio
import json
import subprocess
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from typer.testing import CliRunner

from services.cli.__main__ import app
from services.runtime import keys
from services.runtime.redis import connect
from services.runtime.redis_server import RedisServer
from services.scoring.archive import Archive
from services.scoring.database import Database
from services.scoring.migrations import migrate
from tests.integration.gateway.place import place_on, welcomed
from tests.integration.gateway.player import attached
from tests.integration.scoring.streams import finish
from tests.integration.scoring.test_forgetting import count
from tests.unit.scoring.logs import entry_of, played

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass
class Done:
    """How the command ended."""

    exit_code: int
    output: str


async def cli(*arguments: str | Path) -> Done:
    line = [str(each) for each in arguments]
    done = await asyncio.to_thread(lambda: CliRunner().invoke(app, line))
    return Done(done.exit_code, done.output)


async def test_running_tables_and_results_are_there_after_a_restore_and_go_on(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'old' / 'scoring.db'}"
    (tmp_path / "old").mkdir()
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "old" / "redis"))
        place = await place_on(stack, server.url, tmp_path / "old")
        table, (ada, _) = await place.running_hand()
        redis = await stack.enter_async_context(connect(server.url))
        log = played(1)
        await finish(redis, log, entry_of(log, table="m1"))
        # Not by what scoring tells: the lobby takes that away.
        async with place.http() as http, asyncio.timeout(60):
            while (await http.get("/api/v1/matches/m1")).status_code != 200:
                await asyncio.sleep(0.1)
        events: Any = await redis.xrange(keys.log(table))
        done = await cli("backup", tmp_path / "copy", "--redis-url", server.url, "--database-url", url)
        assert done.exit_code == 0, done.output
    restored = await cli("restore", tmp_path / "copy", "--data", tmp_path / "new")
    assert restored.exit_code == 0, restored.output
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(RedisServer(tmp_path / "new" / "redis"))
        place = await place_on(stack, server.url, tmp_path / "new")
        redis = await stack.enter_async_context(connect(server.url))
        kept: Any = await redis.xrange(keys.log(table))
        assert kept[: len(events)] == events
        async with place.http() as http:
            assert (await http.get("/api/v1/matches/m1")).status_code == 200
            me = (await http.get("/api/v1/me", headers=ada.headers)).json()
            assert (me["player"], me["table"]) == (ada.player, table)
        async with attached(place.port, table, ada.token) as player:
            await welcomed(player)
        again = await cli("restore", tmp_path / "copy", "--data", tmp_path / "new")
        assert again.exit_code == 1
        assert "holds a platform already" in again.output


async def test_a_database_of_postgres_is_dumped_and_restored_as_described(postgres_url: str, tmp_path: Path) -> None:
    database = Database(postgres_url)
    await migrate(database)
    await count(database, 1, match="m1")
    before = await Archive(database).match("m1")
    assert before is not None
    await database.close()
    async with RedisServer(tmp_path / "redis") as server:
        done = await cli("backup", tmp_path / "copy", "--redis-url", server.url, "--database-url", postgres_url)
        assert done.exit_code == 0, done.output
    plain = postgres_url.replace("+asyncpg", "")
    admin = await asyncpg.connect(plain)
    await admin.execute("DROP SCHEMA public CASCADE")
    await admin.execute("CREATE SCHEMA public")
    await admin.close()
    line = ["pg_restore", "--no-owner", "--exit-on-error", "--dbname", plain, str(tmp_path / "copy" / "scoring.dump")]
    dumped = await asyncio.to_thread(subprocess.run, line, capture_output=True, text=True, timeout=60, check=False)
    assert dumped.returncode == 0, dumped.stderr
    restored = Database(postgres_url)
    await migrate(restored)
    assert await Archive(restored).match("m1") == before
    await restored.close()


async def backed_up(tmp_path: Path) -> Path:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'scoring.db'}")
    await migrate(database)
    await database.close()
    async with RedisServer(tmp_path / "redis") as server, connect(server.url) as redis:
        await redis.config_set("requirepass", "secret")
        url = server.url.replace("//", "//:secret@")
        done = await cli("backup", tmp_path / "copy", "--redis-url", url, "--data", tmp_path)
        assert done.exit_code == 0, done.output
        again = await cli("backup", tmp_path / "copy", "--redis-url", url, "--data", tmp_path)
        assert "is not empty" in again.output
        wrong = await cli("backup", tmp_path / "other", "--redis-url", server.url, "--data", tmp_path)
        assert wrong.exit_code == 1, "a copy without the password"
        assert not (tmp_path / "other" / "manifest.json").exists()
    return tmp_path / "copy"


async def test_what_is_not_whole_is_not_restored_and_nothing_is_made(tmp_path: Path) -> None:
    copy, new = await backed_up(tmp_path), tmp_path / "new"
    manifest = (copy / "manifest.json").read_text()
    whole = (copy / "redis.rdb").read_bytes()
    for said in ("no whole backup", "another release", "is not what the backup wrote"):
        if said == "no whole backup":
            (copy / "manifest.json").unlink()
        elif said == "another release":
            (copy / "manifest.json").write_text(json.dumps(json.loads(manifest) | {"version": 2}))
        else:
            (copy / "manifest.json").write_text(manifest)
            (copy / "redis.rdb").write_bytes(whole[:-1])
        refused = await cli("restore", copy, "--data", new)
        assert refused.exit_code == 1
        assert said in refused.output
        assert not new.exists()
    (copy / "redis.rdb").write_bytes(whole)
    assert (await cli("restore", copy, "--data", new)).exit_code == 0
