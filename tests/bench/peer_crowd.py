"""The client program: every seat of every table on a socket of its own, all in one process, the same for either side.

The loop is closed: a table's next four plays follow when all four verdicts have come, and all events at all sockets.
Every verdict is compared with what the rules foresaw, every event with the one before it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from picows import WSFrame, WSListener, WSTransport, ws_connect

from services.rules.moves import PlayToFoundation
from services.rules.verdict import Outcome
from tests.bench.peer_wire import Dialect
from tests.bench.scripted_hand import Scripted, Step

START_SEQ: Final = 3
"""A hand has been prepared, dealt and started."""
LONGEST_S: Final = 300.0


class NotAsForeseen(Exception):
    """A verdict or an event is another one than the rules say."""


@dataclass(frozen=True, slots=True)
class Round:
    """The plays of one step, encoded, and what comes of them: ``verdicts`` by what they are about."""

    frames: tuple[bytes, ...]
    about: tuple[str, ...]
    verdicts: list[tuple[str, str]]
    events: int

    @classmethod
    def of(cls, step: Step, dialect: Dialect) -> Self:
        """Of those that go for one place any may be the first, so their verdicts are about the card, not the seat."""
        about = tuple(map(_about, step))
        return cls(
            tuple(dialect.command(scripted.command) for scripted in step),
            about,
            sorted((key, scripted.outcome.value) for key, scripted in zip(about, step, strict=True)),
            sum(scripted.outcome is not Outcome.REFUSED for scripted in step),
        )


def _about(scripted: Scripted) -> str:
    action = scripted.command.action
    return action.card.text if isinstance(action, PlayToFoundation) else f"seat {scripted.command.seat}"


class SeatSocket(WSListener):
    """One seat's socket."""

    def __init__(self, dialect: Dialect, seq: int) -> None:
        self.seq = seq
        """Of the last event."""
        self.digest = ""
        """The same."""
        self.joined = False
        """Whether the server has let it in."""
        self.table: TablePlay | None = None
        self.index = 0
        self.failed: BaseException | None = None
        self._dialect = dialect
        self._transport: WSTransport | None = None

    @classmethod
    async def open(cls, url: str, dialect: Dialect, *, subprotocols: Sequence[str] = (), seq: int = 0) -> Self:
        """Connects."""
        headers = {"Sec-WebSocket-Protocol": ", ".join(subprotocols)} if subprotocols else None
        _, socket = await ws_connect(lambda: cls(dialect, seq), url, extra_headers=headers)
        assert isinstance(socket, cls)
        return socket

    def play(self, frame: bytes) -> None:
        """Sends a play that was made for the last event."""
        self.send(self._dialect.shown(frame, self.digest))

    def send(self, frame: bytes) -> None:
        """Sends a frame of the dialect."""
        assert self._transport is not None
        self._transport.send(self._dialect.kind, frame)

    def close(self) -> None:
        """Says goodbye."""
        if self._transport is not None:
            self._transport.disconnect()

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Called by picows."""
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Called by picows."""
        if frame.msg_type is not self._dialect.kind:
            return
        told = self._dialect.read(frame.get_payload_as_bytes())
        if told is None:
            return
        if told.e:
            if told.seq != self.seq + 1:
                self._fail(NotAsForeseen(f"event {told.seq} after {self.seq}"))
            self.seq, self.digest = told.seq, told.digest
            if self.table is not None:
                self.table.event(told.seq)
        elif self.table is not None and isinstance(told.v, str) and told.v:
            self.table.verdict(self.index, told.n, told.v)
        elif told.t == "snapshot":
            self.seq, self.digest = told.seq, told.digest
        else:
            self.joined = self.joined or told.t in ("join", "welcome")
            answer = self._dialect.answer(told)
            if answer is not None:
                self.send(answer)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Called by picows."""
        self._fail(ConnectionError(f"the server closed a socket: {transport.close_handshake}"))

    def _fail(self, error: Exception) -> None:
        self.failed = error
        if self.table is not None:
            self.table.fail(error)


class TablePlay:
    """One table's script on its way."""

    def __init__(self, rounds: Sequence[Round], sockets: Sequence[SeatSocket], done: asyncio.Future[None]) -> None:
        self.done = done
        self._rounds = iter(rounds)
        self._round: Round | None = None
        self._number = 0
        self._last_seq = START_SEQ
        self._sockets = sockets
        self._verdicts: list[tuple[str, str]] = []
        self._left = 0
        for index, socket in enumerate(sockets):
            socket.table, socket.index = self, index

    def go_on(self) -> None:
        """Sends the next step, or ends."""
        self._round = step = next(self._rounds, None)
        if step is None:
            self._end()
            return
        self._number += 1
        self._last_seq += step.events
        self._verdicts = []
        self._left = len(self._sockets) * (1 + step.events)
        for socket, frame in zip(self._sockets, step.frames, strict=True):
            socket.play(frame)

    def event(self, seq: int) -> None:
        """An event came at one of the sockets."""
        if seq > self._last_seq:
            self.fail(NotAsForeseen(f"event {seq} at step {self._number}, which ends with {self._last_seq}"))
        self._came()

    def verdict(self, index: int, n: int, verdict: str) -> None:
        """The verdict on command ``n`` of the seat."""
        if self._round is None or n != self._number:
            self.fail(NotAsForeseen(f"a verdict on {n} at step {self._number}: {verdict}"))
            return
        self._verdicts.append((self._round.about[index], verdict))
        self._came()

    def fail(self, error: Exception) -> None:
        """Ends with an error."""
        if not self.done.done():
            self.done.set_exception(error)

    def _came(self) -> None:
        self._left -= 1
        if self._left == 0 and not self.done.done():
            assert self._round is not None
            if sorted(self._verdicts) != self._round.verdicts:
                self.fail(NotAsForeseen(f"step {self._number}: {self._verdicts}, not {self._round.verdicts}"))
            else:
                self.go_on()

    def _end(self) -> None:
        for socket in self._sockets:
            socket.table = None
        if not self.done.done():
            self.done.set_result(None)


async def until(condition: Callable[[], bool], sockets: Sequence[SeatSocket], within_s: float = 30.0) -> None:
    """Waits. Raises TimeoutError, or what went wrong with a socket."""
    async with asyncio.timeout(within_s):
        while not condition():
            for socket in sockets:
                if socket.failed is not None:
                    raise socket.failed
            await asyncio.sleep(0.02)


async def drive(tables: Sequence[tuple[Sequence[Round], Sequence[SeatSocket]]]) -> float:
    """Plays every table to the end of its script; the seconds that took.

    Raises :class:`NotAsForeseen`, or ConnectionError if a socket was closed.
    """
    loop = asyncio.get_running_loop()
    plays = [TablePlay(rounds, sockets, loop.create_future()) for rounds, sockets in tables]
    started = time.perf_counter()
    for play in plays:
        play.go_on()
    async with asyncio.timeout(LONGEST_S):
        await asyncio.gather(*(play.done for play in plays))
    return time.perf_counter() - started
