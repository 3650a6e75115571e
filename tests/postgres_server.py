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
from typing import Any, Final

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


class PostgresServer:
    """A server that can be harmed. ``url`` is for ``asyncpg`` (the database ``postgres``)."""

    def __init__(self, command: list[str | Path], port: int, folder: Path, user: dict[str, Any]) -> None:
        self.url: Final = f"postgresql+asyncpg://pandemonium@127.0.0.1:{port}/postgres"
        self._command = command
        self._port = port
        self._folder = folder
        self._user = user
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it, also after :meth:`kill`, and waits until it answers."""
        log = self._folder / "postgres.log"
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                [*dies_with_parent("INT"), *self._command],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=self._folder, **self._user,
            )  # fmt: skip
        _wait_until_it_answers(self._process, self._port, log)

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the whole server: the postmaster first, which starts no others then."""
        assert self._process is not None
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(each, number)

    def kill(self) -> None:
        """SIGKILL, to all of it; returns when it is gone."""
        assert self._process is not None
        self.signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Ends it in order, or else."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        self._process.kill()
        self._process.wait()


@contextmanager
def postgres_server(papers: Papers | None = None) -> Iterator[PostgresServer]:
    """Runs a fresh server on loopback while inside. With ``papers`` it speaks TLS to who asks for it."""
    programs = find_postgres()
    # Not in pytest's own folder: it belongs to root alone, and PostgreSQL refuses to run as root.
    with tempfile.TemporaryDirectory(prefix="postgres-") as name:
        folder = Path(name)
        user = _unprivileged(folder)
        data = folder / "data"
        with (folder / "postgres.log").open("wb") as out:
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
        settings = (f"--{key}={value}" for key, value in options.items())
        server = PostgresServer([programs / "postgres", "-D", data, *settings], port, folder, user)
        try:
            server.start()
            yield server
        finally:
            server.stop()


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
