"""Engines as their clients see them: gRPC in front, a real Redis behind."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from pandemonium.engine.v1 import engine_pb2 as pb
from redis.asyncio import Redis

from services.rules.hand import Hand, Phase
from services.rules.legal_moves import legal_moves
from services.rules.moves import Action, Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote
from services.rules.options import Options
from services.rules.replay import verify
from services.runtime import keys
from services.runtime.errors import fault_from
from services.runtime.redis_server import RedisServer
from tests.integration.engine.engines import command, dealt, engine, log_of, referee, until, verdicts


async def test_a_hand_starts_by_itself_at_the_end_of_its_countdown(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await dealt(stub, countdown_ms=200)
        events = await until(stub, "start")

    deal, start = events[1], events[2]
    assert [event["seq"] for event in events] == [1, 2, 3]
    assert start["at"] >= deal["start_at"] == deal["at"] + 200
    assert start["at"] < deal["start_at"] + 3000


async def test_a_burst_of_a_hundred_from_one_seat_is_judged_in_order(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await dealt(stub)
        await until(stub, "start")
        stock, actions = 35, list[Action]()
        while len(actions) < 100:
            actions.append(Turn(stock) if stock else Recycle())
            stock = max(0, stock - 3) if stock else 35

        found = await verdicts(stub, [command(n, action) for n, action in enumerate(actions, 1)])

    assert [v.n for v in found] == list(range(1, 101))
    assert {v.outcome for v in found} == {pb.OUTCOME_APPLIED}
    assert [json.loads(v.frame)["seq"] for v in found] == list(range(4, 104))


async def test_two_illegal_commands_back_to_back_each_get_their_reason(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await dealt(stub)
        await until(stub, "start")

        found = await verdicts(stub, [command(1, Turn(1)), command(2, Call())])

    assert [json.loads(v.frame) for v in found] == [
        {"t": "verdict", "n": 1, "v": "refused", "why": "stock_changed"},
        {"t": "verdict", "n": 2, "v": "refused", "why": "demon_not_empty"},
    ]


async def test_a_command_sent_to_two_engines_counts_once(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as one, engine(redis_url) as other:
        await dealt(one)
        await until(one, "start")
        same = command(1, Turn(35))

        first, second = await asyncio.gather(
            one.Play(pb.PlayRequest(command=same)), other.Play(pb.PlayRequest(command=same))
        )

        assert first.verdict == second.verdict
        assert (await one.Snapshot(pb.SnapshotRequest(table="t"))).seq == 4


async def test_two_engines_alternating_never_refuse_for_what_they_remember(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as one, engine(redis_url) as other:
        await dealt(one)
        await until(one, "start")
        for n in range(1, 12):
            played = await (one, other)[n % 2].Play(pb.PlayRequest(command=command(n, Turn(35 - 3 * (n - 1)))))
            assert played.verdict.outcome == pb.OUTCOME_APPLIED


async def test_a_new_socket_takes_the_seat_over_and_gets_the_verdicts_it_missed(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await dealt(stub)
        await until(stub, "start")
        frames = [v.frame for v in await verdicts(stub, [command(n, Turn(38 - 3 * n)) for n in (1, 2, 3)])]

        seated = await stub.Attach(pb.AttachRequest(table="t", seat=0, after_n=1))
        old = await stub.Play(pb.PlayRequest(command=command(4, Turn(26))))
        gap = await stub.Play(pb.PlayRequest(command=command(5, Turn(26), epoch=2)))
        lost = await stub.Play(pb.PlayRequest(command=command(4, Turn(26), epoch=3)))
        new = await stub.Play(pb.PlayRequest(command=command(4, Turn(26), epoch=2)))

    assert (seated.epoch, seated.last_n, list(seated.verdicts)) == (2, 3, frames[1:])
    assert old.verdict.outcome == pb.OUTCOME_TAKEN_OVER
    assert lost.verdict.outcome == pb.OUTCOME_SET_BACK
    assert json.loads(gap.verdict.frame) == {"t": "verdict", "n": 5, "v": "out_of_order", "last": 3}
    assert new.verdict.outcome == pb.OUTCOME_APPLIED


async def test_nothing_hidden_is_told_before_the_end(redis: Redis, redis_url: str) -> None:
    async with redis.pubsub() as heard:
        await heard.subscribe(keys.events_channel("t"))
        async with engine(redis_url) as stub, referee(redis_url) as script:
            await dealt(stub)
            await until(stub, "start")
            state = await script.look("t")
            assert state is not None
            await verdicts(stub, [command(1, Turn(35))])
            told = [(await stub.Snapshot(pb.SnapshotRequest(table="t"))).frame]
            told += await log_of(redis)
            for _ in range(6):
                message = await heard.get_message(timeout=1)
                told += [message["data"]] if message and message["type"] == "message" else []
            await stub.Abandon(pb.AbandonRequest(table="t"))
            end = (await until(stub, "end"))[-1]

    assert len(told) == 9
    public = b"".join(told).decode()
    hand = state.hand
    shown = {c.text for layout in hand.layouts for c in (layout.demon[-1], *(column[0] for column in layout.columns))}
    shown.add(hand.layouts[0].stock[-3].text)
    hidden = {c.text for layout in hand.layouts for c in (*layout.demon, *layout.stock)} - shown
    assert hand.secret not in public
    assert not [text for text in hidden if f'"{text}"' in public]
    assert end["secret"] == hand.secret


async def test_timers_outlive_the_engine_that_set_them(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as one:
        async with engine(redis_url) as other:
            await dealt(other, countdown_ms=300)
        started = (await until(one, "start"))[-1]
    assert started["e"] == "start"


async def test_a_lost_timer_index_is_rebuilt_from_the_hands(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as one:
        await dealt(one, countdown_ms=400)
    await redis.delete(keys.timers(keys.shard("t")))

    async with engine(redis_url) as other:
        events = await until(other, "start")

    assert events[-1]["e"] == "start"


async def test_without_redis_a_command_is_unavailable_within_a_second_and_counts_when_sent_again(
    tmp_path: Path,
) -> None:
    async with RedisServer(tmp_path) as server, engine(server.url) as stub:
        await dealt(stub)
        await until(stub, "start")
        await server.kill()

        began = time.monotonic()
        lost = await stub.Play(pb.PlayRequest(command=command(1, Turn(35))))
        waited = time.monotonic() - began
        await server.start()
        again = await stub.Play(pb.PlayRequest(command=command(1, Turn(35))))

    assert (lost.verdict.outcome, lost.verdict.frame) == (pb.OUTCOME_UNAVAILABLE, b"")
    assert waited < 3  # a second, and what a machine that does other work meanwhile takes
    assert again.verdict.outcome == pb.OUTCOME_APPLIED


async def test_a_redis_that_falls_silent_is_given_up_within_a_second_and_asked_only_once() -> None:
    heard = bytearray()

    async def greet_and_fall_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        greeted = False
        while data := await reader.read(4096):
            heard.extend(data)
            if b"SELECT" in data and not greeted:
                writer.write(b"+OK\r\n")
                greeted = True
        writer.close()

    silent = await asyncio.start_server(greet_and_fall_silent, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    async with silent, engine(f"redis://127.0.0.1:{port}/0") as stub:
        began = time.monotonic()
        lost = await stub.Play(pb.PlayRequest(command=command(1, Turn(35))))
        waited = time.monotonic() - began

    assert lost.verdict.outcome == pb.OUTCOME_UNAVAILABLE
    assert waited < 3  # a second, and what a machine that does other work meanwhile takes
    assert heard.count(b"EVALSHA") == 1


async def test_a_flushed_script_is_loaded_again(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await dealt(stub)
        await until(stub, "start")
        await redis.script_flush()
        found = await verdicts(stub, [command(1, Turn(35)), command(2, Turn(32))])

    assert [v.outcome for v in found] == [pb.OUTCOME_APPLIED] * 2


async def test_a_table_whose_script_fails_keeps_no_other_from_its_verdict(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await dealt(stub)
        await until(stub, "start")
        await redis.set(keys.hand("spoilt"), "no hash")

        found = await verdicts(stub, [command(1, Turn(35), table=table) for table in ("spoilt", "t", "a b")])

    outcomes = {v.table: v.outcome for v in found}
    assert outcomes == {"spoilt": pb.OUTCOME_UNAVAILABLE, "t": pb.OUTCOME_APPLIED, "a b": pb.OUTCOME_REFUSED}


async def test_errors_say_what_is_wrong(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        for call, reason in (
            (stub.Snapshot(pb.SnapshotRequest(table="nowhere")), "UNKNOWN_TABLE"),
            (stub.Attach(pb.AttachRequest(table="nowhere", seat=0)), "UNKNOWN_TABLE"),
            (stub.Prepare(pb.PrepareRequest(table="a b", seats=2, match="m", hand=1)), "BAD_ID"),
            (stub.Prepare(pb.PrepareRequest(table="t", seats=9, match="m", hand=1)), "BAD_SEATS"),
            (stub.Deal(pb.DealRequest(table="t", match="m", hand=1, options_json='{"draw":2}')), "BAD_OPTION"),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await call
            assert fault_from(failed.value).reason == reason
        await dealt(stub)
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await stub.Attach(pb.AttachRequest(table="t", seat=2))
        assert fault_from(failed.value).reason == "UNKNOWN_SEAT"


async def test_a_forgotten_table_leaves_no_key(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await dealt(stub)
        await until(stub, "start")
        await stub.Abandon(pb.AbandonRequest(table="t"))
        await redis.xtrim(keys.finished(keys.shard("t")), 0)
        await stub.Forget(pb.ForgetRequest(table="t"))
        await stub.Forget(pb.ForgetRequest(table="t"))

    assert [key for key in await redis.keys() if b"finished" not in key] == []


async def test_a_table_is_not_forgotten_before_its_last_hand_was_counted(redis: Redis, redis_url: str) -> None:
    """Its log is all that scoring has, and scoring may be away for longer than a closed table is kept."""
    async with engine(redis_url) as stub:
        await dealt(stub)
        await until(stub, "start")
        await stub.Abandon(pb.AbandonRequest(table="t"))
        log = await log_of(redis)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Forget(pb.ForgetRequest(table="t"))
        kept = await log_of(redis)
        entries: Any = await redis.xrange(keys.finished(keys.shard("t")))
        await redis.xdel(keys.finished(keys.shard("t")), entries[0][0])
        await stub.Forget(pb.ForgetRequest(table="t"))

    assert fault_from(refused.value).reason == "HAND_UNCOUNTED"
    assert kept == log
    assert await log_of(redis) == []


async def test_a_timer_of_a_table_that_is_gone_is_taken_out_of_the_index(redis: Redis, redis_url: str) -> None:
    timers = keys.timers(keys.shard("gone"))
    await redis.zadd(timers, {f"gone|{kind}": 1 for kind in ("start", "closes", "stuck")})
    async with engine(redis_url):
        async with asyncio.timeout(30):
            while await redis.exists(timers):
                await asyncio.sleep(0.02)


async def test_the_log_keeps_the_last_finished_hand_and_the_current_one(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        firsts = []
        for hand in (1, 2, 3):
            await dealt(stub, hand=hand, options=Options(demon_size=5).to_json())
            firsts.append(int((await redis.hget(keys.hand("t"), "first")) or 0))
            await stub.Abandon(pb.AbandonRequest(table="t"))

        kept = [json.loads(event)["seq"] for event in await log_of(redis)]

    assert kept[0] == firsts[1]
    assert kept == list(range(firsts[1], kept[-1] + 1))


async def test_an_engine_that_stops_answers_what_it_has_taken(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await dealt(stub)
        await until(stub, "start")
        stream = stub.PlayStream()
        await stream.write(pb.PlayStreamRequest(commands=[command(1, Turn(35))]))
        answer = await stream.read()
    assert isinstance(answer, pb.PlayStreamResponse)
    assert answer.verdicts[0].outcome == pb.OUTCOME_APPLIED


def _choice(random: Random, hand: Hand, seat: int, fruitless: int) -> Action:
    moves = legal_moves(hand.layouts[seat], hand.foundations, hand.options)
    useful: list[Action] = [m for m in moves if isinstance(m, Call | PlayToFoundation)]
    useful += [m for m in moves if isinstance(m, MoveToColumn) and m.source in (Source.DEMON, Source.WASTE)]
    if useful:
        return random.choice(useful[:3])
    if fruitless > 30:
        return Vote(Choice.END if fruitless > 90 else Choice.SHIFT, hand.progress)
    return random.choice(moves) if moves else Vote(Choice.SHIFT, hand.progress)


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_whole_hand_of_four_racing_seats_can_be_verified_from_its_log(
    redis: Redis, redis_url: str, seed: int
) -> None:
    random = Random(seed)
    async with engine(redis_url) as one, engine(redis_url) as other, referee(redis_url) as script:
        await dealt(one, seats=4, options=Options(demon_size=5).to_json())
        await until(one, "start")
        progress, fruitless = 0, 0
        async with asyncio.timeout(60):
            while True:
                state = await script.look("t")
                assert state is not None
                hand = state.hand
                if hand.phase is Phase.OVER:
                    break
                fruitless = fruitless + 1 if hand.progress == progress else 0
                progress = hand.progress
                plays = []
                for seat in range(4):
                    action = _choice(random, hand, seat, fruitless)
                    played = command(hand.seats[seat].last_n + 1, action, seat=seat, seen=hand.seq)
                    plays.append(random.choice((one, other)).Play(pb.PlayRequest(command=played)))
                await asyncio.gather(*plays)
        log = await log_of(redis)
        finished: Any = await redis.xrange(keys.finished(keys.shard("t")))

    assert verify(log).problems == ()
    (entry,) = [entry for _, entry in finished]
    assert entry == {b"table": b"t", b"match": b"m", b"hand": b"1", b"first": b"1", b"last": str(len(log)).encode()}
    kinds = {json.loads(event)["e"] for event in log}
    assert {"play", "move", "turn", "end"} <= kinds
