from __future__ import annotations

import pytest
from prometheus_client import REGISTRY

from services.engine import metrics
from services.engine.judge import Judge
from services.engine.memory_referee import MemoryReferee
from services.engine.port import Status, Timer
from services.rules.cards import card
from services.rules.events import EndWhy
from services.rules.moves import Call, PlayToFoundation, Source, Turn
from tests.unit.engine.tables import FRESH, command, layouts, started


def series() -> set[tuple[str, tuple[tuple[str, str], ...]]]:
    return {
        (sample.name, tuple(sorted(sample.labels.items())))
        for metric in REGISTRY.collect()
        if metric.name.startswith("pandemonium_engine")
        for sample in metric.samples
    }


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"pandemonium_engine_{name}", labels) or 0.0


async def test_no_series_appears_that_was_not_there_from_the_start() -> None:
    before = series()
    for i in range(20):
        store = MemoryReferee()
        await started(store, *layouts("5C4D|AS|9H|TS|2S|3C4C5S|", "5C4D|AS|9H|TS|2S|3C4C5S|"), table=f"t{i}")
        judge = Judge(store)
        await judge.one(command(1, PlayToFoundation(Source.C0, card("AS")), table=f"t{i}"))
        await judge.one(command(2, Call(), table=f"t{i}"))
        await judge.one(command(9, Turn(3), table=f"t{i}"))

    assert series() == before


async def test_contests_are_counted_by_who_was_first() -> None:
    first, seen = value("contests_total", outcome="first"), value("contests_total", outcome="seen")
    store = MemoryReferee()
    await started(store, *layouts("5C4D|AS|9H|TS|2S|3C4C5S|", "5C4D|KS|9H|TS|2S|3C4C5S|"))
    judge = Judge(store)
    await judge.one(command(1, PlayToFoundation(Source.C0, card("AS"))))
    await judge.one(command(2, PlayToFoundation(Source.C3, card("2S")), seen=4))
    await judge.one(command(1, PlayToFoundation(Source.C3, card("2S")), seat=1, seen=5))

    assert value("contests_total", outcome="first") == first + 2
    assert value("contests_total", outcome="seen") == seen + 1


def test_the_time_made_up_for_in_a_tie_is_told_once() -> None:
    tied = value("contest_gap_seconds_sum", outcome="tied")
    play = command(1, PlayToFoundation(Source.C0, card("AS")))
    metrics.judged(play, Status.TIED, False, 40)
    metrics.judged(play, Status.TIED, True)
    assert value("contest_gap_seconds_sum", outcome="tied") == pytest.approx(tied + 0.04)


async def test_a_repeated_command_counts_as_repeated() -> None:
    repeated = value("commands_total", kind="move", outcome="repeated")
    store = MemoryReferee()
    await started(store, *layouts("5C4D|AS|9H|TS|2S|3C4C5S|", "5C4D|AS|9H|TS|2S|3C4C5S|"))
    judge = Judge(store)
    for _ in range(2):
        await judge.one(command(1, Turn(3)))

    assert value("commands_total", kind="move", outcome="repeated") == repeated + 1
    assert metrics.KINDS == ("play", "move", "call", "vote")


async def test_a_hand_that_was_given_up_is_counted_apart_from_one_that_was_called() -> None:
    store = MemoryReferee()
    called = await started(store, *layouts("|AS|2S|3S|4S|5S|", FRESH.encode()), table="called")
    await Judge(store).one(command(1, Call(), at=store.now, table="called"))
    store.now += 10_000
    given_up = await started(store, *layouts(FRESH.encode(), FRESH.encode()), table="given up")
    before = {why: value("hands_ended_total", why=why.value) for why in EndWhy}

    assert await called.fire("called", Timer.CLOSES)
    await given_up.abandon("given up")

    counted = {why for why in EndWhy if value("hands_ended_total", why=why.value) == before[why] + 1}
    assert counted == {EndWhy.CALLED, EndWhy.VOID}
