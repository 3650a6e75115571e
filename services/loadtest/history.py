"""What the sockets of a load run saw, written down as it happens: the clients' half of the proof (docs/proof.md).

One :class:`Recorder` per generator process writes one file, gzip of JSON lines; :class:`History` reads it back. A
record is a list that begins with its kind. ``socket`` is a number that its process gives to each connection once;
``at_us`` is µs on the machine's monotonic clock, which all processes of one machine share.

The file begins with ``began`` and ends with ``ended``. What a killed process leaves has no end: it is read up to where
it breaks off, and :attr:`History.torn` says so. Knows nothing of what the records mean for one another.
"""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

FORMAT: Final = 1
"""The version of the format, in the ``began`` record."""

_FLUSH_BYTES: Final = 16 * 1024
"""Small, because a socket waits while this much is packed: about 0.3 ms."""
_READ_BYTES: Final = 256 * 1024


class Began(msgspec.Struct, frozen=True, array_like=True, tag="began", gc=False):
    """The first record."""

    format: int
    at_us: int


class Opened(msgspec.Struct, frozen=True, array_like=True, tag="opened", gc=False):
    """A socket is open and sends its attach. ``after`` is the ``seq`` that the attach names, None if it names none.

    A watcher has no seat and perhaps no player.
    """

    socket: int
    table: str
    seat: int | None
    player: str | None
    at_us: int
    after: int | None = None


class Welcomed(msgspec.Struct, frozen=True, array_like=True, tag="welcomed", gc=False):
    """The edge's welcome: the seat's last number, whether the events continue, whether history was lost.

    A ``set_back`` frame in the middle of a socket is recorded as this too, not resumed and set back.
    """

    socket: int
    at_us: int
    n: int
    resumed: bool
    set_back: bool


class Snapshot(msgspec.Struct, frozen=True, array_like=True, tag="snapshot", gc=False):
    """A snapshot arrived: events go on after ``seq``."""

    socket: int
    at_us: int
    hand: int
    seq: int
    digest: str


class Event(msgspec.Struct, frozen=True, array_like=True, tag="event", gc=False):
    """An event arrived, in the hand that the client was in, or was brought to by this event."""

    socket: int
    at_us: int
    hand: int
    seq: int
    digest: str


class Sent(msgspec.Struct, frozen=True, array_like=True, tag="sent", gc=False):
    """A command was given to the socket, not earlier than this; again under the same number after a reconnect."""

    socket: int
    at_us: int
    n: int
    hand: int
    frame: msgspec.Raw


class Verdict(msgspec.Struct, frozen=True, array_like=True, tag="verdict", gc=False):
    """A verdict arrived, not later than this."""

    socket: int
    at_us: int
    n: int
    verdict: str
    seq: int | None
    why: str | None


class Closed(msgspec.Struct, frozen=True, array_like=True, tag="closed", gc=False):
    """The socket is gone; the close code, None without a close frame."""

    socket: int
    at_us: int
    code: int | None


class Ended(msgspec.Struct, frozen=True, array_like=True, tag="ended", gc=False):
    """The last record: nothing is missing before it."""

    at_us: int


Record = Began | Opened | Welcomed | Snapshot | Event | Sent | Verdict | Closed | Ended

_encoder: Final = msgspec.json.Encoder()
_decoder: Final = msgspec.json.Decoder(Record)


class Recorder:
    """Writes one process' history. A record costs about a microsecond; what it may lose to a kill is 16 KiB of text.

    For one thread. Raises FileExistsError for a path that is taken: a history is never overwritten.
    """

    def __init__(self, path: Path) -> None:
        self._file = gzip.open(path, "xb", compresslevel=1)  # noqa: SIM115 - open for as long as the run lasts
        self._buffer = bytearray()
        self._write(Began(FORMAT, now_us()))

    def opened(
        self, socket: int, table: str, seat: int | None, player: str | None, at_us: int, after: int | None = None
    ) -> None:
        """See :class:`Opened`."""
        self._write(Opened(socket, table, seat, player, at_us, after))

    def welcomed(self, socket: int, at_us: int, n: int, resumed: bool, set_back: bool) -> None:
        """See :class:`Welcomed`."""
        self._write(Welcomed(socket, at_us, n, resumed, set_back))

    def snapshot(self, socket: int, at_us: int, hand: int, seq: int, digest: str) -> None:
        """See :class:`Snapshot`."""
        self._write(Snapshot(socket, at_us, hand, seq, digest))

    def event(self, socket: int, at_us: int, hand: int, seq: int, digest: str) -> None:
        """See :class:`Event`."""
        self._write(Event(socket, at_us, hand, seq, digest))

    def sent(self, socket: int, at_us: int, n: int, hand: int, frame_bytes: bytes) -> None:
        """See :class:`Sent`. ``at_us`` is taken before the frame is given to the socket; the frame is JSON."""
        self._write(Sent(socket, at_us, n, hand, msgspec.Raw(frame_bytes)))

    def verdict(self, socket: int, at_us: int, n: int, verdict: str, seq: int | None, why: str | None) -> None:
        """See :class:`Verdict`. ``at_us`` is taken after the frame was read."""
        self._write(Verdict(socket, at_us, n, verdict, seq, why))

    def closed(self, socket: int, at_us: int, code: int | None) -> None:
        """See :class:`Closed`."""
        self._write(Closed(socket, at_us, code))

    def flush(self) -> None:
        """Whatever was recorded so far reaches the file, and survives this process."""
        self._file.write(self._buffer)
        self._buffer.clear()
        self._file.flush()

    def close(self) -> None:
        """The history is complete."""
        self._write(Ended(now_us()))
        self.flush()
        self._file.close()

    def _write(self, record: Record) -> None:
        _encoder.encode_into(record, self._buffer, -1)
        self._buffer += b"\n"
        if len(self._buffer) >= _FLUSH_BYTES:
            self.flush()


class History:
    """Reads one process' history, record by record, in little memory.

    After the iteration :attr:`torn` says where the file breaks off (None: it is complete), and :attr:`unreadable` lists
    lines that are no records.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.torn: str | None = None
        self.unreadable: list[str] = []

    def __iter__(self) -> Iterator[Record]:
        """The records in their order. Raises OSError."""
        self.torn, self.unreadable = None, []
        count, last = 0, None
        for lines in self._lines():
            for record in self._records(lines):
                yield record
                count, last = count + 1, record
        if self.torn is None and not isinstance(last, Ended):
            self.torn = "it has no end"
        if self.torn is not None:
            self.torn = f"{self.path.name}: {self.torn}, after {count} records"

    def _lines(self) -> Iterator[bytes]:
        """Whole lines, as many at once as were read."""
        rest = b""
        for text in self._text():
            whole, newline, after = text.rpartition(b"\n")
            if newline:
                yield rest + whole
                rest = after
            else:
                rest += text
        if rest:
            self.torn = self.torn or "it breaks off within a line"

    def _text(self) -> Iterator[bytes]:
        # Not gzip's own reader: that throws away what it had read when it meets the tear.
        inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        with self.path.open("rb") as file:
            while chunk := file.read(_READ_BYTES):
                try:
                    yield inflate.decompress(chunk)
                except zlib.error as error:
                    self.torn = f"it is damaged ({error})"
                    return
        if not inflate.eof:
            self.torn = "it breaks off"

    def _records(self, lines: bytes) -> list[Record]:
        try:
            return _decoder.decode_lines(lines)
        except msgspec.DecodeError:
            return [record for line in lines.splitlines() if (record := self._record(line)) is not None]

    def _record(self, line: bytes) -> Record | None:
        try:
            return _decoder.decode(line)
        except msgspec.DecodeError as error:
            self.unreadable.append(f"{self.path.name}: {error}: {line[:200]!r}")
            return None


def now_us() -> int:
    """Now, µs on the machine's monotonic clock."""
    return time.monotonic_ns() // 1000
