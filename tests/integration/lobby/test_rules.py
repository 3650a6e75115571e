"""House rules: what a table is created with, and what can't be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.rules.options import PRESETS, Options
from tests.integration.lobby.hall import Hall, fault


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_preset_stands_for_all_its_rules(hall: Hall, preset: str) -> None:
    table = await hall.create("ada", seats=4, options_json=json.dumps({"preset": preset}))
    assert table.options_json == PRESETS[preset].to_json()
    assert (await hall.table(table.id)).options_json == table.options_json


async def test_what_is_given_beside_a_preset_stands_instead_of_its_rule(hall: Hall) -> None:
    rules = {"preset": "nerts", "demon_size": [13, 10, 13], "hands": 3, "dispute": "replay_hand"}
    table = await hall.create("ada", seats=3, options_json=json.dumps(rules))
    options = Options.from_json(table.options_json)
    assert (options.names, options.demon_size, options.hands) == ("nerts", (13, 10, 13), 3)


@pytest.mark.parametrize(
    ("seats", "rules", "option"),
    [
        (2, {"preset": "nonsense"}, "preset"),
        (2, {"preset": ["nerts"]}, "preset"),
        (5, {"preset": "pairs"}, "teams"),
        (2, {"teams": "pairs"}, "teams"),
        (3, {"demon_size": [13, 10]}, "demon_size"),
        (2, {"demon_size": [13, 4]}, "demon_size"),
        (2, {"passes": 1}, "stuck"),
        (2, {"hands": 3, "target": 50}, "target"),
        (2, {"preset": "family", "hands": 3}, "target"),
        (2, {"colour": "red"}, "colour"),
    ],
)
async def test_rules_that_cannot_be_are_refused_and_named(
    hall: Hall, seats: int, rules: dict[str, Any], option: str
) -> None:
    refused = await fault(hall.create("ada", seats=seats, options_json=json.dumps(rules)))
    assert (refused.reason, refused.metadata["option"]) == ("BAD_OPTION", option)
    assert f"option '{option}': " in refused.detail
    # Nothing has changed: the player sits nowhere.
    await hall.create("ada", seats=2)


async def test_quick_play_is_racing_demon(hall: Hall) -> None:
    assert (await hall.quick("ada")).table.options_json == PRESETS["racing_demon"].to_json()
