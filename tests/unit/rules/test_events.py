"""Events are written and read exactly as docs/protocol.md says."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules import events
from services.rules.cards import card, cards
from services.rules.contest import Contest
from services.rules.events import (
    EVENTS,
    Asked,
    BadEvent,
    Called,
    Dealt,
    DealtSeat,
    Ended,
    EndWhy,
    Event,
    Moved,
    Played,
    Player,
    Prepared,
    Recycled,
    Returned,
    SeatEvent,
    Shifted,
    ShiftWhy,
    Started,
    Turned,
    Voted,
    digest,
    encode_body,
    parse,
    seal,
    unseal,
)
from services.rules.moves import Choice, Source
from services.rules.options import RACING_DEMON
from services.rules.scoring import SeatScore
from tests.unit.rules.hands import History, sealed

PROTOCOL = Path(__file__).parents[3] / "docs" / "protocol.md"
STAMP = (5, 900, 1, 7, 4, 880)
BY_SEAT = '{"seq":5,"at":900,"e":"%s","seat":1,"n":7,"seen":4,"arrived":880,'
TOP = DealtSeat(13, card("KD"), (card("2H"), card("3H"), card("4H"), card("5H")), 35)

WRITTEN: list[tuple[Event, str]] = [
    (
        Prepared(1, 900, 2, "m", 3, "c0"),
        '{"seq":1,"at":900,"e":"prepare","hand":2,"match":"m","seats":3,"commitment":"c0"',
    ),
    (
        Dealt(2, 900, 2, "m", RACING_DEMON, "c0", (Player("p", 'Zoë "Z"', False, "n"),), 3_900, (TOP,)),
        '{"seq":2,"at":900,"e":"deal","hand":2,"match":"m","options":'
        + RACING_DEMON.to_json()
        + ',"commitment":"c0","seats":[{"player":"p","name":"Zo\\u00eb \\"Z\\"","bot":false,"nonce":"n"}],'
        '"start_at":3900,"layouts":[{"demon":13,"top":"KD","columns":["2H","3H","4H","5H"],"stock":35}]',
    ),
    (Started(3, 900, 2), '{"seq":3,"at":900,"e":"start","hand":2'),
    (
        Moved(*STAMP, Source.C0, card("9H"), Source.C2, 3, None),
        BY_SEAT % "move" + '"from":"c0","card":"9H","to":"c2","count":3,"shows":null',
    ),
    (Turned(*STAMP, 3, card("TS")), BY_SEAT % "turn" + '"count":3,"shows":"TS"'),
    (Recycled(*STAMP, 12), BY_SEAT % "recycle" + '"count":12'),
    (
        Played(*STAMP, Source.DEMON, card("2S"), None, card("KD"), 3, 2, True),
        BY_SEAT % "play" + '"from":"demon","card":"2S","to":null,"shows":"KD","f":3,"rank":2,"tie":true',
    ),
    (
        Returned(*STAMP, Source.WASTE, card("2S"), 3, 3, 2, Contest.LATE, (0, 2), 120),
        BY_SEAT % "return" + '"from":"waste","card":"2S","to":3,"f":3,"rank":2,"why":"late","first":[0,2],"gap":120',
    ),
    (Called(*STAMP, 1_380), BY_SEAT % "call" + '"closes_at":1380'),
    (Voted(*STAMP, Choice.WITHDRAW, 17), BY_SEAT % "vote" + '"choice":"withdraw","progress":17'),
    (
        Shifted(6, 900, ShiftWhy.BLOCKED, 17, (2,)),
        '{"seq":6,"at":900,"e":"shift","why":"blocked","progress":17,"away":[2]',
    ),
    (Asked(6, 900, 17), '{"seq":6,"at":900,"e":"ask","progress":17'),
    (
        Ended(9, 900, 2, "m", EndWhy.DEAD, (), (1,), (cards("2C KS"), ()), "5e", ()),
        '{"seq":9,"at":900,"e":"end","hand":2,"match":"m","why":"dead","callers":[],"away":[1],'
        '"looked":[["2C","KS"],[]],"secret":"5e","scores":[]',
    ),
    (
        Ended(9, 900, 2, "m", EndWhy.CALLED, (1,), (), (), "5e", (SeatScore(0, 24, 3, 18),)),
        '{"seq":9,"at":900,"e":"end","hand":2,"match":"m","why":"called","callers":[1],"away":[],"looked":[],"secret":"5e",'
        '"scores":[{"seat":0,"foundation":24,"demon":3,"points":18}]',
    ),
]


@pytest.mark.parametrize(("event", "body"), WRITTEN, ids=[event.e for event, _ in WRITTEN])
def test_an_event_is_written_byte_for_byte_as_the_protocol_says(event: Event, body: str) -> None:
    assert encode_body(event) == body
    assert parse(seal(body, "0" * 16)) == event


def test_every_kind_of_event_is_in_this_test() -> None:
    """Those of the other game have their own."""
    here = {kind for kind in EVENTS.values() if kind.__module__ == events.__name__}
    assert {type(event) for event, _ in WRITTEN} == here


def test_the_protocol_s_table_has_every_event_with_its_keys_in_this_order() -> None:
    table = re.findall(r"^\| `(\w+)` \| (.*) \|$", PROTOCOL.read_text().split("## Events")[1], re.MULTILINE)
    documented = {
        name: re.findall(r"`(\w+)", re.sub(r"\([^)]*\)|: \[\{[^}]*\}\]", "", fields))
        for name, fields in table
        if name in EVENTS
    }
    for event, body in WRITTEN:
        keys = [key for key in json.loads(body + "}") if key not in ("seq", "at", "e")]
        own = keys[4:] if isinstance(event, SeatEvent) else keys
        assert documented[event.e] == own, event.e


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_what_was_written_is_read_again(seed: int) -> None:
    events = History(seed).play(200).finish().events
    assert [parse(text) for text in sealed(events)] == events
    assert [parse(text.encode()) for text in sealed(events)] == events


def test_the_digest_names_the_whole_history() -> None:
    first, second = encode_body(Started(1, 900, 1)), encode_body(Started(2, 900, 1))
    one = digest("", first)
    assert one == hashlib.sha1(first.encode()).hexdigest()[:16]
    assert digest(one, second) == hashlib.sha1((one + second).encode()).hexdigest()[:16]
    assert json.loads(seal(second, one))["digest"] == one
    assert unseal(seal(second, one)) == unseal(seal(second, one).encode()) == (second, one)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        "[" * 100_000,
        '{"e":"start"}',
        '{"seq":1,"at":2,"e":"nothing","hand":1}',
        '{"seq":1,"at":2,"e":["start"],"hand":1}',
        '{"seq":1,"at":2,"e":"start","hand":true}',
        '{"seq":1,"at":2,"e":"start","hand":1.0}',
        '{"seq":"1","at":2,"e":"start","hand":1}',
        BY_SEAT % "turn" + '"count":3,"shows":"XX"}',
        BY_SEAT % "move" + '"from":"c9","card":"9H","to":"c2","count":3,"shows":null}',
        BY_SEAT % "return" + '"from":"c0","card":"9H","to":null,"f":3,"rank":2,"why":"late","first":"0","gap":1}',
        b"\xff",
    ],
)
def test_anything_else_is_no_event(text: str | bytes) -> None:
    with pytest.raises(BadEvent):
        parse(text)


@pytest.mark.parametrize("text", ["", "{}", '{"digest":"00"}', '{"seq":1,"digest":"0123456789abcdef"', b"\xff", "é"])
def test_a_text_without_a_digest_at_its_end_is_not_sealed(text: str | bytes) -> None:
    with pytest.raises(BadEvent):
        unseal(text)
