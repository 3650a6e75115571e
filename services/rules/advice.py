"""Advice: what a good player would do in a seat now, from what everybody sees; bots follow it, players may ask for it.

>>> from services.rules.cards import card
>>> from services.rules.view import SeatView
>>> mine = SeatView(13, card("5H"), ((card("6S"),), (card("KD"),), (card("9C"),), (card("2H"),)), 35, ())
>>> asked = hint(TableView(phase=Phase.PLAYING, seats=(mine, mine), votes=(None, None)), 0)
>>> asked.key, asked.args
('hint.demon_to_column', {'card': '5H', 'onto': '6S', 'to': 'c0'})
>>> asked.action
MoveToColumn(source=<Source.DEMON: 'demon'>, card=5H, column=0)

The sentences are in ``hint_texts``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.rules.calling import ends_hand, pays_to_end
from services.rules.cards import Card
from services.rules.hand import Phase
from services.rules.moves import COLUMN, Action, Call, Choice, PlayToFoundation, Recycle, Turn, Vote
from services.rules.useful import Aim, Useful, useful_moves
from services.rules.view import FoundationView, TableView

Arguments = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do (None: nothing), why (``key``, one of ``hint_texts.TEXTS``), and the cards and places of it.

    ``args`` are cards ("5H"), places as the wire names them ("demon", "c0"), indexes of foundations, and numbers.
    """

    key: str
    action: Action | None
    args: Arguments


def hint(view: TableView, seat: int, *, searched: bool = False) -> Hint:
    """What ``seat`` should do now. ``searched``: its whole stock was turned since the last progress, for nothing.

    Raises ValueError for a table of Aces Up, and IndexError for a seat that isn't there.
    """
    if view.game is not None:
        raise ValueError("no advice for Aces Up")
    if view.phase is not Phase.PLAYING:
        return Hint("hint.not_playing", None, {})
    chosen = choose(view, seat, useful_moves(view, seat))
    match chosen:
        case Call():
            return Hint("hint.call", chosen, {})
        case Useful(move, _, aim):
            return Hint(f"hint.{aim}", move, _arguments(view, seat, chosen))
    step = look_further(view, seat, searched=searched or view.asked)
    match step:
        case Turn(stock):
            return Hint("hint.turn", step, {"count": min(view.options.draw, stock)})
        case Recycle():
            return Hint("hint.recycle", step, {"count": len(view.seats[seat].waste)})
        case Choice() if view.votes[seat] is step:
            return Hint("hint.wait", None, {})
        case Choice():
            return Hint(f"hint.vote_{step}", Vote(step, view.progress), {})


def choose(view: TableView, seat: int, moves: Sequence[Useful]) -> Useful | Call | None:
    """The best of these useful moves, or the call if that is better; None if there is nothing of either.

    A hand is not ended, by a call or by the last card of a demon, as long as it pays to score first.
    """
    may_call = view.options.call == "optional" and not view.seats[seat].demon_count
    if may_call or any(ends_hand(view, seat, move.move) for move in moves):
        scoring = [move for move in moves if isinstance(move.move, PlayToFoundation)]
        first = [move for move in scoring if not ends_hand(view, seat, move.move)]
        if first and not pays_to_end(view, seat):
            moves = first
        elif may_call:
            return Call()
    return max(moves, key=lambda move: move.worth, default=None)


def look_further(view: TableView, seat: int, *, searched: bool) -> Turn | Recycle | Choice:
    """What a seat does that sees nothing useful: turns its stock, turns the waste over, or consents (RD-10 f, g).

    The waste is turned over only to be ``searched`` once.
    """
    mine, others = view.seats[seat], [vote for i, vote in enumerate(view.votes) if i != seat]
    if all(vote is Choice.SHIFT for vote in others):
        return Choice.SHIFT
    if mine.stock_count:
        return Turn(mine.stock_count)
    if mine.waste and not searched and view.options.passes != 1:
        return Recycle()
    if view.options.stuck == "end" or all(vote is Choice.END for vote in others):
        return Choice.END
    return Choice.SHIFT


def _arguments(view: TableView, seat: int, chosen: Useful) -> Arguments:
    """The cards and places that the sentence about a move names."""
    move, mine = chosen.move, view.seats[seat]
    said: Arguments = {"card": move.card.text}
    if move.source in COLUMN:
        said["from"] = move.source.value
    if isinstance(move, PlayToFoundation):
        if chosen.aim is Aim.ACE_UP:
            return said | {"from": move.source.value}
        takes = (f for f, found in enumerate(view.foundations) if _takes(found, move.card))
        return said | {"foundation": next(takes)}
    target = mine.columns[move.column]
    if target:
        said["onto"] = target[-1].text
    said["to"] = COLUMN[move.column].value
    if chosen.aim is Aim.HELPS_DEMON and mine.demon_top is not None:
        said["demon"] = mine.demon_top.text
    if chosen.aim is Aim.UNCOVERS:
        column = mine.columns[COLUMN.index(move.source)]
        said["uncovers"] = column[column.index(move.card) - 1].text
    return said


def _takes(foundation: FoundationView, card: Card) -> bool:
    return foundation.suit == card.suit and foundation.height + 1 == card.rank
