"""What a bot does next. Pure: the view, the seat, what it remembers, and its luck are arguments.

A bot never goes on for ever without progress: when nothing useful is in sight it turns its stock, once to the end of
this pass and once through the whole; then it stops and votes for a shift, until progress is made somewhere or the
stocks are shifted. If shifts don't help, it moves tails at random between them: where several of them together open a
way, the table is not dead, and it would be shifted for ever. It uses nothing but what everybody can see.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from services.bots.useful import Useful, useful_moves
from services.rules.hand import Phase
from services.rules.moves import COLUMN, Action, Call, Choice, MoveToColumn, Recycle, Turn, Vote
from services.rules.view import TableView

_MOST_SHUFFLES: Final = 8
"""Tail moves without progress, after which a bot does without them: others keep spoiling what they are for."""
_FRUITLESS_SHIFTS: Final = 3
"""Shifts that show every card of a stock turned by threes; if none of them helped, tails have to move."""


class Strength(StrEnum):
    """How well a bot plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


_OVERLOOKS: Final = {Strength.EASY: 0.45, Strength.MEDIUM: 0.15, Strength.HARD: 0.0}
"""How likely a useful move goes unnoticed."""
_EASY_CALLS: Final = 0.2
"""How likely an easy bot notices at each look that it may call."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a bot remembers between looks.

    For which progress of which hand it searches, whether it has turned its waste over since, how many tails it moved,
    how often it asked for a shift.
    """

    hand: int = 0
    progress: int = -1
    recycled: bool = False
    shuffles: int = 0
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Thought:
    """The next action, None if there is nothing to do but wait; and what to remember once it is done."""

    action: Action | None
    memory: Memory


def think(view: TableView, seat: int, strength: Strength, memory: Memory, luck: random.Random) -> Thought:
    """What ``seat`` does next in this view."""
    if view.phase is not Phase.PLAYING:
        return Thought(None, memory)
    if (memory.hand, memory.progress) != (view.hand, view.progress):
        memory = Memory(view.hand, view.progress)
    useful = useful_moves(view, seat)
    if memory.shuffles >= _MOST_SHUFFLES:
        useful = [move for move in useful if not move.shuffles]
    noticed = [move for move in useful if luck.random() >= _OVERLOOKS[strength]]
    mine = view.seats[seat]
    if not mine.demon_count and (strength is not Strength.EASY or not noticed or luck.random() < _EASY_CALLS):
        return Thought(Call(), memory)
    if noticed:
        return _do(noticed, memory)
    if not useful and _all_others(view.votes, seat, Choice.SHIFT):
        return _stuck(view, seat, Choice.SHIFT, memory, luck)
    if mine.stock_count:
        return Thought(Turn(mine.stock_count), memory)
    if mine.waste and not memory.recycled:
        return Thought(Recycle(), replace(memory, recycled=True))
    if useful:
        return _do(useful, memory)
    choice = Choice.END if _all_others(view.votes, seat, Choice.END) else Choice.SHIFT
    return _stuck(view, seat, choice, memory, luck)


def _do(moves: Sequence[Useful], memory: Memory) -> Thought:
    best = max(moves, key=lambda move: move.worth)
    return Thought(best.move, replace(memory, shuffles=memory.shuffles + best.shuffles))


def _stuck(view: TableView, seat: int, choice: Choice, memory: Memory, luck: random.Random) -> Thought:
    """A vote; if shifts have not helped, now and then a tail first."""
    if view.votes[seat] is choice:
        return Thought(None, memory)
    if memory.asked >= _FRUITLESS_SHIFTS and luck.random() < 0.5:
        tails = [m for m in view.legal_moves(seat) if isinstance(m, MoveToColumn) and m.source in COLUMN]
        if tails:
            return Thought(luck.choice(tails), memory)
    return Thought(Vote(choice, view.progress), replace(memory, asked=memory.asked + 1))


def _all_others(votes: Sequence[Choice | None], seat: int, choice: Choice) -> bool:
    return all(vote is choice for i, vote in enumerate(votes) if i != seat)
