"""The types that the schema is made of say what the rules and the engine write: nothing more and nothing less."""

from __future__ import annotations

import json
from functools import reduce
from operator import or_
from typing import Any

import msgspec
import pytest

from services.engine.hands import Hands
from services.engine.judge import Judge
from services.engine.memory_referee import MemoryReferee
from services.engine.snapshot import frame
from services.gateway import hand_frames
from services.gateway.hand_frames import EVENT_FRAMES, GameSnapshot, Snapshot
from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.moves import GiveUp, Row
from services.rules.aces_up.moves import Reason as AcesUpReason
from services.rules.cards import card
from services.rules.contest import Contest
from services.rules.events import Event, encode_body, seal
from services.rules.moves import Choice, PlayToFoundation, Reason, Source, Turn, Vote
from services.rules.verdict import Outcome, Verdict
from tests.unit.engine.tables import FRESH, SECRET, command, layouts, players, started
from tests.unit.rules.aces_up.games import PRACTICE, log_of, random_actions
from tests.unit.rules.test_events import WRITTEN

ANY_EVENT: Any = reduce(or_, EVENT_FRAMES.values())
GAME = [
    *log_of(random_actions(1, PRACTICE)[0], PRACTICE, AcesEndWhy.LOST),
    *log_of([Row(48), GiveUp()]),
]
EXAMPLES: dict[str, Event] = {event.e: event for event in [*(event for event, _ in WRITTEN), *GAME]}


def read_back(text: str | bytes, kind: Any) -> Any:
    """What is left of a frame that was read as ``kind`` and written again."""
    return json.loads(msgspec.json.encode(msgspec.json.decode(text, type=kind)))


@pytest.mark.parametrize("event", EXAMPLES.values(), ids=lambda event: event.e)
def test_an_event_is_described_as_it_is_written(event: Event) -> None:
    text = seal(encode_body(event), "0" * 16)
    assert read_back(text, ANY_EVENT) == json.loads(text)


def test_there_is_an_example_of_every_event() -> None:
    assert EXAMPLES.keys() == EVENT_FRAMES.keys()


@pytest.mark.parametrize(
    "verdict",
    [
        *(Verdict(7, Outcome.REFUSED, why=why) for why in (*Reason, *AcesUpReason)),
        *(Verdict(7, Outcome.RETURNED, 9, why=why) for why in (Contest.LATE, Contest.SEEN)),
        Verdict(7, Outcome.APPLIED, 131, 3),
        Verdict(7, Outcome.TIED, 131, 0),
        Verdict(9, Outcome.OUT_OF_ORDER, last=7),
        Verdict(9, Outcome.TAKEN_OVER),
        Verdict(9, Outcome.SET_BACK),
    ],
)
def test_a_verdict_is_described_as_it_is_written(verdict: Verdict) -> None:
    assert read_back(verdict.frame(), hand_frames.Verdict) == json.loads(verdict.frame())


async def test_a_snapshot_is_described_as_it_is_written() -> None:
    store = MemoryReferee()
    hands = await started(store, *layouts("5C4D|AS|9H|TS|2S|3C4C5S|", FRESH.encode()))
    judge = Judge(store)
    await judge.one(command(1, PlayToFoundation(Source.C0, card("AS"))))
    await judge.one(command(1, Turn(7), seat=1))
    await judge.one(command(2, Vote(Choice.SHIFT, 1), seat=1))
    await store.detach("t", 0, 1, left=True)

    written = frame(await hands.state("t"))

    assert read_back(written, Snapshot) == json.loads(written)


async def test_the_snapshot_of_a_prepared_hand_is_described_as_it_is_written() -> None:
    store = MemoryReferee()
    hands = Hands(store, lambda: SECRET)
    await hands.prepare("t", match="m", hand=1, seats=2)

    written = frame(await hands.state("t"))

    assert read_back(written, Snapshot) == json.loads(written)


async def test_the_snapshot_of_a_game_of_aces_up_is_described_as_it_is_written() -> None:
    store = MemoryReferee()
    hands = Hands(store, lambda: SECRET)
    await hands.prepare("t", match="m", hand=1, seats=1)
    await hands.deal("t", match="m", hand=1, options=PRACTICE, players=players(1), countdown_ms=0)

    written = frame(await hands.state("t"))

    assert read_back(written, GameSnapshot) == json.loads(written)
