"""What a seat does at its moment: a legal move by cheap rules. Pure: the view and what is under way are arguments.

Useful moves come from ``services.rules.useful``; foundations that others can build on too are gone for at shared
moments, and left for them at others. A seat that waits for verdicts still acts: with what its unanswered commands
can't have touched, or with the next turn of its stock.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import StrEnum

from services.rules.advice import choose
from services.rules.hand import Phase
from services.rules.moves import COLUMN, Action, Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Turn, Vote
from services.rules.useful import Aim, Useful, useful_moves
from services.rules.view import SeatView, TableView

_MOST_SHUFFLES = 8
"""Tail moves without progress, after which a seat does without them: others keep spoiling what they are for."""


class Idle(StrEnum):
    """Why a seat does nothing at its moment."""

    NO_HAND = "no_hand"
    NOTHING_TO_DO = "nothing_to_do"


class Chooser:
    """One seat's choices. Remembers how many tails it has moved for nothing."""

    def __init__(self, seat: int, contention: float, luck: random.Random) -> None:
        self._seat = seat
        self._contention = contention
        self._luck = luck
        self._progress = -1
        self._shuffles = 0

    def choose(self, view: TableView, under_way: Sequence[Action], *, shared: bool) -> Action | Idle:
        """The next command in this view, given the seat's commands that have no verdict yet."""
        if view.phase is not Phase.PLAYING or view.game is not None:
            return Idle.NO_HAND
        if view.progress != self._progress:
            self._progress, self._shuffles = view.progress, 0
        useful = self._free(view, under_way)
        chosen = choose(view, self._seat, self._preferred(view, useful, shared))
        if isinstance(chosen, Call) and any(isinstance(action, Call) for action in under_way):
            chosen = None
        match chosen:
            case Call():
                return chosen
            case Useful(move, _, _):
                self._shuffles += chosen.shuffles
                return move
        if view.asked and view.votes[self._seat] is None and not under_way:
            return Vote(Choice.SHIFT, view.progress)
        return look_further(view.seats[self._seat], under_way, view.options.draw)

    def _free(self, view: TableView, under_way: Sequence[Action]) -> list[Useful]:
        """Useful moves that no unanswered command can have made impossible."""
        moves = useful_moves(view, self._seat)
        if self._shuffles >= _MOST_SHUFFLES:
            moves = [move for move in moves if not move.shuffles]
        touched = {place for action in under_way for place in _places(action)}
        return [move for move in moves if touched.isdisjoint(_places(move.move))] if touched else moves

    def _preferred(self, view: TableView, moves: list[Useful], shared: bool) -> list[Useful]:
        """At a shared moment the contested places, if there are any; else all but them, as far as seats contend."""
        wanted = {place for i, other in enumerate(view.seats) if i != self._seat for place in _tops(other)}
        raced = [move for move in moves if _is_contested(move, wanted)]
        if shared:
            return raced or moves
        if raced and self._luck.random() < self._contention:
            return [move for move in moves if move not in raced]
        return moves


def look_further(mine: SeatView, under_way: Sequence[Action], draw: int) -> Turn | Recycle | Idle:
    """The next turn of the stock, counted on from what is under way."""
    stock, waste = mine.stock_count, len(mine.waste)
    for action in under_way:
        match action:
            case Turn():
                taken = min(draw, stock)
                stock, waste = stock - taken, waste + taken
            case Recycle():
                stock, waste = waste, 0
            case MoveToColumn() | PlayToFoundation() if action.source == "waste":
                return Idle.NOTHING_TO_DO  # whether the card has left the waste is not known
    if stock:
        return Turn(stock)
    return Recycle() if waste else Idle.NOTHING_TO_DO


def _places(action: Action) -> tuple[str, ...]:
    """The parts of the seat's layout that the action takes from or puts to."""
    match action:
        case MoveToColumn():
            return action.source, COLUMN[action.column]
        case PlayToFoundation():
            return (action.source,)
        case Turn() | Recycle():
            return ("waste",)
        case Call() | Vote():
            return ()


def _is_contested(useful: Useful, wanted: set[tuple[str, int]]) -> bool:
    if not isinstance(useful.move, PlayToFoundation) or useful.aim is Aim.ACE_UP:
        return False
    return (useful.move.card.suit, useful.move.card.rank) in wanted


def _tops(seat: SeatView) -> list[tuple[str, int]]:
    tops = (seat.demon_top, seat.waste_top, *(column[-1] for column in seat.columns if column))
    return [(card.suit, card.rank) for card in tops if card is not None]
