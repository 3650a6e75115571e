"""What a bot does next. Pure: the view, the seat, what it remembers, and its luck are arguments.

A bot never goes on for ever without progress: when nothing useful is in sight it turns its stock, once to the end of
this pass and, where the waste may be turned over, once through the whole. What it has not found by then it does not
have: it is blocked, and votes, until progress is made somewhere or the stocks are shifted. It uses nothing but what
everybody can see.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from services.rules.advice import choose, look_further
from services.rules.hand import Phase
from services.rules.moves import Action, Call, Choice, Recycle, Vote
from services.rules.useful import Useful, useful_moves
from services.rules.view import TableView

_MOST_SHUFFLES: Final = 8
"""Tail moves without progress, after which a bot does without them: others keep spoiling what they are for."""


class Strength(StrEnum):
    """How well a bot plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


_OVERLOOKS: Final = {Strength.EASY: 0.45, Strength.MEDIUM: 0.25, Strength.HARD: 0.0}
"""How likely a useful move goes unnoticed, until the waste was turned over for nothing: then everyone looks closely."""
_EASY_CALLS: Final = 0.2
"""How likely an easy bot notices at each look that it may call."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a bot remembers between looks.

    For which progress of which deal it searches, whether it has turned its waste over since, how many tails it moved.
    """

    commitment: str = ""
    progress: int = -1
    recycled: bool = False
    shuffles: int = 0


@dataclass(frozen=True, slots=True)
class Thought:
    """The next action, None if there is nothing to do but wait; and what to remember once it is done."""

    action: Action | None
    memory: Memory


def think(
    view: TableView,
    seat: int,
    strength: Strength,
    memory: Memory,
    luck: random.Random,
    people: Collection[int] = (),
) -> Thought:
    """What ``seat`` does next in this view; ``people`` are the seats of those present who are no bots."""
    if view.phase is not Phase.PLAYING:
        return Thought(None, memory)
    if (memory.commitment, memory.progress) != (view.commitment, view.progress):
        memory = Memory(view.commitment, view.progress)
    if people and all(view.votes[i] is Choice.REPLAY for i in people):
        return _vote(view, seat, Choice.REPLAY, memory)
    useful = useful_moves(view, seat)
    if memory.shuffles >= _MOST_SHUFFLES:
        useful = [move for move in useful if not move.shuffles]
    overlooks = 0.0 if memory.recycled else _OVERLOOKS[strength]
    noticed = [move for move in useful if luck.random() >= overlooks]
    chosen = _easily_chosen(view, seat, noticed, luck) if strength is Strength.EASY else choose(view, seat, noticed)
    if chosen is not None:
        return _do(chosen, memory)
    step = look_further(view, seat, searched=memory.recycled)
    if isinstance(step, Choice):
        seen_at_last = choose(view, seat, useful)
        return _vote(view, seat, step, memory) if seen_at_last is None else _do(seen_at_last, memory)
    return Thought(step, replace(memory, recycled=memory.recycled or isinstance(step, Recycle)))


def _easily_chosen(view: TableView, seat: int, noticed: Sequence[Useful], luck: random.Random) -> Useful | Call | None:
    """An easy bot does not ask whether it pays to end the hand; it calls late."""
    may_call = view.options.call == "optional" and not view.seats[seat].demon_count
    if may_call and (not noticed or luck.random() < _EASY_CALLS):
        return Call()
    return max(noticed, key=lambda move: move.worth, default=None)


def _do(chosen: Useful | Call, memory: Memory) -> Thought:
    if isinstance(chosen, Call):
        return Thought(chosen, memory)
    return Thought(chosen.move, replace(memory, shuffles=memory.shuffles + chosen.shuffles))


def _vote(view: TableView, seat: int, choice: Choice, memory: Memory) -> Thought:
    """A vote, unless it was given already."""
    return Thought(None if view.votes[seat] is choice else Vote(choice, view.progress), memory)
