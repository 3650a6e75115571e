"""The records of a run, read to be changed and written anew."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from services.client import hand_log
from services.client.models import Match
from services.loadtest import history
from services.loadtest.history import History, Record
from services.rules.events import Event, digest, encode_body, parse, seal, unseal

E = TypeVar("E")

FIRST_LOG: Final = "m0-1"
SECOND_LOG: Final = "m0-2"


class Records:
    """The records of one run, to be changed: the history of its first process, the logs, the first match's sheet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / "histories" / "p0.jsonl.gz"
        self.history: list[Record] = list(History(self._path))
        self.logs = {path.stem: [parse(text) for text in hand_log.read(path)] for path in folder.glob("logs/m0-*.json")}
        self._digests = {
            parse(text).seq: unseal(text)[1] for name in self.logs for text in hand_log.read(self._log(name))
        }
        self.sheet = msgspec.json.decode((folder / "matches" / "m0.json").read_bytes(), type=Match)

    def save(self, *, chained: bool = True) -> None:
        """Writes the folder anew. ``chained``: with digests that fit what the logs say now, also at the clients."""
        before = ""
        for name in sorted(self.logs):
            sealed = []
            for event in self.logs[name]:
                body = encode_body(event)
                before = digest(before, body) if chained else self._digests[event.seq]
                self._digests[event.seq] = before
                sealed.append(seal(body, before).encode())
            self._log(name).write_bytes(b'{"events":[' + b",".join(sealed) + b"]}")
        if chained:
            self.history = [self._told(record) for record in self.history]
        lines = [msgspec.json.encode(record) + b"\n" for record in self.history]
        self._path.write_bytes(gzip.compress(b"".join(lines), 1))
        (self.folder / "matches" / "m0.json").write_bytes(msgspec.json.encode(self.sheet))

    def where(self, kind: type[E], condition: Callable[[E], bool] = lambda _: True) -> int:
        """Where in the history the record in the middle of those is of which this holds."""
        found = [i for i, record in enumerate(self.history) if isinstance(record, kind) and condition(record)]
        return found[len(found) // 2]

    def at(self, log: str, kind: type[E], condition: Callable[[E], bool] = lambda _: True) -> int:
        """Where in the log the event in the middle of those is of which this holds."""
        found = [i for i, event in enumerate(self.logs[log]) if isinstance(event, kind) and condition(event)]
        return found[len(found) // 2]

    def change(self, log: str, place: int, **fields: object) -> None:
        """Another event in the place of one."""
        self.logs[log][place] = replace(self.logs[log][place], **fields)  # type: ignore[arg-type]

    def logged(self, seq: int | None) -> Event | None:
        """The event of that number, if it is in a log."""
        return next((event for log in self.logs.values() for event in log if event.seq == seq), None)

    def _told(self, record: Record) -> Record:
        if isinstance(record, history.Event | history.Snapshot) and record.seq in self._digests:
            return msgspec.structs.replace(record, digest=self._digests[record.seq])
        return record

    def _log(self, name: str) -> Path:
        return self.folder / "logs" / f"{name}.json"
