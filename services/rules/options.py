"""The house rules of a table, every one an option (the table at the end of docs/rules.md), and the presets.

>>> PRESETS["nerts"].contest, PRESETS["nerts"].names
('first_only', 'nerts')
>>> Options.from_mapping({"preset": "family", "draw": 1}).target
50
>>> Options(passes=1)
Traceback (most recent call last):
services.rules.options.OptionError: option 'stuck': must be 'end' with one pass: nothing is turned over or shifted
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final


class OptionError(ValueError):
    """An option that can't be: unknown, out of range, or impossible beside others.

    ``option`` names it, ``why`` says why.
    """

    def __init__(self, option: str, why: str) -> None:
        # The name may be anybody's: half a character of two, or a book.
        self.option = option.encode("ascii", "backslashreplace").decode()[:64]
        super().__init__(f"option {self.option!r}: {why}")
        self.why = why


CHOICES: Final[dict[str, tuple[int | str, ...]]] = {
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
"""What each option of few values may be, the default first."""
RANGES: Final = {"demon_size": (5, 20), "tie_window_ms": (1, 250), "target": (10, 1000), "hands": (0, 50)}
"""The lowest and highest value of each option that is a number."""
PAIRS_SEATS: Final = (4, 6, 8)
"""How many seats a table of pairs may have."""


@dataclass(frozen=True, slots=True)
class Options:
    """The rules that a hand is played by; the defaults are the preset ``racing_demon``.

    ``demon_size`` is one number, or one for each seat (a handicap); ``hands`` is how many hands a match has, 0: as many
    as it takes to the target. Raises :class:`OptionError` for a value that is unknown or out of range, and for one that
    can't be beside another.
    """

    demon_size: int | tuple[int, ...] = 13
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
    hands: int = 0
    match_end: str = "share"
    teams: str = "off"
    dispute: str = "off"
    names: str = "racing_demon"

    def __post_init__(self) -> None:
        for name in RANGES:
            value = getattr(self, name)
            if name != "demon_size" or type(value) is not tuple:
                _within_range(name, value)
        if type(self.demon_size) is tuple:
            if len(self.demon_size) not in range(2, 9):
                raise OptionError("demon_size", "a handicap has one number for each of 2 to 8 seats")
            for size in self.demon_size:
                _within_range("demon_size", size)
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if not any(type(value) is type(a) and value == a for a in allowed):
                raise OptionError(name, "must be one of " + ", ".join(map(str, allowed)))
        if self.passes == 1 and self.stuck == "shift":
            raise OptionError("stuck", "must be 'end' with one pass: nothing is turned over or shifted")
        if self.hands and self.target != _DEFAULT_TARGET:
            raise OptionError("target", "a match of a fixed number of hands has no target")

    def check_seats(self, seats: int) -> None:
        """Raises :class:`OptionError` if a table of so many seats can't be played by these rules."""
        if self.teams == "pairs" and seats not in PAIRS_SEATS:
            raise OptionError("teams", f"pairs need 4, 6 or 8 seats, not {seats}")
        if isinstance(self.demon_size, tuple) and len(self.demon_size) != seats:
            raise OptionError("demon_size", f"a handicap of {len(self.demon_size)} seats at a table of {seats}")

    def demon_of(self, seat: int) -> int:
        """How many cards the seat's demon is dealt. Raises IndexError for a seat that the handicap doesn't have."""
        return self.demon_size[seat] if isinstance(self.demon_size, tuple) else self.demon_size

    def to_json(self) -> str:
        """Every option, in the order of the rules' table: equal texts mean equal options."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_mapping(cls, given: object) -> Options:
        """Options from a decoded JSON object; those left out are the defaults, or those of its ``preset``.

        Raises :class:`OptionError`.
        """
        if not isinstance(given, dict):
            raise OptionError("options", "must be an object")
        given = dict(given)
        base = RACING_DEMON
        if "preset" in given:
            name = given.pop("preset")
            if not isinstance(name, str) or name not in PRESETS:
                raise OptionError("preset", "must be one of " + ", ".join(PRESETS))
            base = PRESETS[name]
        for name in given:
            if name not in _NAMES:
                raise OptionError(str(name), "no such option")
        if isinstance(given.get("demon_size"), list):
            given["demon_size"] = tuple(given["demon_size"])
        return replace(base, **given) if given else base

    @classmethod
    def from_json(cls, text: str) -> Options:
        """The inverse of :meth:`to_json`; the empty text is the defaults. Raises :class:`OptionError`."""
        return cls.from_mapping(decoded(text) if text else {})


def decoded(text: str) -> object:
    """What a text of options says in JSON. Raises :class:`OptionError`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, thousands of brackets
        raise OptionError("options", "must be a JSON object") from None


def _within_range(name: str, value: Any) -> None:
    low, high = RANGES[name]
    if type(value) is not int or not low <= value <= high:
        raise OptionError(name, f"must be a whole number from {low} to {high}")


_NAMES: Final = frozenset(field.name for field in fields(Options))
_DEFAULT_TARGET: Final = 100

RACING_DEMON: Final = Options()
"""The preset of that name: every option at its default."""
_CLASSIC: Final = Options(contest="first_only", call="automatic", in_motion="void", match_end="playoff", names="out")
_NERTS: Final = replace(_CLASSIC, names="nerts")

PRESETS: Final[dict[str, Options]] = {
    "racing_demon": RACING_DEMON,
    "classic": _CLASSIC,
    "nerts": _NERTS,
    "pounce": replace(_NERTS, demon_penalty=0, names="pounce"),
    "turn_one": replace(_CLASSIC, draw=1, passes=1, stuck="end"),
    "pairs": replace(_CLASSIC, teams="pairs"),
    "family": replace(RACING_DEMON, target=50),
    "tournament": replace(RACING_DEMON, target=200),
}
"""The rules that have a name of their own."""


def preset_of(options: Options) -> str | None:
    """The name of the preset that these are, if they are one."""
    return next((name for name, preset in PRESETS.items() if preset == options), None)
