"""Whatever happens to a player's sockets at several edges, in whatever order the rest hears of it: when all is calm the
lobby takes the player for present exactly if a socket is there, and that socket has the newest table.
"""

from __future__ import annotations

import asyncio
import json
import operator
from collections.abc import Callable, Coroutine, Iterator
from contextvars import Context
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from services.gateway import presence, relay, table_socket
from services.gateway.attendance import Sitting
from services.gateway.commands import Attached, Snapshot
from services.gateway.hearing import EMOTE_RATE
from services.gateway.limits import Buckets
from services.gateway.presence import Farewells
from services.gateway.relay import Head, Relay
from services.gateway.relays import Relays
from services.gateway.table_socket import TableSocket
from services.gateway.table_view import TableView
from services.gateway.tasks import Tasks
from services.runtime.errors import DeadlineExceeded, Fault, NotFound, Unavailable
from tests.unit.gateway.fakes import FakeLog, history, table_view

EDGES = 2
LOST = {"unavailable": Unavailable, "late": DeadlineExceeded}
"""Made anew each time: a fault that stays keeps all that it came through, sockets too."""

_index = st.integers(0, 7)
_step = st.one_of(
    st.tuples(st.just("comes"), st.integers(0, EDGES - 1)),
    st.tuples(st.just("goes"), _index),
    *[st.tuples(st.just("answer"), _index)] * 3,
    st.tuples(st.just("happens"), _index),
    st.tuples(st.sampled_from(["unasked", "unanswered"]), st.tuples(_index, st.sampled_from(sorted(LOST)))),
    *[st.tuples(st.just("news"), _index)] * 2,
    st.tuples(st.sampled_from(["hand", "another history", "calm"]), st.none()),
    st.tuples(st.sampled_from(["breaks", "mends", "dies", "held up"]), st.integers(0, EDGES - 1)),
)


@dataclass(eq=False)
class Asked:
    """A call on its way: it is yet to happen, or its answer to come."""

    do: Callable[[], Any]
    answer: asyncio.Future[Any]
    in_turn: bool
    """Whether it never happens before an older one: what is seconds younger does not overtake it."""
    done: bool = False
    result: Any = None

    def happens(self) -> None:
        """Unless it has already."""
        if not self.done:
            self.done = True
            try:
                self.result = self.do()
            except Fault as fault:
                self.result = fault

    def answers(self) -> None:
        """Tells who asked what became of it."""
        if self.answer.done():
            return  # who asked is dead
        if isinstance(self.result, Fault):
            self.answer.set_exception(self.result)
        else:
            self.answer.set_result(self.result)

    def fails(self, fault: Fault) -> None:
        """Tells who asked that it has not been answered."""
        if not self.answer.done():
            self.answer.set_exception(fault)


@dataclass
class Wire:
    """A connection, as its client sees it."""

    code: int | None = None
    gone: bool = False
    told: list[dict[str, Any]] = field(default_factory=list)

    def write(self, payload: bytes) -> None:
        self.told.append(json.loads(payload))

    def write_framed(self, frames: bytes, count: int) -> None:
        """Events: of no interest here."""

    def read(self, on: bool) -> None:
        """Of no interest here."""

    def end(self, code: int, reason: str) -> None:
        self.code = code

    @property
    def version(self) -> int:
        """Of the table that was told last."""
        return int(next(f["table"]["version"] for f in reversed(self.told) if f["t"] in ("welcome", "table")))


class Feed:
    """An edge's subscription, which may be broken."""

    def __init__(self) -> None:
        self.relays: dict[str, Relay] = {}
        self.stands = True

    def subscribe(self, relay: Relay) -> None:
        self.relays[relay.table] = relay
        if self.stands:
            relay.subscribed()

    def unsubscribe(self, relay: Relay) -> None:
        del self.relays[relay.table]

    def breaks(self) -> None:
        self.stands = False
        for each in self.relays.values():
            each.deaf()

    def mends(self) -> None:
        if not self.stands:
            self.stands = True
            for each in self.relays.values():
                each.subscribed()


class EdgeTasks(Tasks):
    """An edge's work, which ends wherever it stands when the edge is killed."""

    def __init__(self) -> None:
        super().__init__()
        self.dead = False

    def spawn(self, work: Coroutine[Any, Any, None], context: Context | None = None) -> asyncio.Task[None]:
        if self.dead:
            work.close()
            return asyncio.ensure_future(idle())
        return super().spawn(work, context)


class Seats:
    """What an edge has written of its sockets' seats."""

    def __init__(self) -> None:
        self.sitting: dict[str, Sitting] = {}

    def sits(self, sitting: Sitting) -> None:
        self.sitting[sitting.socket] = sitting

    async def written(self, socket: str) -> None:
        """It is at once."""

    def left(self, socket: str) -> None:
        self.sitting.pop(socket, None)


class World:
    """Lobby, engines and edges; nothing happens and nothing is heard of before the test says so."""

    def __init__(self) -> None:
        self.version = 1
        self.present = False
        self.newest = ""
        self.went = 0
        """How often the player was taken to be away."""
        self.epoch: int | None = None
        self.holder = ""
        self.away = True
        self.log = FakeLog()
        self.asked: list[Asked] = []
        self.news: list[tuple[Feed, Callable[[Relay], None]]] = []
        self.feeds = [Feed() for _ in range(EDGES)]
        self.edges = [self._edge(feed) for feed in self.feeds]
        self.dead: list[Any] = []
        self.sockets: list[tuple[TableSocket, Wire]] = []

    def _edge(self, feed: Feed) -> Any:
        tasks = EdgeTasks()
        lobby: Any = SimpleNamespace(present=self._set_present)
        engines: Any = SimpleNamespace(attach=self._attach, detach=self._detach, snapshot=self._snapshot)
        seats: Any = SimpleNamespace(taken=self._taken)
        ignored = SimpleNamespace(arrive=lambda *_, **__: None, leave=lambda *_, **__: None)
        return SimpleNamespace(
            settings=SimpleNamespace(rate_limit=0, rate_burst=1, back_seconds=0.0),
            lobby=lobby,
            engines=engines,
            seats=seats,
            farewells=Farewells(lobby, engines, seats),
            relays=Relays(feed, self.log, self._view, tasks),
            log=self.log,
            plays=SimpleNamespace(lane=lambda *_: SimpleNamespace(close=lambda: None)),
            clock=SimpleNamespace(now_ms=lambda _: 0),
            company=ignored,
            notices=ignored,
            sockets=set[Any](),
            tasks=tasks,
            attendance=Seats(),
            emotes=Buckets(EMOTE_RATE),
        )

    # What edges ask.

    async def _call(self, do: Callable[[], Any], *, in_turn: bool = False) -> Any:
        asked = Asked(do, asyncio.get_running_loop().create_future(), in_turn)
        self.asked.append(asked)
        return await asked.answer

    async def _view(self, _table: str, player: str, _known: int) -> TableView:
        return cast(TableView, await self._call(lambda: table_view(self.version, present=self.present, asker=player)))

    async def _set_present(self, _table: str, _player: str, present: bool, socket: str) -> None:
        def do() -> None:
            if not present and socket and self.newest not in ("", socket):
                return
            newest = socket if present else ""
            if (present, newest) != (self.present, self.newest):
                self.went += self.present and not present
                self.present, self.newest = present, newest
                self.version += 1
                self._publish(Relay.changed)

        await self._call(do, in_turn=True)

    async def _attach(self, _table: str, _seat: int, _after_n: int, socket: str) -> Attached:
        def do() -> Attached:
            if self.epoch is None:
                raise NotFound("UNKNOWN_TABLE", "no hand")
            self.epoch += 1
            self.holder = socket
            self.away = False
            return Attached(self.epoch, 0, ())

        return cast(Attached, await self._call(do))

    async def _detach(self, _table: str, _seat: int, epoch: int, socket: str) -> bool:
        def do() -> bool:
            if self.epoch is None:
                raise NotFound("UNKNOWN_TABLE", "no hand")
            self.away = self.away or epoch == self.epoch or (epoch == 0 and socket == self.holder)
            if self.epoch == 0:
                raise NotFound("NO_SOCKET", "nobody was ever there")
            return self.away

        return bool(await self._call(do))

    async def _snapshot(self, _table: str) -> Snapshot:
        if not self.log.events:
            raise NotFound("UNKNOWN_TABLE", "no hand")
        return Snapshot(1, self.log.events[0].digest, b'{"t":"snapshot"}')

    async def _taken(self, _table: str, seat: int, epoch: int) -> None:
        self._publish(lambda each: each.attached(seat, epoch))

    def _publish(self, hear: Callable[[Relay], None]) -> None:
        self.news += [(feed, hear) for feed in self.feeds if feed.stands]

    # What happens.

    async def step(self, what: str, how: Any) -> None:
        match what:
            case "comes":
                wire = Wire()
                socket = TableSocket(self.edges[how], cast(Any, wire), "t1", "ann")
                self.sockets.append((socket, wire))
                socket.text(b'{"t":"attach","seat":true}')
            case "goes" if self.sockets:
                self._goes(*self.sockets[how % len(self.sockets)])
            case "happens" if self.asked:
                self._happens(self.asked[how % len(self.asked)])
            case "answer" if self.asked:
                asked = self.asked[how % len(self.asked)]
                self._happens(asked)
                self.asked.remove(asked)
                asked.answers()
            case "unasked" | "unanswered" if self.asked:
                index, fault = how
                asked = self.asked[index % len(self.asked)]
                if what == "unanswered":
                    self._happens(asked)
                self.asked.remove(asked)
                asked.fails(LOST[fault]("LOST"))
            case "news" if self.news:
                feed, hear = self.news.pop(how % len(self.news))
                for each in tuple(feed.relays.values()):
                    hear(each)
            case "hand" if self.epoch is None:
                self.epoch = 0
                self.log.events = history(1)
                self._publish(lambda each: each.published(self.log.events[0].payload))
            case "another history" if self.epoch is not None:
                self.log.events = history(1, str(self.log.reads))
                for each in [each for feed in self.feeds for each in feed.relays.values()]:
                    if each.head is not None:
                        each.compare(Head(1, self.log.events[0].digest), each.head)
            case "breaks":
                self.feeds[how].breaks()
                self.news = [(feed, hear) for feed, hear in self.news if feed is not self.feeds[how]]
            case "mends":
                self.feeds[how].mends()
            case "dies":
                self._dies(how)
            case "held up":
                # So long that the others have written it off; its sockets are sent away as soon as it knows.
                edge = self.edges[how]
                self._tell_of(edge)
                for socket in tuple(edge.sockets):
                    socket.going_away()
        await idle()

    def _goes(self, socket: TableSocket, wire: Wire) -> None:
        if not wire.gone:
            wire.gone = True
            socket.lost()

    def _dies(self, number: int) -> None:
        """The edge is killed; another one comes in its place, and is not the one that tells of it."""
        edge, feed = self.edges[number], self.feeds[number]
        edge.tasks.dead = True
        for task in tuple(edge.tasks._running):
            task.cancel()
        for _, wire in [each for each in self.sockets if each[0]._edge is edge]:
            wire.gone = True
        self.news = [(heard_by, hear) for heard_by, hear in self.news if heard_by is not feed]
        self.feeds[number] = Feed()
        self.edges[number] = self._edge(self.feeds[number])
        self.dead.append(edge)

    def _tell_of(self, edge: Any) -> None:
        """What is told of an edge that has died or was held up for long."""
        teller = next(each for each in self.edges if each is not edge)
        for sitting in edge.attendance.sitting.values():
            teller.tasks.spawn(teller.farewells.say(sitting))

    def _happens(self, asked: Asked) -> None:
        for older in self.asked[: self.asked.index(asked)] if asked.in_turn else ():
            if older.in_turn:
                older.happens()
        asked.happens()

    async def calm(self) -> None:
        """Everything is answered and heard of, and what was closed is gone."""
        for feed in self.feeds:
            feed.mends()
        for _ in range(1000):
            await idle()
            if self.asked:
                await self.step("answer", 0)
            elif self.news:
                await self.step("news", 0)
            elif closed := [each for each in self.sockets if each[1].code is not None and not each[1].gone]:
                self._goes(*closed[0])
            elif self.dead:
                self._tell_of(self.dead.pop())
            elif not any(edge.tasks for edge in self.edges):
                return
        raise AssertionError("it never becomes calm")

    @property
    def there(self) -> list[Wire]:
        """The connections that stand."""
        return [wire for _, wire in self.sockets if not wire.gone]

    @property
    def standing(self) -> list[str]:
        """Their sockets' names."""
        return [socket._name for socket, wire in self.sockets if not wire.gone]


async def idle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture(autouse=True, scope="module")
def _at_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(presence, "AGAIN_SECONDS", (0.0,) * 1000)
        patch.setattr(relay, "AGAIN_SECONDS", 0.0)
        patch.setattr(table_socket, "AGAIN_SECONDS", 0.0)
        yield


_SITS = [("hand", None), ("comes", 0), ("calm", None)]


_ELDER, _YOUNGER = ("answer", 0), ("answer", 1)
_UNDER_WAY = [("comes", 0), _ELDER, _ELDER]


@example([*_SITS, ("comes", 0), _ELDER, ("goes", 1)])
@example([*_SITS, ("comes", 0), ("unanswered", (0, "late")), ("calm", None), ("goes", 0)])
@example([*_SITS, ("another history", None), ("unanswered", (0, "late"))])
@example([("comes", 0), ("calm", None), ("goes", 0), ("unasked", (0, "late"))])
@example(
    [
        *[("hand", None), *_UNDER_WAY, ("comes", 0), ("goes", 1), _YOUNGER, _YOUNGER],
        *[("unasked", (0, "unavailable")), _ELDER],
    ]
)
@example([("comes", 0), ("happens", 0), ("breaks", 0), ("comes", 1), *[_YOUNGER] * 3, ("mends", 0)])
@example(
    [
        *[*_UNDER_WAY, ("happens", 0), ("comes", 1), _YOUNGER, ("goes", 1), _YOUNGER, _YOUNGER],
        *[*[("news", 0)] * 3, _YOUNGER],
    ]
)
@example([*_SITS, ("dies", 0)])
@example([("comes", 0), ("calm", None), ("dies", 0)])
@example([*_SITS, ("comes", 1), ("calm", None), ("dies", 0)])
@example([*_SITS, ("held up", 0), ("comes", 1)])
@settings(max_examples=1000)
@given(steps=st.builds(operator.add, st.sampled_from([[], _SITS]), st.lists(_step, min_size=5, max_size=60)))
def test_a_player_is_present_exactly_if_a_socket_is_there(steps: list[tuple[str, Any]]) -> None:
    async def happens() -> None:
        world = World()
        for what, how in steps:
            await (world.calm() if what == "calm" else world.step(what, how))
        await world.calm()
        assert world.present is bool(world.there)
        if world.holder in world.standing or not world.there:  # one that is overtaken finds out when it plays
            assert world.away is not bool(world.there)
        assert all(wire.version == world.version for wire in world.there)
        for socket, wire in world.sockets:
            world._goes(socket, wire)
        await world.calm()
        assert not world.present
        assert world.away

    asyncio.run(happens())


@pytest.mark.parametrize("hand", ["never", "before", "between"])
@pytest.mark.parametrize("older", ["goes", "dies"])
async def test_who_is_back_elsewhere_was_never_away(hand: str, older: str) -> None:
    world = World()
    first = [("hand", None)] if hand == "before" else []
    for what, how in [*first, ("comes", 0), ("calm", None), ("comes", 1)]:
        await (world.calm() if what == "calm" else world.step(what, how))
    while world.asked:
        await world.step("answer", 0)
    if hand == "between":
        await world.step("hand", None)
    await world.step(older, 0)
    await world.calm()
    assert world.present
    assert world.went == 0
    for socket, wire in world.sockets:
        world._goes(socket, wire)
    await world.calm()
    assert world.went == 1


async def test_a_history_that_is_lost_while_a_late_seat_is_taken_is_looked_for_afterwards() -> None:
    world = World()
    edge = world.edges[0]
    written, goes_on = edge.attendance.written, asyncio.Event()
    edge.attendance.written = lambda _: goes_on.wait()
    socket = TableSocket(edge, cast(Any, wire := Wire()), "t1", "ann")
    world.sockets.append((socket, wire))
    socket.text(b'{"t":"attach","seat":true,"after":{"seq":0,"digest":""}}')
    for what in ("answer", "answer", "hand"):  # the table; no hand yet, and it waits to be written; then there is one
        await idle()
        await world.step(what, 0)
    while world.news:
        await world.step("news", 0)
    edge.attendance.written = written
    goes_on.set()
    await idle()
    await world.step("another history", None)
    assert len([asked for asked in world.asked if "_attach" in asked.do.__qualname__]) == 1, "one after the other"
    await world.calm()
    assert wire.code is None
    assert socket._session.epoch == socket._epoch == world.epoch


async def test_what_is_under_way_under_an_older_epoch_is_given_up_before_the_engine_is_asked_for_a_newer() -> None:
    world = World()
    lanes: list[object] = []

    def lane(*_: object) -> Any:
        made: Any = SimpleNamespace(close=lambda: lanes.remove(made))
        lanes.append(made)
        return made

    edge = world.edges[0]
    edge.plays.lane = lane
    for what, how in _SITS:
        await (world.calm() if what == "calm" else world.step(what, how))
    (older,) = lanes
    await world.step("another history", None)
    assert lanes == []
    edge.attendance.written = lambda _: asyncio.Event().wait()
    await world.step("answer", 0)
    assert older not in lanes
    assert len(lanes) == 1
    await edge.tasks.cancel()
