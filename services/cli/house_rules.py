"""House rules on the command line: a preset, and what differs from it; and how a table's rules are named in words.

>>> read("nerts", ["hands=3", "demon_size=13,13,10"]).demon_size
(13, 13, 10)
>>> in_words(read("nerts", ["hands=3"])), in_words(read("nerts", ["draw=1"]))
('nerts, 3 hands', 'rules of its own, to 100 points')
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from services.rules.options import PRESETS, RACING_DEMON, OptionError, Options, preset_of
from services.rules.words import WORDS, Words, words

DEFAULT: Final = "racing_demon"
PRESET_HELP: Final = f"House rules by name: {', '.join(PRESETS)}."
OPTION_HELP: Final = "A rule that differs from those, as NAME=VALUE; may be given several times."


def read(preset: str, settings: Sequence[str], target: int | None = None) -> Options:
    """The options of a preset with those that differ, each as ``name=value``. Raises OptionError."""
    given: dict[str, Any] = {"preset": preset}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise OptionError(setting, "is to be given as NAME=VALUE")
        given[name] = _value(value)
    if target is not None:
        given["target"] = target
    return Options.from_mapping(given)


def in_words(options: Options) -> str:
    """The rules in short: the preset that they are, and what ends a match."""
    target, fixed = options.target, options.hands
    like = (name for name, preset in PRESETS.items() if replace(preset, target=target, hands=fixed) == options)
    named = preset_of(options) or next(like, None)
    return f"{named or 'rules of its own'}, {hands(fixed) if fixed else f'to {target} points'}"


def hands(count: int) -> str:
    """So many hands, in words."""
    return "1 hand" if count == 1 else f"{count} hands"


def words_of(options: Mapping[str, Any]) -> Words:
    """The words of a table or match, as it tells its options; those of the default for names that are unknown here."""
    return WORDS.get(options.get("names", ""), words(RACING_DEMON))


def _value(text: str) -> Any:
    """A number, a list of numbers, or else a word."""
    try:
        return json.loads(f"[{text}]" if "," in text and not text.startswith("[") else text)
    except (ValueError, RecursionError):
        return text
