"""A PostgreSQL of our own, as a child process, for the tests of what SQL does."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from services.runtime.orphans import dies_with_parent
from tests.certificates import Papers

START_SECONDS = 30.0
STOP_SECONDS = 10.0


class PostgresNotFound(Exception):
    """No PostgreSQL on this machine, or none that this user may run; the message says which."""


def find_postgres() -> Path:
    """The folder with ``initdb`` and ``postgres``. Raises :class:`PostgresNotFound`."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    on_path = shutil.which("initdb")
    for folder in [*([Path(on_path).resolve().parent] if on_path else []), *versions]:
        if all(os.access(folder / program, os.X_OK) for program in ("initdb", "postgres")):
            return folder
    raise PostgresNotFound("no PostgreSQL found: neither initdb on the path nor /usr/lib/postgresql/*/bin")


@contextmanager
def postgres_server(papers: Papers | None = None) -> Iterator[str]:
    """Runs a fresh server on loopback while inside and gives its URL for ``asyncpg`` (the database ``postgres``).

    With ``papers`` it speaks TLS to who asks for it.
    """
    programs = find_postgres()
    # Not in pytest's own folder: it belongs to root alone, and PostgreSQL refuses to run as root.
    with tempfile.TemporaryDirectory(prefix="postgres-") as name:
        folder = Path(name)
        user = _unprivileged(folder)
        data, log = folder / "data", folder / "postgres.log"
        with log.open("wb") as out:
            subprocess.run(
                [programs / "initdb", "-D", data, "-U", "pandemonium", "-A", "trust", "-E", "UTF8", "--no-sync"],
                check=True, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=folder, timeout=START_SECONDS, **user,
            )  # fmt: skip
            port = _free_port()
            options: dict[str, Any] = {
                "listen_addresses": "127.0.0.1",
                "port": port,
                "unix_socket_directories": folder,
                "fsync": "off",
            }
            if papers is not None:
                options |= _with_certificate(papers, folder, user)
            line: list[str | Path] = [
                programs / "postgres",
                "-D",
                data,
                *(f"--{key}={value}" for key, value in options.items()),
            ]
            process = subprocess.Popen(
                [*dies_with_parent("INT"), *line],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=folder, **user,
            )  # fmt: skip
        try:
            _wait_until_it_answers(process, port, log)
            yield f"postgresql+asyncpg://pandemonium@127.0.0.1:{port}/postgres"
        finally:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            process.kill()
            process.wait()


def _with_certificate(papers: Papers, folder: Path, user: dict[str, Any]) -> dict[str, Any]:
    """Its settings; PostgreSQL takes a key only from a file of its own user's that nobody else can read."""
    cert, key = folder / "server.pem", folder / "server.key"
    for source, copy in ((papers.cert, cert), (papers.key, key)):
        copy.write_bytes(Path(source).read_bytes())
        copy.chmod(0o600)
        if user:
            os.chown(copy, user["user"], user["group"])
    return {"ssl": "on", "ssl_cert_file": cert, "ssl_key_file": key}


def _unprivileged(folder: Path) -> dict[str, Any]:
    """What makes a child of root run as another user, who then owns ``folder``; nothing for everybody else."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            os.chown(folder, entry.pw_uid, entry.pw_gid)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise PostgresNotFound("PostgreSQL refuses to run as root, and there is no user postgres or nobody")


def _wait_until_it_answers(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            # A cancel request for nobody: answered by closing, once the server takes connections at all.
            connection.sendall(b"\x00\x00\x00\x10\x04\xd2\x16\x2e\x00\x00\x00\x00\x00\x00\x00\x00")
            connection.recv(1)
            return
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"PostgreSQL did not start: {log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
