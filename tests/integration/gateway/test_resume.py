"""A client that comes back, anywhere, misses nothing and gets nothing twice."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from typing import Any

import pytest
from redis.asyncio import Redis

from services.gateway.settings import BACK_SECONDS
from services.runtime import keys
from tests.integration.gateway.place import Place, started, welcomed
from tests.integration.gateway.player import Player, Turner, attached
from tests.integration.network import Network

pytestmark = pytest.mark.asyncio(loop_scope="session")


def presence(player: Player) -> list[bool]:
    """Whether the first seat's player is there, as this client was told again and again."""
    return [table["seats"][0]["present"] for table in player.tables]


def contiguous(seqs: list[int]) -> bool:
    return seqs == list(range(seqs[0], seqs[0] + len(seqs))) if seqs else True


async def test_the_resume_marker_comes_before_everything_else(place: Place) -> None:
    table, (ada, bob) = await place.running_hand()
    async with attached(place.port, table, ada.token) as busy:
        await started(busy)
        turner = Turner(busy)
        playing = asyncio.create_task(turner.turn_and_wait(10_000, 4))
        last = None
        for _ in range(8):
            async with attached(place.port, table, bob.token, after=last) as back:
                await back.until(lambda: len(back.events) >= 3)
                kinds = [frame.get("t") for frame in back.frames[:2]]
                assert kinds[0] == "welcome"
                assert back.welcome["resumed"] is (last is not None)
                assert ("snapshot" in kinds) is (last is None)
                assert contiguous(back.seqs)
                if last is not None:
                    assert back.seqs[0] == last["seq"] + 1
                last = back.last
        playing.cancel()


async def test_a_seat_resumes_through_another_gateway_with_the_verdicts_it_missed(place: Place, log: Redis) -> None:
    table, (ada, _) = await place.running_hand()
    async with place.gateway() as other:
        async with attached(place.port, table, ada.token) as first:
            await started(first)
            turner = Turner(first)
            await turner.turn_and_wait(3)
            answered, last = turner.n, first.last
            await turner.turn(5)
            await until_logged(log, table, 0, answered + 5)
            await first.drops()
        async with attached(other.port, table, ada.token, after=last, n=answered) as second:
            await second.until(lambda: len(second.verdicts) >= 5)
            assert second.welcome["resumed"] is True
            assert second.welcome["n"] == answered + 5
            assert [verdict["n"] for verdict in second.verdicts] == list(range(answered + 1, answered + 6))
            assert [frame.get("t") for frame in second.frames[1:6]] == ["verdict"] * 5
            await second.until(lambda: len(second.seqs) >= 5)
            assert last is not None
            assert second.seqs[0] == last["seq"] + 1
            await Turner(second, n=answered + 5, stock=35 - 3 * (answered + 5)).turn_and_wait(1)
    assert await numbers_logged(log, table, 0) == list(range(1, answered + 7))


@pytest.mark.parametrize("away_s", [0.1, 5, 59])
async def test_a_seat_is_kept_while_its_player_is_away_and_resumed_through_another_gateway(
    place: Place, log: Redis, away_s: float
) -> None:
    """Of 59 seconds only the last is waited for: the others are taken off the moment since when the seat is away,
    the one thing by which the platform knows how long that is (a seat loses its say after 60)."""
    waited = 1 if away_s == 59 else away_s
    loop = asyncio.get_running_loop()
    table, (ada, bob) = await place.running_hand()
    async with place.gateway() as other, attached(place.port, table, bob.token) as neighbour:
        await started(neighbour)
        async with attached(place.port, table, ada.token) as first:
            await started(first)
            turner = Turner(first)
            await turner.turn_and_wait(2)
            last = first.last
            await first.drops()
        dropped = loop.time()
        async with asyncio.timeout(30):
            while not await log.hexists(keys.hand(table), "A0"):
                await asyncio.sleep(0.005)
        await Turner(neighbour).turn_and_wait(3)
        await asyncio.sleep(waited)  # what is tested is that time passes
        taken_off_s = max(0.0, away_s - (loop.time() - dropped))
        await log.hincrby(keys.hand(table), "A0", -round(taken_off_s * 1000))

        async with attached(other.port, table, seat=False) as watcher:
            await watcher.until(lambda: bool(watcher.of("snapshot")))
            assert watcher.of("snapshot")[0]["away"] == []
        async with attached(other.port, table, ada.token, after=last, n=2) as second:
            await second.until(lambda: len(second.events) >= 3)
            assert (second.welcome["seat"], second.welcome["n"], second.welcome["resumed"]) == (0, 2, True)
            assert last is not None
            assert second.seqs[:3] == [last["seq"] + 1, last["seq"] + 2, last["seq"] + 3]
            await Turner(second, n=2, stock=29).turn_and_wait(1)
            assert second.verdicts[-1]["v"] == "applied"
            assert not await log.hexists(keys.hand(table), "A0")


@pytest.mark.parametrize("runs", [False, True], ids=["before the first hand", "in a hand"])
async def test_a_table_hears_nothing_of_a_player_who_is_back_soon_and_soon_of_one_who_is_not(
    place: Place, runs: bool
) -> None:
    if runs:
        table, (ada, bob) = await place.running_hand()
    else:
        ada, bob = await place.guest("Ada"), await place.guest("Bob")
        table = await place.table(ada, bob, seats=3)
    async with place.gateway() as other, attached(place.port, table, bob.token) as neighbour:
        await welcomed(neighbour)
        async with attached(place.port, table, ada.token) as first:
            await welcomed(first)
            await neighbour.until(lambda: presence(neighbour)[-1])
            before = len(presence(neighbour))
            await first.drops()
            dropped = time.monotonic()
        async with attached(other.port, table, ada.token) as second:
            await welcomed(second)
            back_after = time.monotonic() - dropped
            await asyncio.sleep(BACK_SECONDS + 1)
            if back_after < BACK_SECONDS / 2:  # else the machine was too busy for it
                assert all(presence(neighbour)[before:])
        left = time.monotonic()
        await neighbour.until(lambda: not presence(neighbour)[-1])
        assert time.monotonic() - left >= BACK_SECONDS - 0.2
        async with attached(other.port, table, ada.token):
            await neighbour.until(lambda: presence(neighbour)[-1])


async def test_a_command_whose_answer_was_lost_is_sent_again_to_another_gateway_and_counts_once(
    place: Place, log: Redis
) -> None:
    table, (ada, _) = await place.running_hand()
    async with place.gateway() as other, Network(place.port) as network:
        async with attached(network.port, table, ada.token) as first:
            await started(first)
            await Turner(first).turn_and_wait(1)
            await first.until(lambda: bool(first.events))
            last = first.last
            network.carries_back = False
            await Turner(first, n=1, stock=32).turn(1)
            await until_logged(log, table, 0, 2)
            assert len(first.verdicts) == 1
            await first.drops()
        # Such a client sends again at once, without waiting for the welcome that would tell it better.
        async with attached(other.port, table, ada.token, after=last, n=1) as second:
            await Turner(second, n=1, stock=32).turn(1)
            await second.until(lambda: len(second.verdicts) == 2)
            assert last is not None
            told = {"t": "verdict", "n": 2, "v": "applied", "seq": last["seq"] + 1}
            assert second.verdicts == [told, told], "the kept one of the welcome, and the same one again"
            assert await numbers_logged(log, table, 0) == [1, 2]


async def test_a_command_sent_again_counts_once_and_gets_the_verdict_it_got(place: Place, log: Redis) -> None:
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as first:
        await started(first)
        await Turner(first).turn_and_wait(3)
        verdicts = {verdict["n"]: verdict for verdict in first.verdicts}
    async with attached(place.port, table, ada.token) as second:
        await started(second)
        await Turner(second).turn(3)
        await second.until(lambda: len(second.verdicts) >= 6)
        assert all(verdict == verdicts[verdict["n"]] for verdict in second.verdicts)
    assert await numbers_logged(log, table, 0) == [1, 2, 3]


async def test_sequences_are_gapless_while_neighbours_come_and_go_at_two_gateways(place: Place) -> None:
    table, (ada, bob) = await place.running_hand()
    async with (
        place.gateway(rate_limit=0) as other,
        place.gateway(rate_limit=0) as third,
        attached(other.port, table, ada.token) as a,
        attached(third.port, table, bob.token) as b,
    ):
        await asyncio.gather(started(a), started(b))
        stop = asyncio.Event()
        ports = [place.port, other.port, third.port]
        neighbours = [asyncio.create_task(neighbour(ports, i, table, stop)) for i in range(6)]
        await asyncio.gather(Turner(a).turn_and_wait(500), Turner(b).turn_and_wait(500))
        stop.set()
        histories = await asyncio.gather(*neighbours)
        await a.until(lambda: a.seqs[-1] >= 1000)
        await b.until(lambda: b.seqs[-1] >= 1000)
        assert contiguous(a.seqs)
        assert contiguous(b.seqs)
        by_seq = {event["seq"]: event for event in a.events}
        assert {event["seq"]: event for event in b.events if event["seq"] in by_seq} == {
            seq: event for seq, event in by_seq.items() if seq >= b.seqs[0]
        }
    assert all(contiguous(history) for history in histories)
    assert sum(map(len, histories)) > 500


async def neighbour(ports: list[int], i: int, table: str, stop: asyncio.Event) -> list[int]:
    """Watches, drops, comes back somewhere else, and keeps the numbers of all events."""
    seqs: list[int] = []
    last = None
    visit = i
    while not stop.is_set():
        visit += 1
        async with attached(ports[visit % len(ports)], table, seat=False, after=last) as watcher:
            await watcher.until(lambda: bool(watcher.frames))
            with suppress(TimeoutError):
                await watcher.until(lambda: len(watcher.events) >= 15, seconds=1.0)
            await watcher.drops()
            assert watcher.welcome["resumed"] is (last is not None)
            seqs += watcher.seqs
            last = watcher.last or last
    return seqs


async def test_a_gap_longer_than_the_log_gives_a_snapshot(place: Place, log: Redis) -> None:
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as player:
        await started(player)
        last = player.last
        await Turner(player).turn_and_wait(12)
    await log.xtrim(keys.log(table), maxlen=3, approximate=False)
    before = await head(log, table)
    async with place.gateway() as other, attached(other.port, table, ada.token, after=last) as back:
        await back.until(lambda: bool(back.of("snapshot")))
        assert (back.welcome["resumed"], back.welcome["set_back"]) == (False, False)
        assert player.verdicts[-1]["seq"] <= before <= back.of("snapshot")[0]["seq"] <= await head(log, table)


async def test_a_client_that_is_ahead_of_history_is_told_so(place: Place) -> None:
    table, (ada, _) = await place.running_hand()
    for after in ({"seq": 900, "digest": "0123456789abcdef"}, {"seq": 2, "digest": "0123456789abcdef"}):
        async with attached(place.port, table, ada.token, after=after) as player:
            await player.until(lambda: bool(player.of("snapshot")))
            assert (player.welcome["resumed"], player.welcome["set_back"]) == (False, True)


async def test_a_new_table_has_neither_snapshot_nor_events_and_then_its_first_hand(place: Place) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    async with attached(place.port, table, ada.token) as player:
        await player.until(lambda: bool(player.frames))
        await player.sends({"t": "call", "n": 1, "hand": 0, "seen": 0})
        await player.until(lambda: bool(player.of("error")))
        assert player.of("error")[0]["code"] == "not_started"
        assert player.of("snapshot") == []
        bob = await place.guest("Bob")
        async with place.http() as http:
            await http.post(f"/api/v1/tables/{table}/join", headers=bob.headers)
        async with attached(place.port, table, bob.token) as other:
            await other.until(lambda: bool(other.frames))
            for each in (player, other):
                await each.sends({"t": "ready"})
            await started(player)
            assert player.seqs[0] == 1
            await Turner(player).turn_and_wait(1)
            assert player.verdicts[0]["v"] == "applied"


async def head(log: Redis, table: str) -> int:
    """The last event's sequence number: a table may shift its stocks at any time."""
    newest: Any = await log.xrevrange(keys.log(table), count=1)
    return int(newest[0][0].split(b"-")[0])


async def until_logged(log: Redis, table: str, seat: int, n: int) -> None:
    async with asyncio.timeout(60):
        while (await numbers_logged(log, table, seat))[-1:] != [n]:
            await asyncio.sleep(0.005)


async def numbers_logged(log: Redis, table: str, seat: int) -> list[int]:
    """The seat's command numbers in the log, in order."""
    entries: Any = await log.xrange(keys.log(table))
    events = [json.loads(fields[b"e"]) for _, fields in entries]
    return [event["n"] for event in events if event.get("seat") == seat]
