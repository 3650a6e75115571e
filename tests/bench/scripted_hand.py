"""A hand of which every command is known beforehand: what four greedy seats do when all act at the same time.

With the secret of a dealt hand the pure rules can play it to its end before anything is sent. A *step* is one command
of every seat, all made from the same state, so that they contend; the next step follows when all verdicts are in.

In which order a step's commands are judged makes no difference but to who of those that go for one place was first:
cards go to any foundation, never to one by its number, which depends on the order in which aces came; and nobody calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from services.rules.blocked import seat_blocked
from services.rules.hand import Hand, Phase
from services.rules.legal_moves import legal_moves
from services.rules.moves import Action, Call, MoveToColumn, PlayToFoundation, Recycle, Source, Turn
from services.rules.referee import Command, judge
from services.rules.verdict import Outcome

NOW_MS: Final = 1
"""Everything happens at once: what the seats of a step go for together is shared."""
FRUITLESS: Final = 12
"""So many steps without progress end the script, before the engine comes to look at a stuck table."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """A command and what must come of it."""

    command: Command
    outcome: Outcome


Step = list[Scripted]


def play(hand: Hand, epochs: Sequence[int], random: Random, steps: int) -> list[Step]:
    """Plays the running ``hand`` for at most ``steps`` steps; ``epochs`` are those of the seats' sockets."""
    assert hand.phase is Phase.PLAYING
    played: list[Step] = []
    last_progress, fruitless = hand.progress, 0
    while len(played) < steps and fruitless < FRUITLESS and not (fruitless and _blocked(hand)):
        seen, before, step = hand.seq, hand, []
        for seat in range(len(hand.seats)):
            n = hand.seats[seat].last_n + 1
            command = Command(seat, epochs[seat], n, hand.number, seen, NOW_MS, _choose(before, seat, random))
            hand, verdict, _ = judge(hand, command, now_ms=NOW_MS)
            step.append(Scripted(command, verdict.outcome))
        played.append(step)
        fruitless = fruitless + 1 if hand.progress == last_progress else 0
        last_progress = hand.progress
    return played


def _choose(hand: Hand, seat: int, random: Random) -> Action:
    """The most useful of the legal moves; among equals any. Without one, a turn of no stock, which is refused."""
    moves = filter(_is_open, legal_moves(hand.layouts[seat], hand.foundations, hand.options))
    return min(moves, key=lambda move: (_rank(move), random.random()), default=Turn(0))


def _is_open(move: Action) -> bool:
    """Whether what comes of it is known in any order; any foundation stands for each of those that take a card."""
    return not isinstance(move, Call) and getattr(move, "foundation", None) is None


def _blocked(hand: Hand) -> bool:
    """Whether the engine would turn the stocks over, or end the hand, when it comes to look."""
    return all(seat_blocked(layout, hand.foundations, hand.options) for layout in hand.layouts)


def _rank(move: Action) -> int:
    match move:
        case PlayToFoundation():
            return 0
        case MoveToColumn(Source.DEMON, _, _):
            return 1
        case MoveToColumn(Source.WASTE, _, _):
            return 2
        case Turn() | Recycle():
            return 3
        case _:
            return 4
