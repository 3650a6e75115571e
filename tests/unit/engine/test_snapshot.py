from __future__ import annotations

import json

from services.engine.hands import Hands
from services.engine.judge import Judge
from services.engine.memory_referee import MemoryReferee
from services.engine.snapshot import frame
from services.rules.cards import DECK, card
from services.rules.moves import Choice, PlayToFoundation, Source, Turn, Vote
from services.rules.options import RACING_DEMON
from services.rules.view import TableView
from tests.unit.engine.tables import FRESH, SECRET, command, layouts, started


async def test_a_snapshot_says_what_everybody_may_see() -> None:
    store = MemoryReferee()
    hands = await started(store, *layouts("5C4D|AS|9H|TS|2S|3C4C5S|", FRESH.encode()))
    judge = Judge(store)
    await judge.one(command(1, PlayToFoundation(Source.C0, card("AS"))))
    await judge.one(command(1, Turn(7), seat=1))
    await judge.one(command(2, Vote(Choice.SHIFT, 1), seat=1))
    await store.detach("t", 0, 1, left=True)

    said = json.loads(frame(await hands.state("t")))

    assert said.pop("digest")
    assert said.pop("options") == json.loads(RACING_DEMON.to_json())
    assert said.pop("commitment")
    assert said == {
        "t": "snapshot",
        "seq": 6,
        "phase": "playing",
        "hand": 1,
        "match": "m",
        "start_at": said["start_at"],
        "closes_at": None,
        "progress": 1,
        "callers": [],
        "votes": {"1": "shift"},
        "asked": False,
        "away": [0],
        "seats": [
            {
                "demon": 2,
                "top": "4D",
                "columns": [[], ["9H"], ["TS"], ["2S"]],
                "stock": 3,
                "waste": 0,
                "waste_top": None,
            },
            {
                "demon": 5,
                "top": "6C",
                "columns": [["KS"], ["9H"], ["TS"], ["QC"]],
                "stock": 4,
                "waste": 3,
                "waste_top": "2H",
            },
        ],
        "foundations": [{"suit": "S", "ranks": [[0]]}],
        "last_n": [1, 2],
    }


async def test_a_prepared_hand_has_no_cards_yet() -> None:
    store = MemoryReferee()
    hands = Hands(store, lambda: SECRET)
    await hands.prepare("t", match="m", hand=1, seats=2)

    said = json.loads(frame(await hands.state("t")))

    assert (said["phase"], said["seats"], said["foundations"], said["last_n"]) == ("prepared", [], [], [0, 0])


async def test_the_rules_read_a_snapshot() -> None:
    store = MemoryReferee()
    hands = await started(store, FRESH, FRESH)
    state = await hands.state("t")

    view = TableView.from_snapshot(json.loads(frame(state)))

    assert view.seq == state.hand.seq


async def test_hidden_cards_and_the_secret_are_nowhere_in_a_snapshot() -> None:
    store = MemoryReferee()
    hands = await started(store, FRESH)
    shown = {"6C", "KS", "9H", "TS", "QC"}

    text = frame(await hands.state("t")).decode()

    assert SECRET not in text
    assert {c.text for c in DECK if f'"{c.text}"' in text} == shown
