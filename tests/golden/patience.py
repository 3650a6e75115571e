"""Games of Aces Up in a playthrough: reads the input lines, makes the moves, says what came of them.

A game is a numbered deal ("deal"), or a made-up one: "rows 8C 2C 3S AC | 7D 3D 5H 2D" as they are dealt, or "lying p0
7S | p1 JS | p2 5H | p3 AC | stock 2C 3C 4C 5C".
"""

from __future__ import annotations

import re
from typing import Any, Final

from services.rules.aces_up.deal import deal
from services.rules.aces_up.events import AcesDealt, AcesEnded, AcesEndWhy, told
from services.rules.aces_up.moves import Action, Fill, GiveUp, Illegal, Redo, Remove, Row, Undo, apply
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.replay import contradiction
from services.rules.aces_up.result import result
from services.rules.aces_up.state import State, laid_out
from services.rules.cards import DECK, card, cards
from services.rules.deal import commitment
from services.rules.events import Event, Player, Prepared, Started
from tests.golden import spoken
from tests.golden.picture import event_line, pile_text

NOON: Final = 1_700_000_000_000
SECRET: Final = "5e" * 32
_REMOVE: Final = re.compile(r"removes (\w\w) from p(\d)")
_FILL: Final = re.compile(r"fills p(\d) with (\w\w) from p(\d)")
_ROW: Final = re.compile(r"deals(?: from a stock of (\d+))?")


class Patience:
    """One game, from its deal to its end."""

    def __init__(self) -> None:
        self.options = AcesUpOptions(1)
        self.state: State | None = None
        self.log: list[Event] = []
        self.last_n = 0
        self._of_52 = False

    def read(self, line: str) -> list[str]:
        """The output of one line of input. Raises ValueError."""
        if line.startswith("aces up "):
            return self._options(line.split()[2:])
        if line == "deal":
            self.state, self._of_52 = deal(self.options.number), True
            return [*self._begins(self.state), _picture(self.state)]
        if line.startswith("rows "):
            self.state = laid_out(cards(line.removeprefix("rows ").replace("|", "")))
            return [_picture(self.state)]
        if line.startswith("lying "):
            self.state = _lying(line.removeprefix("lying "))
            return [_picture(self.state)]
        said = spoken.understood(line)
        if said.who != "player":
            raise ValueError("a game of Aces Up has one player")
        return self._does(said)

    def _options(self, words: list[str]) -> list[str]:
        given: dict[str, Any] = {}
        for word in words:
            name, _, value = word.partition("=")
            given[name] = int(value) if value.isdecimal() else {"yes": True, "no": False}[value]
        self.options = AcesUpOptions.from_mapping(given)
        return [f"practice {_yes(self.options.practice)}, auto_remove {_yes(self.options.auto_remove)}"]

    def _begins(self, state: State) -> list[str]:
        """The events before the first move of a numbered deal."""
        opened = tuple(pile[-1] for pile in state.piles)
        secret = commitment(SECRET)
        dealt = AcesDealt(
            2, NOON, 1, "m1", self.options, secret, (Player("p0", "Player 0", False, "n"),), NOON, opened, 48
        )
        self.log = [Prepared(1, NOON, 1, "m1", 1, secret), dealt, Started(3, NOON, 1)]
        return [event_line(dealt, NOON)]

    def _does(self, said: spoken.Said) -> list[str]:
        before = self.state
        assert before is not None, "nothing was dealt"
        if self.log and isinstance(self.log[-1], AcesEnded):
            return ["refused: the game is over"]
        action = _action(said.what, before)
        applied = apply(before, action, self.options)
        self.last_n += 1
        if isinstance(applied, Illegal):
            return [f"refused: {applied.reason}"]
        seq = self.log[-1].seq + 1 if self.log else 4
        stamp = (seq, NOON + said.at_ms, 0, self.last_n, seq - 1, NOON + said.at_ms)
        self.state = applied.state
        self.log.append(told(action, applied, stamp))
        out = [f"applied: {event_line(self.log[-1], NOON)}", _picture(self.state)]
        why = AcesEndWhy.GIVEN_UP if isinstance(action, GiveUp) else result(self.state, self.options)
        return out if why is None else [*out, *self._ends(self.state, why, said.at_ms)]

    def _ends(self, state: State, why: AcesEndWhy, at_ms: int) -> list[str]:
        gone = state.removed_count
        end = AcesEnded(self.log[-1].seq + 1, NOON + at_ms, 1, "m1", why, gone, SECRET)
        self.log.append(end)
        out = [event_line(end, NOON)]
        if not self._of_52:
            return out
        assert (wrong := contradiction(self.log)) is None, wrong
        return [*out, f"verified from its log alone: {len(self.log)} events"]


def _action(what: str, state: State) -> Action:
    if match := _ROW.fullmatch(what):
        return Row(len(state.stock) if match[1] is None else int(match[1]))
    if match := _REMOVE.fullmatch(what):
        return Remove(int(match[2]), card(match[1]))
    if match := _FILL.fullmatch(what):
        return Fill(int(match[3]), card(match[2]), int(match[1]))
    others: dict[str, Action] = {"undoes": Undo(), "redoes": Redo(), "gives up": GiveUp()}
    return others[what]


def _lying(text: str) -> State:
    said = dict(part.strip().split(" ", 1) for part in text.split("|"))
    p0, p1, p2, p3, stock = (cards(said.get(name, "-").replace("-", "")) for name in ("p0", "p1", "p2", "p3", "stock"))
    return State((p0, p1, p2, p3), stock)


def _picture(state: State) -> str:
    piles = [f"p{i} {pile_text(pile, len(DECK))}" for i, pile in enumerate(state.piles)]
    steps = f" | undo {state.undoable}, redo {state.redoable}" if state.undoable or state.redoable else ""
    return " | ".join([*piles, f"stock {pile_text(state.stock)}"]) + steps


def _yes(so: bool) -> str:
    return "yes" if so else "no"
