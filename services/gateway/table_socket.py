"""One table socket: a session on a wire, and the waiting that a session can't do itself.

Attaching subscribes first, then reads the past, then lets the session merge the two. Knows the order of the calls; what
a client gets when is the session's.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, Final

from structlog.contextvars import bind_contextvars

from services.gateway import frames, metrics
from services.gateway.attendance import Sitting
from services.gateway.bucket import Rate
from services.gateway.commands import Attached, Command, Snapshot
from services.gateway.lane import Lane
from services.gateway.past import Past, missed
from services.gateway.presence import Presence
from services.gateway.relay import Relay
from services.gateway.session import Session
from services.gateway.sockets import Sight
from services.gateway.wire import Wire
from services.runtime.errors import DeadlineExceeded, Fault, NotFound, Unavailable
from services.runtime.log import logger

if TYPE_CHECKING:
    from services.gateway.edge import Edge

ATTACH_SECONDS: Final = 8.0
AGAIN_SECONDS: Final = 0.25
READY_AGAIN_SECONDS: Final = (0.25, 1.0, 4.0)
"""A lobby that can't be reached is told again after so long that a player is ready; then the player is told."""

_log = logger(__name__)


class TableSocket:
    """Shell of a :class:`Session`, receiver of a :class:`Wire`."""

    def __init__(self, edge: Edge, wire: Wire, table: str, player: str | None) -> None:
        rate = Rate(edge.settings.rate_limit, edge.settings.rate_burst)
        self._edge = edge
        self._wire = wire
        self._table = table
        self._player = player
        now = time.monotonic()
        emotes = None if player is None else edge.emotes.of(player, now)
        self._session = Session(self, table, player, rate, now, emotes)
        self._relay: Relay | None = None
        self._lane: Lane | None = None
        self._name = secrets.token_hex(8)
        self._claimed: int | None = None
        self._epoch = 0
        self._kind: str | None = None
        self._readiness: frames.Ready | None = None
        self._gone = False
        self._busy = 0
        self._taken_over = False
        self._lost_again = False
        back_seconds = edge.settings.back_seconds
        self._presence = Presence(edge.lobby, edge.engines, edge.seats, table, player, self._name, back_seconds)
        loop = asyncio.get_running_loop()
        self._loop = loop
        self._tick_timer = loop.call_later(ATTACH_SECONDS, self._never_attached)
        self._wake_timer: asyncio.TimerHandle | None = None
        # The wire calls from outside the request that opened the socket; what is logged for it names both all the same.
        self._context = copy_context()
        self._context.run(bind_contextvars, table=table)
        edge.sockets.add(self)

    @property
    def sight(self) -> Sight:
        """What operators see of it."""
        return Sight(self._table, self._session.seat, self._player or "", self._session.rtt_ms)

    # From the wire.

    def text(self, data: bytes) -> None:
        """A text frame."""
        self._session.receive(data, time.monotonic(), self._edge.clock.now_ms(self._table))

    def binary(self) -> None:
        """A binary frame."""
        self._session.receive_binary(time.monotonic())

    def overflowed(self) -> None:
        """The client reads too slowly; nobody waits for it."""
        self._session.close(4008, "too slow")

    def going_away(self) -> None:
        """The server stops."""
        self._session.close(1001, "going away")

    def lost(self) -> None:
        """The connection is gone."""
        self._gone = True
        self._presence.lost()
        self._session.lost()
        self._tick_timer.cancel()
        if self._wake_timer is not None:
            self._wake_timer.cancel()
        if not self._busy:
            self._spawn(self._clean_up())

    # From the session.

    def send(self, payload: bytes) -> None:
        """Writes one frame."""
        self._wire.write(payload)

    def send_framed(self, frames: bytes, count: int) -> None:
        """Writes frames that are ready."""
        self._wire.write_framed(frames, count)

    def close(self, code: int, reason: str) -> None:
        """Ends the connection."""
        self._taken_over = code == 4009
        self._wire.end(code, reason)

    def read(self, on: bool) -> None:
        """Goes on, or stops, reading."""
        self._wire.read(on)

    def wake(self, seconds: float) -> None:
        """Has the session look at waiting frames after so long."""
        if self._wake_timer is not None:
            self._wake_timer.cancel()
        self._wake_timer = self._loop.call_later(seconds, self._drain)

    def attach(self, request: frames.Attach) -> None:
        """Attaches in the background."""
        self._begin(lambda: self._attach(request))

    def take_seat(self) -> None:
        """Takes the seat in the background."""
        self._begin(self._take_late)

    def digest_of(self, seq: int) -> str | None:
        """Asks the table's relay."""
        return None if self._relay is None else self._relay.digest_of(seq)

    def submit(self, command: Command) -> bool:
        """Passes a command on."""
        return self._lane is not None and self._lane.submit(command, time.monotonic())

    def ready(self, request: frames.Ready) -> None:
        """Tells the lobby."""
        self._spawn(self._say_ready(request))

    def emote(self, emote: frames.EmoteOut) -> None:
        """Tells everyone at the table."""
        self._spawn(self._say(emote))

    def present(self) -> None:
        """Tells the lobby that the player is here."""
        self._spawn(self._presence.here())

    def recover(self) -> None:
        """Finds out where the table stands, in the background."""
        self._lost_again = True
        if not self._busy:
            self._begin(self._recover)

    # Within.

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self._edge.tasks.spawn(work, self._context.copy())

    def _begin(self, work: Callable[[], Awaitable[None]]) -> None:
        self._busy += 1
        self._spawn(self._in_background(work))

    async def _in_background(self, work: Callable[[], Awaitable[None]]) -> None:
        """Runs ``work``. A fault ends the connection, so that the client comes again."""
        try:
            async with asyncio.timeout(ATTACH_SECONDS):
                await work()
        except NotFound:
            self._session.close(4004, "no such table")
        except (Fault, TimeoutError) as error:
            _log.warning("socket given up", error=str(error))
            self._session.close(1001, "try again")
        finally:
            # What it began itself may still be under way.
            self._busy -= 1
            if self._gone and not self._busy:
                self._spawn(self._clean_up())
            elif self._lost_again and self._session.live:
                self.recover()

    async def _attach(self, request: frames.Attach) -> None:
        edge = self._edge
        if request.seat and self._player is None:
            self._session.close(4001, "not signed in")
            return
        self._relay = relay = await edge.relays.join(self._table, self._session, ATTACH_SECONDS)
        view = await relay.view(self._player, seated=request.seat)
        if view.closed:
            self._session.close(4010, "the table is closed")
            return
        seat = view.seat_of(self._player) if request.seat else None
        if request.seat and seat is None:
            self._session.close(4003, "not your seat")
            return
        taken = None if seat is None else await self._take(seat, request.n)
        past = await missed(edge.log, relay, request.after)
        snapshot = None if past.events is not None else await self._snapshot()
        if self._gone:
            return
        self._session.welcome(
            view=view,
            seat=seat,
            epoch=taken.epoch if taken else None,
            n=taken.last_n if taken else 0,
            now_ms=edge.clock.now_ms(self._table),
            set_back=past.set_back,
            snapshot=snapshot,
            verdicts=taken.verdicts if taken else (),
            after=request.after.seq if request.after else 0,
            events=past.events or (),
            resumed=past.events is not None,
        )
        self._count(request, past)
        self._announce()
        if seat is not None and (taken is None or not view.is_present(seat)):
            self.present()
        self._tick_timer.cancel()
        self._tick()

    async def _take(self, seat: int, after_n: int) -> Attached | None:
        """Takes the seat. None: the table has had no hand yet."""
        self._claimed, self._epoch = seat, 0  # none, or not known: the answer may be lost
        self._edge.attendance.sits(Sitting(self._table, self._player or "", seat, self._name))
        if self._lane is not None:
            # What is under way on it is of an older epoch once the engine has heard: its verdicts would end the socket.
            self._lane.close()
            self._lane = None
        taken = await self._attached(seat, after_n)
        self._presence.named = taken is None
        if taken is not None:
            self._epoch = taken.epoch
            self._lane = self._edge.plays.lane(self._table, self._session)
        await self._edge.attendance.written(self._name)
        return taken

    async def _attached(self, seat: int, after_n: int) -> Attached | None:
        try:
            return await self._edge.engines.attach(self._table, seat, after_n, self._name)
        except NotFound:
            return None

    def _announce(self) -> None:
        """Has older sockets of the seat closed; the session knows its own epoch by now."""
        if self._claimed is not None and self._epoch:
            self._spawn(self._presence.taken(self._claimed, self._epoch))

    async def _take_late(self) -> None:
        seat = self._session.seat
        if seat is None:
            return
        taken = await self._take(seat, 0)
        if taken is None:
            raise Unavailable("UNAVAILABLE", "a hand was announced that no engine knows")
        self._session.seated(taken.epoch)
        self._announce()

    async def _snapshot(self) -> Snapshot | None:
        try:
            return await self._edge.engines.snapshot(self._table)
        except NotFound:
            return None

    async def _recover(self) -> None:
        """The relay has lost its history: the client gets the one that exists."""
        while self._lost_again and not self._gone:
            self._lost_again = False
            try:
                seat = self._session.seat
                taken = None if seat is None else await self._take(seat, 0)
                snapshot = await self._edge.engines.snapshot(self._table)
            except Unavailable:
                await asyncio.sleep(AGAIN_SECONDS)
                self._lost_again = True
                continue
            if not self._lost_again:
                metrics.RESUMES.labels("set_back").inc()
                n, epoch = (taken.last_n, taken.epoch) if taken else (0, None)
                self._session.set_back(n, epoch, snapshot)
                self._announce()

    async def _clean_up(self) -> None:
        """Tells everyone that the socket is gone, unless it was taken over or asked for no seat."""
        if self._relay is not None:
            self._edge.relays.leave(self._relay, self._session)
            self._relay = None
        if self._lane is not None:
            self._lane.close()
        if self._kind is not None:
            metrics.SOCKETS.labels(self._kind).dec()
            self._edge.company.leave(self._table, self._session, watches=self._kind == "spectator")
            self._edge.notices.leave(self._session)
            self._kind = None
        self._edge.sockets.remove(self)
        if self._claimed is not None and not self._taken_over:
            await self._presence.gone(self._claimed, self._epoch)
        self._edge.attendance.left(self._name)

    def _count(self, request: frames.Attach, past: Past) -> None:
        watches = self._session.seat is None
        self._kind = "spectator" if watches else "seat"
        metrics.SOCKETS.labels(self._kind).inc()
        self._edge.company.arrive(self._table, self._session, watches=watches)
        self._edge.notices.arrive(self._session)
        if past.set_back:
            kind = "set_back"
        elif past.events is not None:
            kind = "events"
        else:
            kind = "snapshot" if request.after is not None else "fresh"
        metrics.RESUMES.labels(kind).inc()
        if request.after is not None:
            metrics.RECONNECTS.inc()

    def _tick(self) -> None:
        delay = self._session.tick(time.monotonic())
        if delay is not None and not self._gone:
            self._tick_timer = self._loop.call_later(delay, self._tick)

    def _drain(self) -> None:
        self._session.drain(time.monotonic())

    def _never_attached(self) -> None:
        if not self._session.live and not self._busy:
            self._session.close(1008, "attach comes first")

    async def _say(self, emote: frames.EmoteOut) -> None:
        try:
            await self._edge.company.say(self._table, emote)
        except Fault:
            self._session.refuse("unavailable", "the emote was not passed on")

    async def _say_ready(self, request: frames.Ready) -> None:
        player = self._player
        if player is None:
            return
        nonce = request.nonce or secrets.token_hex(16)
        self._readiness = request
        for pause in (*READY_AGAIN_SECONDS, None):
            try:
                await self._edge.lobby.ready(self._table, player, request.ready, nonce)
            except Fault as fault:
                if pause is None or not isinstance(fault, Unavailable | DeadlineExceeded):
                    self._session.refuse("ready_refused", str(fault))
                    return
                await asyncio.sleep(pause)
                if self._gone or self._readiness is not request:
                    return  # nobody waits for it, or the player has said something newer
            else:
                return
