"""The data folder of one platform: Redis files and the SQLite database. Only one platform may use it at a time."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self


class FolderInUse(Exception):
    """Another platform holds the folder's lock."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"another platform{f' (process {holder})' if holder else ''} uses the folder {path}")


class DataFolder:
    """The folder, locked while entered. The lock is the system's and ends with the process, however that ends."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._lock: int | None = None

    @property
    def redis(self) -> Path:
        """Where the embedded Redis keeps its files."""
        return self.path / "redis"

    @property
    def database_url(self) -> str:
        """The embedded database of finished matches."""
        return f"sqlite+aiosqlite:///{self.path / 'scoring.db'}"

    def __enter__(self) -> Self:
        """Makes the folder if need be and locks it. Raises :class:`FolderInUse`, or OSError if it can't be written."""
        self.redis.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(lock, 32).decode(errors="replace").strip()
            os.close(lock)
            raise FolderInUse(self.path, holder) from None
        os.ftruncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
        self._lock = lock
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
