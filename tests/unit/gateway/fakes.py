"""Hand-written stand-ins for the ports of the edge's pure parts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from hashlib import sha1
from typing import Any

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from services.gateway import frames, models
from services.gateway.commands import Command, Outcome, Verdict
from services.gateway.events import Event, Run, read
from services.gateway.relay import Head, Relay
from services.gateway.table_view import TableView
from services.runtime.errors import Unavailable


def history(count: int, salt: str = "") -> list[Event]:
    """The first ``count`` events of a table; another ``salt`` is another history."""
    events: list[Event] = []
    digest = ""
    for seq in range(1, count + 1):
        body = f'{{"seq":{seq},"at":1000,"e":"test","salt":"{salt}"'
        digest = sha1((digest + body).encode()).hexdigest()[:16]
        events.append(read(f'{body},"digest":"{digest}"}}'.encode()))
    return events


def table_view(
    version: int = 1,
    players: Sequence[str] = ("ann", "bob"),
    state: models.TableState = "playing",
    present: bool = True,
    asker: str = "ann",
    host: str = "ann",
) -> TableView:
    """A table with these players in its seats, as the lobby shows it to ``asker``."""
    sees_invite = asker == host or asker in players
    return TableView(
        models.Table(
            id="t1",
            version=version,
            state=state,
            public=True,
            invite="come-in" if sees_invite else "",
            code="7KM4Q0" if sees_invite else "",
            host=host,
            options={},
            preset=None,
            seats=[
                models.Seat(
                    index=i,
                    player=player,
                    name=player,
                    bot=False,
                    strength=None,
                    pace=None,
                    ready=False,
                    present=present,
                    total=0,
                    dispute=False,
                )
                for i, player in enumerate(players)
            ],
            teams=[],
            match="m1",
            hand=1,
            commitment="",
            winners=[],
            playoff=False,
            disputable=False,
            created_ms=0,
        ),
        asker,
    )


def unframed(data: bytes) -> list[bytes]:
    """The payloads of WebSocket frames, as a client reads them."""
    client = ClientProtocol(parse_uri("ws://edge/"), state=State.OPEN)
    client.receive_data(data)
    events = client.events_received()
    assert client.parser_exc is None
    assert all(isinstance(frame, Frame) and frame.fin and frame.opcode is Opcode.TEXT for frame in events)
    return [bytes(frame.data) for frame in events if isinstance(frame, Frame)]


class FakeShell:
    """Records what a session asks for."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self.reading = True
        self.wakes: list[float] = []
        self.attaches: list[frames.Attach] = []
        self.commands: list[Command] = []
        self.readies: list[frames.Ready] = []
        self.emotes: list[frames.EmoteOut] = []
        self.seats_taken = 0
        self.presences = 0
        self.recoveries = 0
        self.on_its_way: set[int] = set()
        self.digests: dict[int, str] = {}
        """What the relay knows."""

    def send(self, payload: bytes) -> None:
        assert self.closed is None
        self.sent.append(payload)

    def send_framed(self, frames: bytes, count: int) -> None:
        assert self.closed is None
        payloads = unframed(frames)
        assert len(payloads) == count
        self.sent += payloads

    def close(self, code: int, reason: str) -> None:
        assert self.closed is None
        self.closed = (code, reason)

    def read(self, on: bool) -> None:
        assert on is not self.reading
        self.reading = on

    def wake(self, seconds: float) -> None:
        self.wakes.append(seconds)

    def attach(self, request: frames.Attach) -> None:
        self.attaches.append(request)

    def take_seat(self) -> None:
        self.seats_taken += 1

    def digest_of(self, seq: int) -> str | None:
        return self.digests.get(seq)

    def submit(self, command: Command) -> bool:
        if command.n in self.on_its_way:
            return False
        self.commands.append(command)
        return True

    def ready(self, request: frames.Ready) -> None:
        self.readies.append(request)

    def emote(self, emote: frames.EmoteOut) -> None:
        self.emotes.append(emote)

    def present(self) -> None:
        self.presences += 1

    def recover(self) -> None:
        self.recoveries += 1

    @property
    def received(self) -> list[dict[str, Any]]:
        """What the client has got, decoded."""
        return [json.loads(payload) for payload in self.sent]


class FakeStream:
    """An engine's end of a stream: tests read what was sent and decide what comes back."""

    def __init__(self) -> None:
        self.batches: list[list[Command]] = []
        self.arrived = asyncio.Event()
        self._answers: asyncio.Queue[Sequence[Verdict] | Unavailable] = asyncio.Queue()

    async def write(self, commands: Sequence[Command]) -> None:
        self.batches.append(list(commands))
        self.arrived.set()

    async def read(self) -> Sequence[Verdict]:
        answer = await self._answers.get()
        if isinstance(answer, Unavailable):
            raise answer
        return answer

    def cancel(self) -> None:
        self.breaks()

    def answers(self, *verdicts: Verdict) -> None:
        """Sends verdicts in one message."""
        self._answers.put_nowait(verdicts)

    def breaks(self) -> None:
        """Ends the stream as a dead engine does."""
        self._answers.put_nowait(Unavailable("UNAVAILABLE", "gone"))

    @property
    def numbers(self) -> list[int]:
        """The command numbers sent, in order."""
        return [command.n for batch in self.batches for command in batch]


class FakeEngine:
    """Opens fake streams, unless it is down."""

    def __init__(self) -> None:
        self.streams: list[FakeStream] = []
        self.down = False

    async def open(self) -> FakeStream:
        if self.down:
            raise Unavailable("UNAVAILABLE", "down")
        self.streams.append(FakeStream())
        return self.streams[-1]

    @property
    def numbers(self) -> list[int]:
        """The command numbers sent on any of its streams."""
        return [n for stream in self.streams for n in stream.numbers]


class FakeListener:
    """Records a socket's verdicts."""

    def __init__(self) -> None:
        self.verdicts: list[tuple[Outcome, bytes]] = []
        self.given: list[int] = []

    def verdict(self, outcome: Outcome, frame: bytes, now: float) -> None:
        self.verdicts.append((outcome, frame))

    def given_up(self, n: int) -> None:
        self.given.append(n)


class FakeLog:
    """The tables' logs as lists of events; ``broken`` makes it unreachable."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.broken = False
        self.reads = 0

    async def head(self, table: str) -> Head:
        self._look()
        return Head(self.events[-1].seq, self.events[-1].digest) if self.events else Head(0, "")

    async def since(self, table: str, seq: int) -> Sequence[Event]:
        self._look()
        return [event for event in self.events if event.seq >= seq]

    async def heads(self, tables: Sequence[str]) -> Sequence[Head]:
        return [await self.head(table) for table in tables]

    def _look(self) -> None:
        self.reads += 1
        if self.broken:
            raise Unavailable("REDIS_UNAVAILABLE", "gone")


class FakeFeed:
    """A subscription that stands at once; tests publish by hand."""

    def __init__(self) -> None:
        self.relays: dict[str, Relay] = {}
        self.subscriptions = 0

    def subscribe(self, relay: Relay) -> None:
        self.relays[relay.table] = relay
        self.subscriptions += 1
        relay.subscribed()

    def unsubscribe(self, relay: Relay) -> None:
        del self.relays[relay.table]

    def publish(self, table: str, events: Iterable[Event], *, together: bool = False) -> None:
        """Publishes events, one by one or all in one message."""
        payloads = [event.payload for event in events]
        for payload in [b"\n".join(payloads)] if together else payloads:
            if table in self.relays:
                self.relays[table].published(payload)


class FakeMember:
    """Records what a socket is told."""

    def __init__(self, player: str | None = None) -> None:
        self.player = player
        self.seqs: list[int] = []
        self.views: list[TableView] = []
        self.takers: list[tuple[int, int]] = []
        self.pauses: list[bool] = []
        self.losses = 0

    def told(self, run: Run) -> None:
        assert unframed(run.framed) == [event.payload for event in run.events]
        self.seqs += [event.seq for event in run.events]

    def table(self, view: TableView) -> None:
        self.views.append(view)

    def taken_over(self, seat: int, epoch: int) -> None:
        self.takers.append((seat, epoch))

    def paused(self, paused: bool) -> None:
        self.pauses.append(paused)

    def history_lost(self) -> None:
        self.losses += 1
        self.seqs.clear()
