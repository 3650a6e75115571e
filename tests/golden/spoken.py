"""How the files say what a seat does: words to actions, and actions to words.

>>> from services.rules.layout import Layout
>>> layout = Layout.decode("5C4D|KS|9H|TS|2C|3C4C5S|")
>>> action("turns", layout, progress=0), action("plays 4D from demon to f2", layout, progress=0)
(Turn(stock=3), PlayToFoundation(source=<Source.DEMON: 'demon'>, card=4D, foundation=2))
>>> words(Turn(3)), words(Vote(Choice.SHIFT, 4))
('turns a stock of 3', 'votes shift at progress 4')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from services.rules.cards import card
from services.rules.layout import Layout
from services.rules.moves import (
    COLUMN,
    Action,
    Call,
    Choice,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Source,
    Turn,
    Vote,
)

_LINE: Final = re.compile(r"at (\d+)  (\d|table|player) ([^,]+)((?:, \w+ \d+)*)")
_PLAY: Final = re.compile(r"plays (\w\w) from (\w+)(?: to f(\d+))?")
_MOVE: Final = re.compile(r"moves (\w\w) from (\w+) to (c[0-3])")
_TURN: Final = re.compile(r"turns(?: a stock of (\d+))?")
_VOTE: Final = re.compile(r"votes (\w+)(?: at progress (\d+))?")


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a file that does something.

    ``who`` is a seat's number, "table" or "player"; ``what`` the words; ``details`` what is said after commas, such as
    ``seen`` or ``arrived``.
    """

    at_ms: int
    who: str
    what: str
    details: dict[str, int]


def understood(line: str) -> Said:
    """The parts of a line that begins with "at". Raises ValueError."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError("not a command")
    at_ms, who, what, rest = match.groups()
    details = dict(detail.split() for detail in rest.split(", ")[1:])
    return Said(int(at_ms), who, what, {name: int(number) for name, number in details.items()})


def action(what: str, layout: Layout, progress: int) -> Action:
    """The action that the words say; a stock or a progress that is not named is the present one. Raises ValueError."""
    if match := _PLAY.fullmatch(what):
        return PlayToFoundation(Source(match[2]), card(match[1]), None if match[3] is None else int(match[3]))
    if match := _MOVE.fullmatch(what):
        return MoveToColumn(Source(match[2]), card(match[1]), COLUMN.index(Source(match[3])))
    if match := _TURN.fullmatch(what):
        return Turn(len(layout.stock) if match[1] is None else int(match[1]))
    if match := _VOTE.fullmatch(what):
        return Vote(Choice(match[1]), progress if match[2] is None else int(match[2]))
    if what == "recycles":
        return Recycle()
    if what == "calls":
        return Call()
    raise ValueError("no such action")


def words(action: Action) -> str:
    """The inverse of :func:`action`."""
    match action:
        case PlayToFoundation(source, played, foundation):
            return f"plays {played} from {source}" + ("" if foundation is None else f" to f{foundation}")
        case MoveToColumn(source, head, column):
            return f"moves {head} from {source} to c{column}"
        case Turn(stock):
            return f"turns a stock of {stock}"
        case Recycle():
            return "recycles"
        case Call():
            return "calls"
        case Vote(choice, progress):
            return f"votes {choice} at progress {progress}"
