"""A table's events reach its sockets once, in order, whatever the subscription does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from services.gateway.relay import TAIL, Head
from services.gateway.relays import Relays
from services.gateway.table_view import TableView
from services.gateway.tasks import Tasks
from services.runtime.errors import NotFound, Unavailable
from tests.unit.gateway.fakes import FakeFeed, FakeLog, FakeMember, history, table_view


class Place:
    """Relays over fakes."""

    def __init__(self) -> None:
        self.log = FakeLog()
        self.feed = FakeFeed()
        self.version = 1
        self.players = ("ann", "bob")
        self.asked_by: list[str] = []
        self.known: list[int] = []
        self.lobby_broken = False
        self.closed = False
        self.lobby_answers = asyncio.Event()
        self.lobby_answers.set()
        self.relays = Relays(self.feed, self.log, self._fetch, Tasks())

    async def joins(self, member: FakeMember, table: str = "t1") -> None:
        await self.relays.join(table, member, 1.0)

    def happens(self, count: int, salt: str = "") -> None:
        """The log has ``count`` events now; nothing is published."""
        self.log.events = history(count, salt)

    def published(self, first: int, last: int) -> None:
        self.feed.publish("t1", self.log.events[first - 1 : last])

    async def _fetch(self, table: str, player: str, known: int) -> TableView:
        self.asked_by.append(player)
        self.known.append(known)
        if self.lobby_broken:
            raise Unavailable("UNAVAILABLE", "gone")
        if self.closed:
            raise NotFound("UNKNOWN_TABLE", "no such table")
        found = table_view(self.version, self.players, asker=player, host=self.players[0])
        await self.lobby_answers.wait()
        return found


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.001)


async def test_every_socket_gets_every_event_after_it_joined() -> None:
    place, early, late = Place(), FakeMember(), FakeMember()
    place.happens(5)
    await place.joins(early)
    place.happens(9)
    place.published(6, 7)
    await place.joins(late)
    place.published(8, 9)
    assert early.seqs == [6, 7, 8, 9]
    assert late.seqs == [8, 9]


async def test_one_subscription_serves_a_table_and_the_last_socket_ends_it() -> None:
    place, members = Place(), [FakeMember() for _ in range(5)]
    relays = [await place.relays.join("t1", member, 1.0) for member in members]
    assert place.feed.subscriptions == 1
    for relay, member in zip(relays, members, strict=True):
        assert len(place.relays) == 1
        place.relays.leave(relay, member)
    assert len(place.relays) == 0
    assert place.feed.relays == {}


async def test_the_digests_of_the_last_events_that_were_told_are_at_hand_and_no_others() -> None:
    place, member = Place(), FakeMember()
    place.happens(5)
    relay = await place.relays.join("t1", member, 1.0)
    assert relay.digest_of(5) is None  # it was not told here
    place.happens(TAIL + 10)
    place.published(6, 9)
    place.published(TAIL + 10, TAIL + 10)
    await until(lambda: len(member.seqs) == TAIL + 5)
    known = {seq: relay.digest_of(seq) for seq in range(TAIL + 12)}
    assert known == dict.fromkeys(known) | {event.seq: event.digest for event in place.log.events[-TAIL:]}


async def test_the_digests_of_a_lost_history_are_forgotten() -> None:
    place, member = Place(), FakeMember()
    relay = await place.relays.join("t1", member, 1.0)
    place.happens(6)
    place.published(1, 6)
    place.happens(6, "another")
    place.published(6, 6)
    assert relay.digest_of(6) != place.log.events[5].digest
    await until(lambda: member.losses > 0)
    assert relay.digest_of(6) is None


async def test_what_is_published_twice_is_told_once() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.happens(4)
    for _ in range(2):
        place.published(1, 4)
    assert member.seqs == [1, 2, 3, 4]


async def test_what_comes_in_one_message_is_told_as_one_run_and_what_is_missing_from_it_is_filled() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.happens(9)
    place.feed.publish("t1", place.log.events[:4], together=True)
    assert member.seqs == [1, 2, 3, 4]
    place.feed.publish("t1", [*place.log.events[2:5], place.log.events[6]], together=True)
    await until(lambda: len(member.seqs) == 9)
    assert member.seqs == list(range(1, 10))


async def test_a_gap_is_filled_from_the_log() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.happens(8)
    place.published(1, 2)
    place.published(6, 6)
    await until(lambda: len(member.seqs) == 8)
    assert member.seqs == list(range(1, 9))


async def test_events_that_come_while_a_gap_is_filled_are_told_after_it() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.happens(6)
    place.published(3, 3)
    place.happens(9)
    place.published(7, 9)
    await until(lambda: len(member.seqs) == 9)
    assert member.seqs == list(range(1, 10))


async def test_a_subscription_that_was_made_again_is_filled_up() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.happens(3)
    place.feed.relays["t1"].subscribed()
    await until(lambda: member.seqs == [1, 2, 3])


async def test_a_head_that_is_further_on_is_noticed_without_any_message() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.happens(3)
    await place.relays.compare()
    await until(lambda: member.seqs == [1, 2, 3])


async def test_a_log_that_fell_back_sets_the_sockets_back() -> None:
    place, member = Place(), FakeMember()
    place.happens(5)
    await place.joins(member)
    place.happens(3)
    await place.relays.compare()
    await until(lambda: member.losses == 1)
    place.happens(4)
    place.published(4, 4)
    assert member.seqs == [4]


async def test_another_history_of_the_same_length_is_told_by_its_digest() -> None:
    place, member = Place(), FakeMember()
    place.happens(5)
    await place.joins(member)
    await place.relays.compare()
    assert member.losses == 0
    place.happens(5, "other")
    await place.relays.compare()
    await until(lambda: member.losses == 1)


async def test_an_event_of_another_history_is_never_told() -> None:
    place, member = Place(), FakeMember()
    place.happens(5)
    await place.joins(member)
    place.happens(7, "other")
    place.published(6, 7)
    await until(lambda: member.losses == 1)
    assert member.seqs == []
    place.happens(8, "other")
    place.published(8, 8)
    await until(lambda: member.seqs == [8])


async def test_a_deleted_log_sets_the_sockets_back() -> None:
    place, member = Place(), FakeMember()
    place.happens(5)
    await place.joins(member)
    place.happens(0)
    await place.relays.compare()
    await until(lambda: member.losses == 1)
    assert place.relays.members() == [member]
    place.happens(1)
    place.published(1, 1)
    assert member.seqs == [1]


async def test_a_head_in_flight_is_not_taken_for_a_lost_event() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    relay = place.feed.relays["t1"]
    place.happens(2)
    place.published(1, 1)
    reads = place.log.reads
    relay.compare(Head(2, place.log.events[1].digest), Head(1, place.log.events[0].digest))
    place.published(2, 2)
    await asyncio.sleep(0.15)
    assert place.log.reads == reads
    assert member.seqs == [1, 2]


async def test_recent_events_are_at_hand_for_sockets_that_come_back() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.happens(5)
    place.published(1, 5)
    relay = place.feed.relays["t1"]
    events = place.log.events
    assert [event.seq for event in relay.after(3, events[2].digest) or ()] == [4, 5]
    assert relay.after(5, events[4].digest) == ()
    assert relay.after(3, "another") is None
    assert relay.after(6, "ahead") is None


async def test_while_the_log_is_away_tables_are_paused_once() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.log.broken = True
    for _ in range(3):
        await place.relays.compare()
    place.log.broken = False
    for _ in range(3):
        await place.relays.compare()
    assert member.pauses == [True, False]


async def test_a_table_is_paused_until_every_reason_is_gone() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.relays.pause("t1", True)
    place.log.broken = True
    await place.relays.compare()
    place.relays.pause("t1", False)
    assert member.pauses == [True]
    place.log.broken = False
    await place.relays.compare()
    assert member.pauses == [True, False]


async def test_a_gap_is_filled_as_soon_as_the_log_is_back() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.happens(4)
    place.log.broken = True
    place.published(4, 4)
    await asyncio.sleep(0.01)
    assert member.seqs == []
    place.log.broken = False
    await until(lambda: member.seqs == [1, 2, 3, 4])


async def test_nobody_joins_while_the_log_is_away() -> None:
    place = Place()
    place.log.broken = True
    with pytest.raises(Unavailable):
        await place.relays.join("t1", FakeMember(), 0.05)
    assert len(place.relays) == 0
    assert place.feed.relays == {}


async def test_changes_of_the_table_are_fetched_once_for_all_sockets_by_one_who_sees_the_invite() -> None:
    place, members = Place(), [FakeMember("zoe"), FakeMember("bob"), FakeMember(None)]
    for member in members:
        await place.joins(member)
    relay = place.feed.relays["t1"]
    place.version = 2
    relay.changed()
    await until(lambda: all(len(member.views) == 1 for member in members))
    place.version = 3
    for _ in range(10):
        relay.changed()
    await until(lambda: all(member.views[-1].version == 3 for member in members))
    assert place.asked_by == ["bob", "bob"]


async def test_the_table_is_fetched_for_the_first_socket_and_at_hand_for_the_others() -> None:
    place, members = Place(), [FakeMember("bob"), FakeMember("zoe"), FakeMember(None)]
    for member in members:
        await place.joins(member)
    relay = place.feed.relays["t1"]
    first = await relay.view("bob", seated=True)
    assert await relay.view("bob", seated=True) is first
    assert await relay.view("zoe", seated=False) is first
    assert await relay.view(None, seated=False) is first
    assert place.asked_by == ["bob"]


async def test_what_is_at_hand_is_not_told_to_who_may_see_more_or_has_just_sat_down_or_once_it_has_changed() -> None:
    place = Place()
    await place.joins(FakeMember("bob"))
    relay = place.feed.relays["t1"]
    stranger = await relay.view(None, seated=False)
    assert await relay.view("bob", seated=True) is not stranger, "it may be without the invite"
    assert await relay.view("zoe", seated=True), "the news that zoe sits there may be on its way"
    assert await relay.view(None, seated=False)
    assert place.asked_by == ["", "bob", "zoe"]
    place.version = 2
    relay.changed()
    assert (await relay.view("bob", seated=True)).version == 2
    assert place.asked_by[3:] == ["bob"]


async def test_an_older_table_that_comes_late_does_not_stay_at_hand() -> None:
    place = Place()
    await place.joins(FakeMember("bob"))
    relay = place.feed.relays["t1"]
    place.version = 5
    await relay.view("bob", seated=True)
    place.version = 4
    await relay.view("zoe", seated=True)
    assert (await relay.view("bob", seated=True)).version == 5


async def test_the_lobby_is_told_the_newest_version_that_was_seen() -> None:
    place = Place()
    await place.joins(FakeMember("bob"))
    relay = place.feed.relays["t1"]
    for place.version in (5, 4, 6):
        await relay.view("zoe", seated=True)
    relay.changed()
    await until(lambda: len(place.known) == 4)
    assert place.known == [0, 5, 5, 6]


async def test_a_change_that_was_missed_while_the_table_was_fetched_is_told() -> None:
    place, member = Place(), FakeMember("bob")
    await place.joins(member)
    relay = place.feed.relays["t1"]
    place.lobby_answers.clear()
    fetching = asyncio.ensure_future(relay.view("bob", seated=True))
    await asyncio.sleep(0)
    relay.deaf()
    place.version = 2
    relay.subscribed()
    place.lobby_answers.set()
    assert (await fetching).version == 1
    await until(lambda: [view.version for view in member.views] == [2])


async def test_while_the_subscription_is_broken_nothing_is_at_hand() -> None:
    place = Place()
    await place.joins(FakeMember("bob"))
    relay = place.feed.relays["t1"]
    await relay.view("bob", seated=True)
    relay.deaf()
    place.version = 2
    assert (await relay.view("bob", seated=True)).version == 2
    place.version = 3
    assert (await relay.view("bob", seated=True)).version == 3
    relay.subscribed()
    await until(lambda: len(place.asked_by) == 4)
    await relay.view("bob", seated=True)
    assert len(place.asked_by) == 4


async def test_a_table_that_is_gone_is_not_at_hand() -> None:
    place = Place()
    await place.joins(FakeMember("bob"))
    relay = place.feed.relays["t1"]
    await relay.view("bob", seated=True)
    place.closed = True
    relay.changed()
    await until(lambda: len(place.asked_by) == 2)
    with pytest.raises(NotFound):
        await relay.view("bob", seated=True)


async def test_who_has_left_is_not_the_one_to_ask_for_those_who_see_the_invite() -> None:
    place, ann, bob = Place(), FakeMember("ann"), FakeMember("bob")
    await place.joins(ann)
    await place.joins(bob)
    relay = place.feed.relays["t1"]
    await relay.view("ann", seated=True)
    place.version, place.players = 2, ("bob", "zoe")
    relay.changed()
    await until(lambda: len(bob.views) == 1)
    assert b"come-in" in bob.views[0].for_player("bob")
    assert b"come-in" not in ann.views[0].for_player("ann")
    assert place.asked_by == ["ann", "ann", "bob"]


async def test_a_change_is_told_when_the_lobby_is_back() -> None:
    place, member = Place(), FakeMember("ann")
    await place.joins(member)
    place.lobby_broken = True
    place.feed.relays["t1"].changed()
    await until(lambda: len(place.asked_by) == 1)
    place.lobby_broken = False
    await until(lambda: len(member.views) == 1)


async def test_bytes_that_are_no_event_are_not_passed_on() -> None:
    place, member = Place(), FakeMember()
    await place.joins(member)
    place.feed.relays["t1"].published(b'{"seq":"x"}')
    place.happens(1)
    place.published(1, 1)
    assert member.seqs == [1]
