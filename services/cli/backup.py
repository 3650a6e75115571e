"""`pandemonium backup` and `restore`: all that a platform keeps, in one folder, taken while it runs.

Redis goes first: a hand that ends in between is then in both, and scoring counts no hand twice. The other way round it
might be in neither. ``manifest.json`` is written last; a folder without it is no backup.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import unquote, urlsplit

import typer

from services.cli.failures import told
from services.cli.folder import DataFolder
from services.cli.ports import LOOPBACK, Ports
from services.cli.redis_snapshot import to_append_only
from services.runtime.redis_server import find_redis_server

MANIFEST: Final = "manifest.json"
REDIS: Final = "redis.rdb"
SQLITE: Final = "scoring.db"
POSTGRES: Final = "scoring.dump"
VERSION: Final = 1
_LONGEST_S: Final = 3600.0


class BackupFailed(OSError):
    """It was not done; the message says why."""


def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder for the backup.")],
    data: Annotated[Path, typer.Option(help="The data folder of `pandemonium up`.")] = Path("data"),
    redis_url: Annotated[str, typer.Option(help="One server; default: that of `pandemonium up`.")] = "",
    database_url: Annotated[str, typer.Option(help="As SCORING_DATABASE_URL; default: that in --data.")] = "",
) -> None:
    """Copy Redis and the database of a running platform into a new folder."""
    with told():
        redis_url = redis_url or f"redis://{LOOPBACK}:{Ports.fixed(gateway=8080, gateways=1, engines=1).redis}/0"
        database_url = database_url or DataFolder(data).database_url
        if folder.exists() and any(folder.iterdir()):
            raise BackupFailed(f"{folder} is not empty")
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        began_ms = time.time_ns() // 1_000_000
        _copy_redis(redis_url, folder / REDIS)
        database = _copy_database(database_url, folder)
        sums = {name: _sum(folder / name) for name in (REDIS, database)}
        told_by = {"version": VERSION, "taken_ms": began_ms, "files": sums}
        (folder / MANIFEST).write_text(json.dumps(told_by, indent=2) + "\n")
    typer.echo(f"{folder}: {', '.join(sums)}")


def restore(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="What `backup` left.")],
    data: Annotated[Path, typer.Option(help="A new data folder for `pandemonium up`.")] = Path("data"),
) -> None:
    """Make a data folder for `pandemonium up` out of a backup. What is there already is never overwritten."""
    with told():
        files = _checked(folder)
        if SQLITE not in files:
            raise BackupFailed(f"{folder} holds a database of PostgreSQL: docs/operations.md says how to restore it")
        with DataFolder(data) as target:
            if any(target.redis.iterdir()) or (target.path / SQLITE).exists():
                raise BackupFailed(f"{data} holds a platform already")
            to_append_only(folder / REDIS, target.redis)
            part = target.path / f"{SQLITE}.part"
            shutil.copyfile(folder / SQLITE, part)
            part.rename(target.path / SQLITE)
    typer.echo(f"{data}: restored")


def _copy_redis(url: str, file: Path) -> None:
    parts = urlsplit(url)
    if parts.scheme != "redis" or "@" in (parts.hostname or ""):
        raise BackupFailed("of Redis one server can be copied, by redis://host:port; else each node by itself")
    line = [_redis_cli(), "-h", parts.hostname or LOOPBACK, "-p", str(parts.port or 6379)]
    if parts.username:
        line += ["--user", unquote(parts.username)]
    secret = {"REDISCLI_AUTH": unquote(parts.password)} if parts.password else {}
    _run([*line, "--rdb", str(file)], secret)
    with file.open("rb") as copy:
        if copy.read(5) != b"REDIS":
            raise BackupFailed("Redis gave no copy of itself")


def _redis_cli() -> str:
    beside = find_redis_server().with_name("redis-cli")
    found = shutil.which("redis-cli") or shutil.which("valkey-cli") or (str(beside) if beside.exists() else None)
    if found is None:
        raise BackupFailed("there is no redis-cli here (Debian: apt install redis-tools)")
    return found


def _copy_database(url: str, folder: Path) -> str:
    """The name of the copy."""
    kind, _, rest = url.partition("://")
    if kind == "sqlite+aiosqlite":
        path = Path(rest.removeprefix("/"))
        if not path.exists():
            raise BackupFailed(f"there is no database {path}")
        try:
            with closing(sqlite3.connect(path, timeout=60)) as source:
                source.execute("VACUUM INTO ?", (str(folder / SQLITE),))
        except sqlite3.Error as error:
            raise BackupFailed(f"{path}: {error}") from None
        return SQLITE
    parts = urlsplit(url)
    if kind != "postgresql+asyncpg" or shutil.which("pg_dump") is None:
        raise BackupFailed("no database that can be copied, or no pg_dump (Debian: apt install postgresql-client)")
    given = {
        "PGHOST": parts.hostname,
        "PGPORT": str(parts.port or 5432),
        "PGUSER": unquote(parts.username or ""),
        "PGPASSWORD": unquote(parts.password or ""),
        "PGDATABASE": parts.path.removeprefix("/"),
    }
    environment = {name: value for name, value in given.items() if value}
    _run(["pg_dump", "--format=custom", "--no-owner", "--file", str(folder / POSTGRES)], environment)
    return POSTGRES


def _run(line: list[str], secret: Mapping[str, str]) -> None:
    program = Path(line[0]).name
    try:
        done = subprocess.run(
            line,
            env={**os.environ, **secret},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LONGEST_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BackupFailed(f"{program} was not done within {_LONGEST_S:.0f} s") from None
    if done.returncode != 0:
        raise BackupFailed(f"{program}: {(done.stderr or done.stdout).strip()[-300:]}")


def _checked(folder: Path) -> list[str]:
    """The names of a backup's files, each as it was written."""
    try:
        manifest: Any = json.loads((folder / MANIFEST).read_text())
        version, files = manifest["version"], dict(manifest["files"])
    except (OSError, ValueError, KeyError, TypeError):
        raise BackupFailed(f"{folder} is no whole backup: it has no {MANIFEST} that can be read") from None
    if version != VERSION:
        raise BackupFailed(f"{folder} is a backup of another release: version {version}")
    for name, expected in files.items():
        if not (folder / name).is_file() or _sum(folder / name) != expected:
            raise BackupFailed(f"{folder / name} is not what the backup wrote")
    return list(files)


def _sum(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
