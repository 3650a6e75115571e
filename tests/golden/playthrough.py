"""A playthrough's text with its output made again. Knows the form of a file, not the games."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

from tests.golden.patience import Patience
from tests.golden.table import Table

FOLDER: Final = Path(__file__).parent
OUTPUT: Final = "    "
"""What every line of output begins with."""


class Game(Protocol):
    """What reads a file's input, line by line, and says what came of it."""

    def read(self, line: str) -> list[str]:
        """The output of one line of input. Raises ValueError for a line that says nothing."""
        ...


class BadPlaythrough(ValueError):
    """A line of input that nobody understands, or a command that can't be given there."""


def played(text: str) -> str:
    """The text with its output as it is now. Raises :class:`BadPlaythrough`."""
    lines = [line for line in text.splitlines() if not line.startswith(OUTPUT)]
    game: Game | None = None
    out = lines[:2]
    for line in lines[2:]:
        out.append(line)
        if not line or line.startswith("#"):
            continue
        try:
            if game is None:
                game = Patience() if line.startswith("aces up") else Table()
            out += [OUTPUT + said for said in game.read(line)]
        except (ValueError, IndexError, KeyError, AssertionError) as wrong:
            raise BadPlaythrough(f"{line!r}: {type(wrong).__name__}: {wrong}") from wrong
    return "\n".join(out) + "\n"


def header(text: str) -> tuple[str, list[str]]:
    """The title of a playthrough, and the rules that it says it shows."""
    title, rules = text.splitlines()[:2]
    return title, rules.split(", ")
