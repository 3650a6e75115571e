from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from services.engine.judge import TRIES, Answer, Judge
from services.engine.memory_referee import MemoryReferee
from services.engine.port import Command, Judged, Ruling, Status
from services.rules.cards import card
from services.rules.events import ShiftWhy
from services.rules.moves import Action, Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote
from tests.unit.engine.tables import FRESH, command, layouts, started


async def answers(judge: Judge, commands: Sequence[Command]) -> list[Answer]:
    found: list[Answer] = []
    for one in commands:
        judge.submit(one, found.append)
    await judge.drain()
    return found


async def test_a_command_gets_the_verdict_of_the_referee() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)

    answer = await Judge(store).one(command(1, Turn(7)))

    assert answer.status is Status.APPLIED
    assert answer.frame == b'{"t":"verdict","n":1,"v":"applied","seq":4}'


async def test_commands_of_one_seat_are_judged_one_on_top_of_the_other_in_one_call() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)
    judge = Judge(store)
    await judge.one(command(1, Turn(7)))
    before = store.calls

    found = await answers(judge, [command(2, Turn(4)), command(3, Turn(1)), command(4, Recycle()), command(5, Turn(7))])

    assert [a.status for a in found] == [Status.APPLIED] * 4
    assert store.calls == before + 1


async def test_two_illegal_commands_back_to_back_get_each_its_own_reason() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)

    found = await answers(Judge(store), [command(1, Turn(5)), command(2, Call())])

    assert [a.frame for a in found] == [
        b'{"t":"verdict","n":1,"v":"refused","why":"stock_changed"}',
        b'{"t":"verdict","n":2,"v":"refused","why":"demon_not_empty"}',
    ]


async def test_a_burst_of_a_hundred_is_judged_in_order() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)
    judge = Judge(store)
    actions: list[Action] = [Turn(7), Turn(4), Turn(1), Recycle()] * 25

    found = await answers(judge, [command(n, action) for n, action in enumerate(actions, 1)])

    assert [a.command.n for a in found] == list(range(1, 101))
    assert {a.status for a in found} == {Status.APPLIED}


async def test_what_is_behind_a_lost_card_is_judged_again_on_what_the_seat_really_has() -> None:
    store = MemoryReferee()
    mine, theirs = layouts("5C4D|AS|9H|TS|2S|3C4C5S|", "5C2S|AS|9H|TS|QC|3C4C5S|")
    await started(store, mine, theirs)
    judge, other = Judge(store), Judge(store)
    await other.one(command(1, PlayToFoundation(Source.C0, card("AS")), seat=1))
    await other.one(command(2, PlayToFoundation(Source.DEMON, card("2S")), seat=1, seen=4))

    found = await answers(
        judge,
        [
            command(1, PlayToFoundation(Source.C3, card("2S"), 0), seen=5),
            command(2, MoveToColumn(Source.DEMON, card("4D"), 3), seen=5),  # onto the gap that there is not
            command(3, Turn(3), seen=5),
        ],
    )

    assert [a.status for a in found] == [Status.SEEN, Status.REFUSED, Status.APPLIED]
    assert b"does_not_fit" in found[1].frame


async def test_no_card_is_lost_when_the_table_shifts_between_two_plays_made_in_advance() -> None:
    store = MemoryReferee()
    hands = await started(store, FRESH, FRESH)
    judge = Judge(store)
    await judge.one(command(1, Turn(7)))
    await store.shift(await hands.state("t"), why=ShiftWhy.AGREED, away=())

    found = await answers(judge, [command(2, Turn(4)), command(3, Turn(7)), command(4, Turn(4))])

    assert [a.status for a in found] == [Status.REFUSED, Status.APPLIED, Status.APPLIED]
    state = await hands.state("t")
    assert len(state.hand.layouts[0]) == len(FRESH)


async def test_an_outdated_belief_never_becomes_a_refusal() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)
    engines = [Judge(store), Judge(store)]
    actions: list[Action] = [Turn(7), Turn(4), Turn(1), Recycle()] * 5

    for n, action in enumerate(actions, 1):
        answer = await engines[n % 2].one(command(n, action))
        assert answer.status is Status.APPLIED


async def test_a_repeated_command_is_not_judged_twice_by_another_engine_either() -> None:
    store = MemoryReferee()
    hands = await started(store, FRESH, FRESH)
    first = await Judge(store).one(command(1, Turn(7)))

    second = await Judge(store).one(command(1, Turn(7)))

    assert second.frame == first.frame
    assert (await hands.state("t")).hand.seq == 4


async def test_a_gap_is_out_of_order_and_an_old_epoch_is_taken_over() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)
    judge = Judge(store)

    gap = await judge.one(command(3, Turn(7)))
    old = await judge.one(command(1, Turn(7), epoch=0))

    assert (gap.status, gap.frame) == (
        Status.OUT_OF_ORDER,
        b'{"t":"verdict","n":3,"v":"out_of_order","last":0}',
    )
    assert old.status is Status.TAKEN_OVER


async def test_what_names_no_card_is_refused() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)

    answer = await Judge(store).one(command(1, None))

    assert answer.frame == b'{"t":"verdict","n":1,"v":"refused","why":"not_there"}'


async def test_without_the_log_a_command_is_unavailable_and_the_next_one_is_judged() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)
    judge = Judge(store)
    store.reached = False

    lost = await judge.one(command(1, Turn(7)))
    store.reached = True
    again = await judge.one(command(1, Turn(7)))

    assert (lost.status, lost.frame) == (Status.UNAVAILABLE, b"")
    assert again.status is Status.APPLIED


async def test_a_table_without_a_hand_is_unknown() -> None:
    answer = await Judge(MemoryReferee()).one(command(1, Turn(7)))

    assert answer.status is Status.UNKNOWN


async def test_a_kept_vote_is_told_at_once_and_a_refused_one_is_not() -> None:
    store, voted = MemoryReferee(), list[str]()
    await started(store, FRESH, FRESH)
    judge = Judge(store, voted=voted.append)

    await judge.one(command(1, Vote(Choice.SHIFT, progress=5)))
    assert voted == []
    await judge.one(command(2, Vote(Choice.SHIFT, progress=0)))
    assert voted == ["t"]


async def test_commands_of_many_tables_travel_in_one_call_and_at_most_two_are_under_way() -> None:
    class Slow(MemoryReferee):
        under_way = most = 0

        async def judge(self, calls: Sequence[tuple[str, Sequence[Judged]]]) -> list[list[Ruling]]:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            for _ in range(5):
                await asyncio.sleep(0)
            self.under_way -= 1
            return await super().judge(calls)

    store, found = Slow(), list[Answer]()
    for i in range(40):
        await started(store, FRESH, FRESH, table=f"t{i}")
    judge = Judge(store)
    for turn in range(10):
        for i in range(turn * 4, turn * 4 + 4):
            judge.submit(command(1, Turn(7), table=f"t{i}"), found.append)
        await asyncio.sleep(0)
    await judge.drain()

    assert len(found) == 40
    assert {a.status for a in found} == {Status.APPLIED}
    assert store.most == 2
    assert store.calls < 20


async def test_a_seat_whose_layout_never_holds_still_is_given_back_in_the_end() -> None:
    class Restless(MemoryReferee):
        async def judge(self, calls: Sequence[tuple[str, Sequence[Judged]]]) -> list[list[Ruling]]:
            self.calls += 1
            return [[Ruling(Status.STALE, layout=FRESH.encode())] * len(judged) for _, judged in calls]

    store = Restless()

    answer = await Judge(store).one(command(1, Turn(7)))

    assert (answer.status, store.calls) == (Status.UNAVAILABLE, TRIES)


async def test_a_table_with_spoilt_cards_keeps_no_other_from_its_verdict() -> None:
    class Spoilt(MemoryReferee):
        async def judge(self, calls: Sequence[tuple[str, Sequence[Judged]]]) -> list[list[Ruling]]:
            rulings = await super().judge(calls)
            return [
                [Ruling(Status.STALE, layout="XX")] * len(of_table) if table == "spoilt" else of_table
                for (table, _), of_table in zip(calls, rulings, strict=True)
            ]

    store = Spoilt()
    for table in ("spoilt", "well"):
        await started(store, FRESH, FRESH, table=table)

    found = await answers(Judge(store), [command(1, Turn(7), table=table) for table in ("spoilt", "well")])

    assert {a.command.table: a.status for a in found} == {"spoilt": Status.UNAVAILABLE, "well": Status.APPLIED}


async def test_a_batch_that_breaks_is_answered_all_the_same() -> None:
    class Broken(MemoryReferee):
        async def judge(self, calls: Sequence[tuple[str, Sequence[Judged]]]) -> list[list[Ruling]]:
            raise ZeroDivisionError

    answer = await Judge(Broken()).one(command(1, Turn(7)))

    assert answer.status is Status.UNAVAILABLE


@pytest.mark.parametrize("remembered", [1, 2])
async def test_forgetting_a_layout_costs_a_second_try_and_nothing_else(remembered: int) -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH, replace(FRESH))
    judge = Judge(store, seats=remembered)

    for n, action in enumerate([Turn(7), Turn(4), Turn(1)], 1):
        found = await answers(judge, [command(n, action, seat=seat) for seat in range(3)])
        assert {a.status for a in found} == {Status.APPLIED}
