"""Watchers are counted over all edges, also one that dies; emotes reach everyone and are kept nowhere."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from contextlib import AsyncExitStack
from typing import Any

import pytest
from redis.asyncio import Redis

from services.gateway.company import AGAIN_SECONDS, LIFETIME_SECONDS, TELL_SECONDS
from services.runtime import keys
from tests.integration.gateway.place import Place, welcomed
from tests.integration.gateway.player import Player, attached
from tests.integration.gateway.process import service

pytestmark = pytest.mark.asyncio(loop_scope="session")


def watchers(player: Player) -> int:
    """How many watch, as the client has it."""
    told = player.of("watchers")
    return int(told[-1]["count"]) if told else 0


def emotes(player: Player) -> list[tuple[int, str]]:
    """The emotes that came."""
    return [(frame["seat"], frame["emote"]) for frame in player.of("emote")]


async def test_watchers_at_two_edges_are_counted_together_and_leave_no_key(place: Place, log: Redis) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    async with place.gateway() as other, attached(place.port, table, ada.token) as player:
        async with attached(place.port, table, seat=False) as near:
            async with attached(other.port, table, seat=False) as far:
                for each in (player, near, far):
                    await each.until(lambda: watchers(each) == 2)  # noqa: B023 - awaited at once
            await player.until(lambda: watchers(player) == 1)
            assert await log.exists(keys.watchers(table))
        await player.until(lambda: watchers(player) == 0)
        assert not await log.exists(keys.watchers(table))


async def test_a_player_is_no_watcher(place: Place) -> None:
    ada, bob = await place.guest("Ada"), await place.guest("Bob")
    table = await place.table(ada, bob)
    async with attached(place.port, table, ada.token) as a, attached(place.port, table, bob.token) as b:
        async with attached(place.port, table, bob.token, seat=False):
            await a.until(lambda: watchers(a) == 1)
        await b.until(lambda: watchers(b) == 0 and bool(b.of("watchers")))
        assert [frame["count"] for frame in a.of("watchers")] == [1, 0]


async def test_the_watchers_of_an_edge_that_is_killed_are_gone_in_the_declared_time(place: Place) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    parts = {"ENGINES": place.engines, "LOBBY": place.lobby, "SCORING": place.scoring}
    variables = {"REDIS_URL": place.redis_url, **{f"GATEWAY_{name}": where for name, where in parts.items()}}
    async with AsyncExitStack() as stack:
        victim = await stack.enter_async_context(service("gateway", variables))
        player = await stack.enter_async_context(attached(place.port, table, ada.token))
        for port in (victim.port, victim.port, victim.port, place.port):
            await stack.enter_async_context(attached(port, table, seat=False))
        await player.until(lambda: watchers(player) == 4)
        victim.signal(signal.SIGKILL)
        began = time.monotonic()
        await player.until(lambda: watchers(player) == 1)
        assert time.monotonic() - began < LIFETIME_SECONDS + AGAIN_SECONDS + 2 * TELL_SECONDS


async def test_many_who_come_and_go_make_no_more_than_a_frame_a_second(place: Place) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    async with attached(place.port, table, ada.token) as player:
        await welcomed(player)
        began = time.monotonic()
        for _ in range(40):
            async with attached(place.port, table, seat=False) as watcher:
                await welcomed(watcher)
        async with attached(place.port, table, seat=False):
            await player.until(lambda: watchers(player) == 1)
        assert len(player.of("watchers")) <= (time.monotonic() - began) / TELL_SECONDS + 1


async def test_an_emote_reaches_everyone_through_every_edge_and_is_in_no_log(place: Place, log: Redis) -> None:
    table, (ada, bob) = await place.running_hand()
    before: Any = await log.xlen(keys.log(table))
    async with (
        place.gateway() as other,
        attached(place.port, table, ada.token) as a,
        attached(other.port, table, bob.token) as b,
        attached(other.port, table, seat=False) as watcher,
    ):
        for each in (a, b, watcher):
            await welcomed(each)
        await b.sends({"t": "emote", "emote": "well_played"})
        for each in (a, b, watcher):
            await each.until(lambda: emotes(each) == [(1, "well_played")])  # noqa: B023 - awaited at once
        async with attached(place.port, table, seat=False) as late:
            await late.until(lambda: bool(late.of("snapshot")))
            await a.sends({"t": "emote", "emote": "thanks"})
            await late.until(lambda: emotes(late) == [(0, "thanks")])
        await watcher.sends({"t": "emote", "emote": "nice"})
        await watcher.until(lambda: [error["code"] for error in watcher.of("error")] == ["not_seated"])
        entries: Any = await log.xrange(keys.log(table))
        assert not [e for _, e in entries[int(before) :] if "emote" in json.loads(e[b"e"])]


async def test_who_repeats_emotes_is_told_to_wait_and_plays_all_the_same(place: Place) -> None:
    table, (ada, bob) = await place.running_hand()
    async with attached(place.port, table, ada.token) as a, attached(place.port, table, bob.token) as b:
        await welcomed(b)
        await a.until(lambda: bool(a.of("snapshot")))
        for _ in range(5):
            await a.sends({"t": "emote", "emote": "wow"})
        await a.sends({"t": "turn", "n": 1, "hand": 1, "stock": 35} | a.has_seen)
        await a.until(lambda: [verdict["v"] for verdict in a.verdicts] == ["applied"])
        await b.until(lambda: bool(b.events))
        assert [error["code"] for error in a.of("error")] == ["too_many_emotes"] * 4
        await asyncio.wait_for(b.until(lambda: bool(emotes(b))), 5)
        assert emotes(b) == [(0, "wow")]
