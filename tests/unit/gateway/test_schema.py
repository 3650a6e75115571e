"""The committed description of the frames is what the code reads and writes."""

from __future__ import annotations

import json
from pathlib import Path

from services.gateway import frames, schema

ROOT = Path(__file__).parents[3]


def test_the_committed_schema_is_current() -> None:
    committed = (ROOT / "docs/frames.schema.json").read_text()
    assert committed == schema.text(), "run: python -m services.gateway.schema > docs/frames.schema.json"


def test_every_frame_of_a_client_is_described_by_its_type() -> None:
    described = json.loads(schema.text())["$defs"]
    tags = {option["$ref"].rsplit("/", 1)[1] for option in described["ClientIn"]["anyOf"]}
    assert {described[name]["properties"]["t"]["enum"][0] for name in tags} == {
        *("play", "move", "turn", "recycle", "call", "vote", "row", "remove", "fill", "undo", "redo", "give_up"),
        *("attach", "ready", "emote", "ping", "pong"),
    }


def test_cards_are_the_52() -> None:
    from services.rules.cards import DECK

    assert set(frames.CardName.__args__) == {card.text for card in DECK}  # type: ignore[attr-defined]
