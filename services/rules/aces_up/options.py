"""How a game of Aces Up is played: which deal, and with which comforts. None of them changes a rule.

>>> AcesUpOptions(number=7).to_json()
'{"game":"aces_up","number":7,"practice":false,"auto_remove":false}'
>>> AcesUpOptions.from_mapping({"number": 0})
Traceback (most recent call last):
services.rules.options.OptionError: option 'number': must be a whole number from 1 to 2147483648
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Final

from services.rules.options import OptionError, decoded

GAME: Final = "aces_up"
"""What the options of this game are told by, where those of another could be."""
LAST_NUMBER: Final = 2**31
"""The highest number of a deal; the lowest is 1."""


@dataclass(frozen=True, slots=True)
class AcesUpOptions:
    """A game's options. Raises :class:`OptionError`.

    ``number`` names the deal (docs/aces-up.md); in ``practice`` steps can be taken back, and a lost game goes on;
    ``auto_remove`` makes all removals that are possible after each action.
    """

    number: int
    practice: bool = False
    auto_remove: bool = False

    def __post_init__(self) -> None:
        if type(self.number) is not int or not 1 <= self.number <= LAST_NUMBER:
            raise OptionError("number", f"must be a whole number from 1 to {LAST_NUMBER}")
        for name in ("practice", "auto_remove"):
            if type(getattr(self, name)) is not bool:
                raise OptionError(name, "must be true or false")

    def to_json(self) -> str:
        """The game's name and every option, always in the same order: equal texts mean equal options."""
        return json.dumps({"game": GAME} | asdict(self), separators=(",", ":"))

    @classmethod
    def from_mapping(cls, given: object) -> AcesUpOptions:
        """Options from a decoded JSON object; only ``number`` may not be left out. Raises :class:`OptionError`."""
        if not isinstance(given, dict):
            raise OptionError("options", "must be an object")
        given = dict(given)
        if given.pop("game", GAME) != GAME:
            raise OptionError("game", f"must be {GAME}")
        for name in given:
            if name not in _NAMES:
                raise OptionError(str(name), "no such option")
        if "number" not in given:
            raise OptionError("number", "must be given")
        return cls(**given)

    @classmethod
    def from_json(cls, text: str) -> AcesUpOptions:
        """The inverse of :meth:`to_json`. Raises :class:`OptionError`."""
        return cls.from_mapping(decoded(text))


_NAMES: Final = frozenset(field.name for field in fields(AcesUpOptions))
