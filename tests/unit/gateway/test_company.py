"""How many watch, over several edges that tell each other, and emotes; without Redis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.client.models import Emote
from services.gateway.company import Company
from services.gateway.frames import EmoteName, EmoteOut
from services.runtime.errors import Unavailable


class Square:
    """Where edges meet: what each has said, and what was published. ``broken`` makes it unreachable."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self.asked = 0
        self.broken = False

    def publish(self, table: str, frame: bytes) -> None:
        for edge in self.edges:
            edge.company.heard(table, frame)


class Edge:
    """One edge's company, as the others' port sees it."""

    def __init__(self, square: Square) -> None:
        self.square = square
        self.said: dict[str, int] = {}
        self.company = Company(self)
        square.edges.append(self)

    async def tell(self, here: Mapping[str, int]) -> Mapping[str, int]:
        if self.square.broken:
            raise Unavailable("REDIS_UNAVAILABLE", "gone")
        self.square.asked += 1
        self.said.update(here)
        totals = {table: sum(edge.said.get(table, 0) for edge in self.square.edges) for table in here}
        for table, total in totals.items():
            self.square.publish(table, b'{"t":"watchers","count":%d}' % total)
        return totals

    async def say(self, table: str, frame: bytes) -> None:
        if self.square.broken:
            raise Unavailable("REDIS_UNAVAILABLE", "gone")
        self.square.publish(table, frame)

    async def watchers(self, tables: Sequence[str]) -> Mapping[str, int]:
        return {}

    def arrives(self, *, watches: bool, table: str = "t1") -> Socket:
        socket = Socket()
        self.company.arrive(table, socket, watches=watches)
        return socket

    def leaves(self, socket: Socket, *, watches: bool, table: str = "t1") -> None:
        self.company.leave(table, socket, watches=watches)


class Socket:
    """Records what it is told."""

    def __init__(self) -> None:
        self.counts: list[int] = []
        self.emotes: list[bytes] = []

    def emote(self, frame: bytes) -> None:
        self.emotes.append(frame)

    def watchers(self, count: int) -> None:
        self.counts.append(count)


async def test_watchers_of_all_edges_are_counted_together() -> None:
    square = Square()
    here, there = Edge(square), Edge(square)
    player = here.arrives(watches=False)
    here.arrives(watches=True)
    there.arrives(watches=True)
    there.arrives(watches=True)
    for edge in (here, there, here):
        await edge.company.tell()
    assert player.counts[-1] == 3


async def test_who_comes_later_is_told_at_once() -> None:
    edge = Edge(Square())
    edge.arrives(watches=True)
    await edge.company.tell()
    assert edge.arrives(watches=False).counts == [1]


async def test_sockets_are_told_once_however_many_come_and_go_in_between() -> None:
    edge = Edge(Square())
    player = edge.arrives(watches=False)
    for _ in range(50):
        edge.leaves(edge.arrives(watches=True), watches=True)
        edge.arrives(watches=True)
    await edge.company.tell()
    assert player.counts == [0, 50]


async def test_a_table_that_nobody_watches_is_asked_for_once_and_then_costs_nothing() -> None:
    square = Square()
    edge = Edge(square)
    edge.arrives(watches=False)
    for _ in range(10):
        await edge.company.tell()
    assert square.asked == 1


async def test_nothing_is_kept_of_a_table_that_everyone_has_left() -> None:
    edge = Edge(Square())
    watcher, player = edge.arrives(watches=True), edge.arrives(watches=False)
    await edge.company.tell()
    edge.leaves(player, watches=False)
    edge.leaves(watcher, watches=True)
    assert len(edge.company) == 1  # the others are still to be told
    await edge.company.tell()
    assert len(edge.company) == 0
    assert edge.said == {"t1": 0}


async def test_an_edge_that_could_not_be_heard_says_it_when_somebody_comes_or_goes() -> None:
    square = Square()
    edge = Edge(square)
    player = edge.arrives(watches=False)
    edge.arrives(watches=True)
    square.broken = True
    await edge.company.tell()
    assert player.counts == [0]
    square.broken = False
    edge.arrives(watches=True)
    await edge.company.tell()
    assert player.counts == [0, 2]


async def test_after_a_subscription_was_lost_the_count_is_asked_for_anew() -> None:
    square = Square()
    edge, other = Edge(square), Edge(square)
    player = edge.arrives(watches=False)
    await edge.company.tell()
    other.said["t1"] = 4  # published while this edge heard nothing
    await edge.company.tell()
    assert player.counts == [0]
    edge.company.missed("t1")
    await edge.company.tell()
    assert player.counts == [0, 4]


async def test_an_emote_reaches_everyone_at_the_table_and_nobody_elsewhere() -> None:
    square = Square()
    here, there = Edge(square), Edge(square)
    near, far, elsewhere = (
        here.arrives(watches=False),
        there.arrives(watches=True),
        here.arrives(watches=False, table="t2"),
    )
    await here.company.say("t1", EmoteOut(1, "nice"))
    assert near.emotes == far.emotes == [b'{"t":"emote","seat":1,"emote":"nice"}']
    assert elsewhere.emotes == []


async def test_what_is_no_frame_is_passed_to_nobody() -> None:
    edge = Edge(Square())
    socket = edge.arrives(watches=False)
    for nonsense in (b"", b"{}", b'{"t":"emote","seat":1,"emote":"rude"}', b'{"t":"table"}'):
        edge.company.heard("t1", nonsense)
    await edge.company.tell()
    assert socket.emotes == []
    assert socket.counts == [0]


def test_the_sdk_knows_every_emote() -> None:
    assert {emote.value for emote in Emote} == set(EmoteName.__args__)  # type: ignore[attr-defined]
