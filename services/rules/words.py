"""What a table shouts and calls things (the option ``names``): words, no rule.

>>> words(Options(names="nerts"))
Words(call='Nerts!', pile='nerts pile')
"""

from __future__ import annotations

from typing import Final, NamedTuple

from services.rules.options import Options


class Words(NamedTuple):
    """What is shouted when a hand is called, and what the pile is called that must be empty for it."""

    call: str
    pile: str


WORDS: Final[dict[str, Words]] = {
    "racing_demon": Words("Demon!", "demon"),
    "out": Words("Out!", "demon"),
    "nerts": Words("Nerts!", "nerts pile"),
    "pounce": Words("Pounce!", "pounce pile"),
    "stop": Words("Stop!", "demon"),
}
"""The words of each value of the option."""


def words(options: Options) -> Words:
    """The words at a table with these rules."""
    return WORDS[options.names]
