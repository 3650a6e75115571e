"""The house rules of a table, every one an option (the table at the end of docs/rules.md).

An option whose behaviour is not built yet is refused by name, never ignored.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Final


class OptionError(ValueError):
    """An option that can't be: unknown, out of range, or not available. ``option`` names it, ``why`` says why."""

    def __init__(self, option: str, why: str) -> None:
        super().__init__(f"option {option!r}: {why}")
        self.option = option
        self.why = why


_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "draw": (3, 1),
    "passes": ("unlimited", 1),
    "gap_fill": ("any", "demon_only"),
    "contest": ("tie_if_undecidable", "first_only"),
    "call": ("optional", "automatic"),
    "in_motion": ("complete", "void"),
    "out_bonus": (0, 10),
    "demon_penalty": (2, 0, 1),
    "stuck": ("shift", "end"),
    "match_end": ("share", "playoff"),
    "teams": ("off", "pairs"),
    "dispute": ("off", "replay_hand"),
    "names": ("racing_demon", "out", "nerts", "pounce", "stop"),
}
_RANGES: Final = {"demon_size": (5, 20), "tie_window_ms": (1, 250), "target": (10, 1000)}
_ONLY_DEFAULT: Final = ("passes", "contest", "call", "in_motion", "stuck", "match_end", "teams", "dispute", "names")


@dataclass(frozen=True, slots=True)
class Options:
    """The rules that a hand is played by; the defaults are the preset ``racing_demon``.

    Raises :class:`OptionError` for a value that is unknown, out of range or not available.
    """

    demon_size: int = 13
    draw: int = 3
    passes: int | str = "unlimited"
    gap_fill: str = "any"
    contest: str = "tie_if_undecidable"
    tie_window_ms: int = 80
    call: str = "optional"
    in_motion: str = "complete"
    out_bonus: int = 0
    demon_penalty: int = 2
    stuck: str = "shift"
    target: int = 100
    match_end: str = "share"
    teams: str = "off"
    dispute: str = "off"
    names: str = "racing_demon"

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise OptionError(name, f"must be a whole number from {low} to {high}")
        for name, allowed in _CHOICES.items():
            value = getattr(self, name)
            if not any(type(value) is type(a) and value == a for a in allowed):
                raise OptionError(name, "must be one of " + ", ".join(map(str, allowed)))
            if name in _ONLY_DEFAULT and value != allowed[0]:
                raise OptionError(name, f"{value!r} is not available yet")

    def to_json(self) -> str:
        """Every option, in the order of the rules' table: equal texts mean equal options."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_mapping(cls, given: object) -> Options:
        """Options from a decoded JSON object; those left out are the defaults. Raises :class:`OptionError`."""
        if not isinstance(given, dict):
            raise OptionError("options", "must be an object")
        known = {f.name for f in fields(cls)}
        for name in given:
            if name not in known:
                raise OptionError(str(name), "no such option")
        return cls(**given)

    @classmethod
    def from_json(cls, text: str) -> Options:
        """The inverse of :meth:`to_json`; the empty text is the defaults. Raises :class:`OptionError`."""
        try:
            given = json.loads(text) if text else {}
        except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, thousands of brackets
            raise OptionError("options", "must be a JSON object") from None
        return cls.from_mapping(given)


RACING_DEMON: Final = Options()
"""The preset of that name: every option at its default."""
