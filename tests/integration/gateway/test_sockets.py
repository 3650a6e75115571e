"""Sockets: who gets one, what ends one, and that one client is never another one's trouble."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import time

import pytest
from redis.asyncio import Redis
from websockets.asyncio.client import connect
from websockets.client import ClientProtocol
from websockets.exceptions import InvalidStatus
from websockets.uri import parse_uri

from services.gateway import metrics
from services.gateway.table_socket import TableSocket
from services.gateway.wire import Wire
from services.runtime import keys
from tests.integration.gateway.place import Place, started
from tests.integration.gateway.player import Turner, attached
from tests.integration.network import Network

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_of_two_tabs_the_newer_one_has_the_seat_even_at_another_gateway(place: Place) -> None:
    table, (ada, _) = await place.running_hand()
    async with place.gateway() as other, attached(place.port, table, ada.token) as older:
        await started(older)
        await Turner(older).turn_and_wait(2)
        async with attached(other.port, table, ada.token, n=2) as newer:
            await started(newer)
            assert await older.closed(3) == 4009
            await Turner(newer, n=2, stock=29).turn_and_wait(2)
            assert [verdict["v"] for verdict in newer.verdicts] == ["applied"] * 2


async def test_what_a_socket_had_goes_with_it_and_waits_for_no_collector(place: Place) -> None:
    def theirs() -> int:
        return sum(type(each) in (TableSocket, Wire) for each in gc.get_objects())

    table, (ada, _) = await place.running_hand()
    gc.collect()
    gc.disable()
    try:
        for i in range(6):
            async with attached(place.port, table, ada.token) as player:
                await started(player)
                await Turner(player, n=i, stock=35 - i).turn(1)
                assert theirs() >= 2
                if i % 2:
                    await player.drops()
        async with asyncio.timeout(60):
            while theirs():
                await asyncio.sleep(0.05)
    finally:
        gc.enable()


async def test_a_command_of_the_older_tab_no_longer_counts(place: Place, log: Redis) -> None:
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as older:
        await started(older)
        # As if the newer socket's notice had been lost: only the seat's epoch tells.
        await log.hincrby(keys.hand(table), "E0", 1)
        await Turner(older).turn(1)
        assert await older.closed() == 4009
        assert older.verdicts == []


async def test_ten_reconnects_leave_one_of_everything(place: Place, log: Redis) -> None:
    table, (ada, _) = await place.running_hand()
    sockets = metrics.SOCKETS.labels("seat")._value
    others = sockets.get()
    async with attached(place.port, table, ada.token) as player:
        await started(player)
        tasks = len(asyncio.all_tasks())
    for i in range(10):
        async with attached(place.port, table, ada.token) as player:
            await started(player)
            if i % 2:
                await player.drops()
    async with attached(place.port, table, ada.token) as player, asyncio.timeout(60):
        await started(player)
        while len(asyncio.all_tasks()) > tasks or sockets.get() != others + 1:
            await asyncio.sleep(0.01)
        assert (await log.pubsub_numsub(keys.events_channel(table)))[0][1] == 1
    async with asyncio.timeout(30):
        while (await log.pubsub_numsub(keys.events_channel(table)))[0][1]:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("who", "seat", "code"),
    [("nobody", True, 4001), ("forger", True, 4001), ("forger", False, 4001), ("eve", True, 4003)],
)
async def test_a_seat_is_only_for_its_player(place: Place, who: str, seat: bool, code: int) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    token = {"nobody": None, "forger": "x" * 43, "eve": (await place.guest("Eve")).token}[who]
    async with attached(place.port, table, token, seat=seat) as player:
        assert await player.closed() == code


@pytest.mark.parametrize("table", ["nothere", "no%20table", "x" * 65])
async def test_an_unknown_table_is_told(place: Place, table: str) -> None:
    async with attached(place.port, table, seat=False) as player:
        assert await player.closed() == 4004


async def test_anyone_may_watch_without_a_session_and_sees_no_invite(place: Place) -> None:
    table, _ = await place.running_hand()
    async with attached(place.port, table, seat=False) as watcher:
        await watcher.until(lambda: bool(watcher.of("snapshot")))
        assert (watcher.welcome["player"], watcher.welcome["seat"]) == (None, None)
        assert (watcher.welcome["table"]["invite"], watcher.welcome["table"]["code"]) == ("", "")
        await watcher.sends({"t": "turn", "n": 1, "hand": 1, "seen": 0, "stock": 35})
        await watcher.until(lambda: bool(watcher.of("error")))
        assert watcher.of("error")[0]["code"] == "not_seated"


async def test_a_cookie_counts_only_on_the_sites_own_pages(place: Place) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    cookie = {"Cookie": f"session={ada.token}"}
    own = {**cookie, "Origin": f"http://127.0.0.1:{place.port}"}
    async with attached(place.port, table, headers=own) as player:
        await player.until(lambda: bool(player.frames))
        assert player.welcome["player"] == ada.player
    async with attached(place.port, table, headers={**cookie, "Origin": "http://evil.example"}) as player:
        assert await player.closed() == 1008


async def test_a_token_survives_a_restart_of_the_gateway(place: Place) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    async with place.gateway() as other, place.http(other.port) as http:
        assert (await http.get("/api/v1/me", headers=ada.headers)).json()["player"] == ada.player
    async with place.gateway() as again:
        async with place.http(again.port) as http:
            assert (await http.get("/api/v1/me", headers=ada.headers)).json()["table"] == table
        async with attached(again.port, table, ada.token) as player:
            await player.until(lambda: bool(player.frames))
            assert player.welcome["seat"] == 0


async def test_a_frame_that_is_too_large_ends_its_socket_and_nothing_else(place: Place) -> None:
    table, (ada, bob) = await place.running_hand()
    async with attached(place.port, table, ada.token) as a, attached(place.port, table, bob.token) as b:
        await asyncio.gather(started(a), started(b))
        await a.sends('{"t":"ping","id":1,"x":"' + "x" * 4096 + '"}')
        assert await a.closed() == 1009
        await Turner(b).turn_and_wait(2)
        assert [verdict["v"] for verdict in b.verdicts] == ["applied"] * 2


async def test_garbage_is_answered_and_the_table_is_unharmed(place: Place) -> None:
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as player:
        await started(player)
        bad: list[str | bytes] = [
            "",
            "nonsense",
            "[1]",
            '{"t":"x"}',
            b"\x00\xff",
            '{"t":"turn","n":1}',
            '{"t":"call","n":NaN}',
        ]
        for frame in bad:
            await player.sends(frame)
        await player.until(lambda: len(player.of("error")) == len(bad))
        assert {error["code"] for error in player.of("error")} == {"bad_frame"}
        await Turner(player).turn_and_wait(1)
        assert player.verdicts[0]["v"] == "applied"


async def test_a_burst_of_a_hundred_commands_is_judged_in_order(place: Place) -> None:
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as player:
        await started(player)
        await Turner(player).turn(100)
        await player.until(lambda: len(player.verdicts) == 100)
        assert [verdict["n"] for verdict in player.verdicts] == list(range(1, 101))
        assert {verdict["v"] for verdict in player.verdicts} == {"applied"}
        assert [event["n"] for event in player.events if event.get("seat") == 0] == list(range(1, 101))


async def test_two_illegal_plays_back_to_back_get_their_reasons_each_under_its_number(place: Place) -> None:
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token) as player:
        await started(player)
        await player.sends({"t": "recycle", "n": 1, "hand": 1, "seen": 3})
        await player.sends({"t": "call", "n": 2, "hand": 1, "seen": 3})
        await player.until(lambda: len(player.verdicts) == 2)
        assert [(v["n"], v["v"], v["why"]) for v in player.verdicts] == [
            (1, "refused", "stock_not_empty"),
            (2, "refused", "demon_not_empty"),
        ]


async def test_a_forged_seen_is_bounded_in_the_log(place: Place) -> None:
    table, (ada, _) = await place.running_hand()
    async with attached(place.port, table, ada.token, answers_pings=False) as player:
        await started(player)
        digest = player.of("snapshot")[0]["digest"]
        await player.sends({"t": "turn", "n": 1, "hand": 1, "seen": 10**9, "digest": digest, "stock": 35})
        await player.until(lambda: bool(player.events))
        assert player.events[-1]["seen"] == 0
        assert player.events[-1]["arrived"] <= player.events[-1]["at"]


async def test_a_client_that_stops_reading_is_cut_off_and_nobody_else_notices(place: Place) -> None:
    table, (ada, _) = await place.running_hand()
    async with (
        place.gateway(rate_limit=0, most_backlog_bytes=32 * 1024) as gateway,
        attached(gateway.port, table, ada.token) as player,
    ):
        await started(player)
        turner = Turner(player)
        calm = await latencies(turner, 60)
        deaf = [await never_reads(gateway.port, table) for _ in range(3)]
        cut = metrics.CLOSED.labels("4008")._value.get()
        busy: list[float] = []
        while metrics.CLOSED.labels("4008")._value.get() < cut + len(deaf):
            busy += await latencies(turner, 60)
            assert len(busy) < 12_000, "never cut off"
        assert player.seqs == list(range(player.seqs[0], player.seqs[0] + len(player.seqs)))
        assert len(player.verdicts) == turner.n
        # The bound is wide because machines are busy; a client that waited for the deaf ones would wait for ever.
        assert sorted(busy)[int(len(busy) * 0.99)] < 10 * max(calm) + 0.1
        for sock in deaf:
            sock.close()


async def latencies(turner: Turner, times: int) -> list[float]:
    """Seconds from command to verdict, eight commands at a time."""
    found = []
    for _ in range(times // 8):
        before = time.perf_counter()
        await turner.turn_and_wait(8)
        found += [(time.perf_counter() - before)] * 8
    return found


async def never_reads(port: int, table: str) -> socket.socket:
    """A spectator whose kernel takes little and whose program takes nothing."""
    protocol = ClientProtocol(parse_uri(f"ws://127.0.0.1:{port}/api/v1/tables/{table}/socket"))
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(sock, ("127.0.0.1", port))
    protocol.send_request(protocol.connect())
    await loop.sock_sendall(sock, b"".join(protocol.data_to_send()))
    protocol.receive_data(await loop.sock_recv(sock, 1024))
    assert protocol.handshake_exc is None
    protocol.send_text(json.dumps({"t": "attach", "seat": False}).encode())
    await loop.sock_sendall(sock, b"".join(protocol.data_to_send()))
    return sock


async def test_a_client_or_a_network_that_falls_silent_is_taken_for_gone_and_the_seat_for_away(
    place: Place, log: Redis
) -> None:
    """Ada's program hangs. Of Bob's network nothing arrives any more, not even an answer to the close."""
    table, (ada, bob) = await place.running_hand()
    async with (
        Network(place.port) as network,
        attached(place.port, table, ada.token) as player,
        attached(network.port, table, bob.token) as vanished,
    ):
        player.answers_pings = False
        await asyncio.gather(started(player), started(vanished))
        before = time.monotonic()
        network.falls_silent()
        assert await player.closed(16) == 4008
        async with asyncio.timeout(30):
            while not all(await log.hmget(keys.hand(table), "A0", "A1")):
                await asyncio.sleep(0.01)
        assert time.monotonic() - before < 14
        assert vanished.close_code is None, "nobody could tell it"
        vanished.connection.transport.abort()


async def test_leaving_ends_the_seats_socket(place: Place) -> None:
    ada, bob = await place.guest("Ada"), await place.guest("Bob")
    table = await place.table(ada, bob, seats=3)
    async with attached(place.port, table, bob.token) as player, place.http() as http:
        await player.until(lambda: bool(player.frames))
        await http.post(f"/api/v1/tables/{table}/leave", headers=bob.headers)
        assert await player.closed() == 4003


async def test_closing_the_table_ends_its_sockets_and_no_new_one_begins(place: Place) -> None:
    table, (ada, bob) = await place.running_hand()
    async with attached(place.port, table, bob.token) as player, place.http() as http:
        await started(player)
        assert (await http.delete(f"/api/v1/tables/{table}", headers=ada.headers)).status_code == 204
        assert await player.closed() == 4010
        assert player.of("table")[-1]["table"]["state"] == "closed"
    async with attached(place.port, table, bob.token) as late:
        assert await late.closed() == 4010


async def test_a_socket_that_does_not_attach_is_closed_within_its_eight_seconds(place: Place) -> None:
    ada = await place.guest()
    table = await place.table(ada)
    url = f"ws://127.0.0.1:{place.port}/api/v1/tables/{table}/socket"
    async with connect(url, compression=None, proxy=None) as mute, asyncio.timeout(12):
        await mute.wait_closed()
        assert mute.close_code == 1008


async def test_there_are_no_sockets_but_those_of_tables(place: Place) -> None:
    with pytest.raises(InvalidStatus):
        async with attached(place.port, "t/socket/x", seat=False):
            pass
