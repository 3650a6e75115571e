"""A socket at a table: what comes is noted as it comes, recorded for the proof, and given to the SDK's protocol.

An :class:`Onlooker` watches; a seat (``seat``) also acts. Connections are the SDK's own, kept up by its ``Link``;
in a direct run they are lines to the engines.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Final

import msgspec

from services.client import frames
from services.client.errors import ClientError, NotTheProtocol
from services.client.protocol import Complained, Effect, Reconnect, Send, TableProtocol
from services.loadtest.desk import Desk
from services.loadtest.history import now_us
from services.loadtest.measures import Sample
from services.loadtest.place import Place
from services.loadtest.shared_history import SharedHistory

_EVENT: Final = re.compile(rb'\{"seq":(\d+),"at":\d+,"e":"(\w+)"(?:,"seat":(\d+),"n":(\d+))?')
_PING: Final = b'{"t":"ping"'
_HAND: Final = re.compile(rb'"hand":(\d+)')
_DIGEST: Final = slice(-18, -2)


class _Kind(msgspec.Struct, frozen=True):
    """What is read of a frame that is no event as it arrives; the rest is the protocol's."""

    t: str
    n: int | None = 0  # an error that is about no command has none
    v: str | int = ""  # of a welcome the version of the protocol
    seq: int | None = None
    why: str | None = None
    resumed: bool = False
    set_back: bool = False
    hand: int = 0
    digest: str = ""
    code: str = ""


_decoder: Final = msgspec.json.Decoder(_Kind)


class Onlooker:
    """A socket that watches. The SDK's link tells it what happens to the connection."""

    def __init__(self, place: Place, desk: Desk) -> None:
        self.place = place
        self.protocol = TableProtocol(seat=place.seat is not None, history=SharedHistory(place.book))
        self.ended: ClientError | None = None
        self._desk = desk
        self._link = desk.lines(place, self)
        self._socket = 0
        self._hand = 0
        self._lost_us: int | None = None
        self._keeper: asyncio.Task[None] | None = None
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done at the first welcome, or when there never will be one."""

    def start(self) -> None:
        """Connects, and keeps connected from now on."""
        self._keeper = asyncio.create_task(self._keep(), name="load socket")

    def drop(self) -> None:
        """The connection breaks; another one follows."""
        self._link.drop()

    async def leave(self) -> None:
        """Says goodbye, if the edge has not."""
        if self._keeper is not None:
            self._keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeper
        if self._socket and self._lost_us is None:
            self._desk.recorder.closed(self._socket, now_us(), None)
            await self._link.close()

    # What the link tells

    def opened(self) -> None:
        """A new connection is open."""
        self._socket, place = next(self._desk.numbers), self.place
        after = self.protocol.after
        self._desk.recorder.opened(
            self._socket, place.table, place.seat, place.player, now_us(), None if after is None else after[0]
        )
        self._carry_out(self.protocol.attach())

    def received(self, frame: bytes) -> None:
        """A frame has come."""
        at_us = now_us()
        if not self._note(frame, at_us):
            return
        self._deliver(frame, at_us)

    def lost(self) -> bool:
        """The connection is gone."""
        attached = self.protocol.attached
        self._lost_us = now_us()
        self._desk.recorder.closed(self._socket, self._lost_us, self._link.close_code)
        self._desk.measures.count("closed")
        self.protocol.lost()
        return attached

    # Within

    async def _keep(self) -> None:
        try:
            await self._link.keep_up()
        except ClientError as end:
            self.ended = end
            self.protocol.lost()
        finally:
            if not self.welcomed.done():
                self.welcomed.set_result(None)

    def _note(self, frame: bytes, at_us: int) -> bool:
        """Records and measures what has arrived. False: it is no frame of the protocol."""
        if frames.is_event(frame):
            return self._note_event(frame, at_us)
        if frame.startswith(_PING):
            return True  # every socket gets one each second
        try:
            kind = _decoder.decode(frame)
        except msgspec.DecodeError as error:
            self._desk.wrong("frame", f"{error}: {frame[:200]!r}")
            return False
        recorder, measures, n = self._desk.recorder, self._desk.measures, kind.n or 0
        match kind.t:
            case "verdict":
                recorder.verdict(self._socket, at_us, n, str(kind.v), kind.seq, kind.why)
                self._judged(n, str(kind.v), kind.why, at_us)
            case "welcome":
                recorder.welcomed(self._socket, at_us, n, kind.resumed, kind.set_back)
                self._welcomed(at_us)
            case "snapshot":
                self._hand = kind.hand
                recorder.snapshot(self._socket, at_us, kind.hand, kind.seq or 0, kind.digest)
                measures.count("snapshots")
            case "set_back":
                recorder.welcomed(self._socket, at_us, n, False, True)
                measures.count("set_back")
            case "paused":
                measures.count("paused")
            case "error":
                measures.count(f"error.{kind.code}")
        return True

    def _note_event(self, frame: bytes, at_us: int) -> bool:
        head = _EVENT.match(frame)
        if head is None:
            self._desk.wrong("frame", repr(frame[:200]))
            return False
        seq, what, seat, n = head.groups()
        if what == b"prepare" and (hand := _HAND.search(frame, head.end())) is not None:
            self._hand = int(hand[1])
        self._desk.recorder.event(self._socket, at_us, self._hand, int(seq), frame[_DIGEST].decode("ascii", "replace"))
        self._desk.measures.count("deliveries")
        if seat is not None and int(seat) != self.place.seat:
            left_us = self.place.departures.of(int(seat), int(n))
            if left_us is not None:
                what = Sample.HOT_DELIVERY if self.place.hot else Sample.DELIVERY
                self._desk.measures.sample(what, at_us - left_us)
        return True

    def _welcomed(self, at_us: int) -> None:
        if self._lost_us is not None:
            self._desk.measures.sample(Sample.BACK, at_us - self._lost_us)
            self._lost_us = None
        if not self.welcomed.done():
            self.welcomed.set_result(None)

    def _judged(self, n: int, outcome: str, why: str | None, at_us: int) -> None:
        """A verdict has come; watchers get none."""

    def _deliver(self, frame: bytes, at_us: int) -> None:
        """The frame reaches the player."""
        try:
            effects = self.protocol.received(frame)
        except NotTheProtocol as error:
            self._desk.wrong("protocol", str(error))
            self._link.drop()
            return
        self._carry_out(effects)

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            self._do(effect)

    def _do(self, effect: Effect) -> None:
        match effect:
            case Send(frame):
                self._link.send(frame)
            case Reconnect(why):
                self._desk.measures.count("reattached")
                self._desk.tell(f"attached anew: {why}")
                self._link.drop()
            case Complained(code, detail):
                self._desk.wrong(code, detail)
            case _:
                pass
