from __future__ import annotations

from services.rules.options import CHOICES, RACING_DEMON
from services.rules.words import WORDS, words


def test_every_value_of_the_option_has_its_words_and_the_default_is_demon() -> None:
    assert tuple(WORDS) == CHOICES["names"]
    assert words(RACING_DEMON) == ("Demon!", "demon")
