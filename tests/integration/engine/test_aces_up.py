"""Games of Aces Up on the engine that hosts Racing Demon: the same script, log, resume, verification."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from random import Random
from typing import Any

import grpc
import pytest
from pandemonium.engine.v1 import engine_pb2 as pb
from redis.asyncio import Redis

from services.rules.aces_up.deal import deal
from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import Action, Applied, Fill, GiveUp, Redo, Remove, Row, Undo, apply
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.result import result
from services.rules.aces_up.state import State
from services.rules.aces_up.view import View
from services.rules.cards import card
from services.rules.events import parse
from services.rules.hand import Phase
from services.rules.moves import Turn
from services.rules.options import Options
from services.rules.replay import verify
from services.rules.rulebook import AnyAction
from services.rules.view import TableView
from services.runtime.errors import fault_from
from services.runtime.redis_server import RedisServer
from tests.integration.engine.engines import Stub, command, dealt, engine, log_of, until, verdicts

PLAIN = AcesUpOptions(1)
PRACTICE = AcesUpOptions(7, practice=True)


def whole_game(seed: int, options: AcesUpOptions) -> tuple[list[Action], State]:
    """A game by chance, to its end or, in practice, for a while and then given up."""
    random, state, actions = Random(seed), deal(options.number), list[Action]()
    while result(state, options) is None:
        choices = [action for action in legal_moves(state) if not isinstance(action, GiveUp)]
        removals = [action for action in choices if isinstance(action, Remove)]
        if not choices or len(actions) > 150:
            return [*actions, GiveUp()], state
        actions.append(random.choice(removals if removals and random.random() < 0.8 else choices))
        applied = apply(state, actions[-1], options)
        assert isinstance(applied, Applied)
        state = applied.state
    return actions, state


async def begun(stub: Stub, options: AcesUpOptions = PLAIN, table: str = "t") -> None:
    await dealt(stub, table, seats=1, options=options.to_json())
    await until(stub, "start", table)


@pytest.mark.parametrize(
    "options", [PLAIN, AcesUpOptions(2**31, auto_remove=True), PRACTICE], ids=["plain", "automatic", "practice"]
)
async def test_a_game_ends_by_itself_and_its_log_is_verified(
    redis: Redis, redis_url: str, options: AcesUpOptions
) -> None:
    actions, last = whole_game(3, options)
    async with engine(redis_url) as stub:
        await begun(stub, options)
        found = await verdicts(stub, [command(n, action) for n, action in enumerate(actions, 1)])
        events = await until(stub, "aces_end")

    assert {v.outcome for v in found} == {pb.OUTCOME_APPLIED}
    assert events[-1]["why"] == (result(last, options) or "given_up")
    assert events[-1]["removed"] == last.removed_count
    log = await log_of(redis)
    assert verify(log).problems == ()
    view = TableView()
    for event in log:
        view = view.apply(parse(event))
    assert view.phase is Phase.OVER
    assert view.game == View.of(last, options)


async def test_the_snapshot_is_what_the_events_lead_to(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await begun(stub, PRACTICE)
        actions, _ = whole_game(5, PRACTICE)
        await verdicts(stub, [command(n, action) for n, action in enumerate([*actions[:40], Undo()], 1)])
        snapshot = json.loads((await stub.Snapshot(pb.SnapshotRequest(table="t"))).frame)

    view = TableView()
    for event in await log_of(redis):
        view = view.apply(parse(event))
    assert TableView.from_snapshot(snapshot) == replace(view, start_at=None)  # the countdown is over
    assert view.game is not None
    assert view.game.redoable == 1
    assert "secret" not in snapshot


async def test_every_refusal_is_typed_and_changes_nothing(redis: Redis, redis_url: str) -> None:
    refused: list[tuple[AnyAction, str]] = [  # the tops are 8D 3H AD AS
        (Remove(3, card("AS")), "ace_stays"),
        (Remove(1, card("3H")), "no_higher"),
        (Remove(1, card("KH")), "not_there"),
        (Fill(0, card("8D"), 1), "no_gap"),
        (Row(44), "stock_changed"),
        (Undo(), "no_practice"),
        (Redo(), "no_practice"),
        (Turn(35), "other_game"),
    ]
    async with engine(redis_url) as stub:
        await begun(stub)
        before = await log_of(redis)
        found = await verdicts(stub, [command(n, action) for n, (action, _) in enumerate(refused, 1)])
        assert [json.loads(v.frame)["why"] for v in found] == [why for _, why in refused]
        assert await log_of(redis) == before
        removal = command(len(refused) + 1, Remove(0, card("8D")))
        played = await stub.Play(pb.PlayRequest(command=removal))
        assert played.verdict.outcome == pb.OUTCOME_APPLIED


async def test_a_command_of_aces_up_is_none_at_a_table_of_racing_demon(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await dealt(stub)
        await until(stub, "start")
        (refused,) = await verdicts(stub, [command(1, Row(48))])
    assert json.loads(refused.frame) == {"t": "verdict", "n": 1, "v": "refused", "why": "other_game"}


async def test_nothing_counts_after_the_end_and_a_repeated_command_counts_once(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        await begun(stub)
        once = command(1, Row(48))
        first, again, gone, late = await verdicts(stub, [once, once, command(2, GiveUp()), command(3, Row(44))])
        await until(stub, "aces_end")
    assert first.frame == again.frame
    assert gone.outcome == pb.OUTCOME_APPLIED
    assert json.loads(late.frame)["why"] == "hand_over"
    assert sum(b'"e":"row"' in event for event in await log_of(redis)) == 1


async def test_engines_take_turns_at_one_game(redis: Redis, redis_url: str) -> None:
    """What either believes of the game is outdated every time, and no verdict shows it."""
    actions, _ = whole_game(11, PLAIN)
    async with engine(redis_url) as one, engine(redis_url) as other:
        await begun(one)
        for n, action in enumerate(actions, 1):
            played = await (one, other)[n % 2].Play(pb.PlayRequest(command=command(n, action)))
            assert played.verdict.outcome == pb.OUTCOME_APPLIED
        await until(one, "aces_end")
    assert verify(await log_of(redis)).problems == ()


async def test_a_game_survives_a_kill_of_its_redis(tmp_path: Any) -> None:
    """Everything that was acknowledged is there, and the game goes on."""
    actions, _ = whole_game(11, PLAIN)
    async with RedisServer(tmp_path) as server, engine(server.url) as stub:
        await begun(stub)
        await verdicts(stub, [command(n, action) for n, action in enumerate(actions[:20], 1)])
        await server.restart()
        for n, action in enumerate(actions[20:], 21):
            async with asyncio.timeout(20):
                while (outcome := (await stub.Play(pb.PlayRequest(command=command(n, action)))).verdict.outcome) == (
                    pb.OUTCOME_UNAVAILABLE
                ):
                    await asyncio.sleep(0.05)
            assert outcome == pb.OUTCOME_APPLIED
        events = await until(stub, "aces_end")
    assert [event["n"] for event in events if event["e"] in ("row", "remove", "fill")] == list(
        range(1, len(actions) + 1)
    )


async def test_who_leaves_a_touched_game_gives_it_up_and_an_untouched_one_is_void(redis: Redis, redis_url: str) -> None:
    async with engine(redis_url) as stub:
        for table, actions, why in (("a", [Row(48)], "given_up"), ("b", [], "void")):
            await begun(stub, table=table)
            for n, action in enumerate(actions, 1):
                await stub.Play(pb.PlayRequest(command=command(n, action, table=table)))
            await stub.Abandon(pb.AbandonRequest(table=table))
            assert (await until(stub, "aces_end", table))[-1]["why"] == why
            assert verify(await log_of(redis, table)).problems == ()


@pytest.mark.parametrize(
    ("seats", "options"),
    [(1, Options().to_json()), (2, PLAIN.to_json()), (1, '{"game":"aces_up"}'), (1, '{"game":"go"}')],
)
async def test_what_can_t_be_dealt_is_refused_with_a_reason(
    redis: Redis, redis_url: str, seats: int, options: str
) -> None:
    async with engine(redis_url) as stub:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await dealt(stub, seats=seats, options=options)
    assert fault_from(refused.value).reason in ("BAD_SEATS", "BAD_OPTION")
