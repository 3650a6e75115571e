"""The sentences of hints, and the document that lists their keys for whoever translates them."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from services.rules.hint_texts import TEXTS, sentence
from services.rules.options import Options
from services.rules.words import WORDS

PROTOCOL = (Path(__file__).parents[3] / "docs/protocol.md").read_text()
ROWS = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|(.*?)\|.*\|$", PROTOCOL.partition("after `hint.` |")[2], re.MULTILINE)
DOCUMENTED = {
    f"hint.{key}": set(re.findall(r"`(\w+)`", args)) for keys, args in ROWS for key in re.findall(r"`(\w+)`", keys)
}
OWN_WORDS = {"pile", "call"}


def test_the_document_lists_every_key() -> None:
    assert set(TEXTS) <= set(DOCUMENTED)


@pytest.mark.parametrize(("key", "text"), TEXTS.items())
def test_a_sentence_says_nothing_but_the_documented_arguments_and_the_table_s_words(key: str, text: str) -> None:
    assert {name for _, name, _, _ in Formatter().parse(text) if name} <= DOCUMENTED[key] | OWN_WORDS


@pytest.mark.parametrize("names", WORDS)
def test_a_table_is_spoken_to_in_its_own_words(names: str) -> None:
    """Option ``names``."""
    rules, told = Options(names=names), WORDS[names]
    assert told.call in sentence("hint.call", {}, rules)
    assert f"your {told.pile}" in sentence("hint.demon_to_gap", {"card": "KD", "to": "c0"}, rules)
    assert f"from your {told.pile}" in sentence("hint.ace_to_foundation", {"card": "AD", "from": "demon"}, rules)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"card": "TS", "onto": "JH", "to": "c3"}, "the 10♠ from your waste on the J♥ in column 4"),
        ({"card": "9C", "onto": "TD", "to": "c0"}, "the 9♣ from your waste on the 10♦ in column 1"),
    ],
)
def test_cards_and_columns_are_said_as_people_say_them(args: dict[str, str | int], said: str) -> None:
    assert said in sentence("hint.waste_to_column", args, Options())
