"""What to do next in a game of Aces Up: the first action of a line that wins, else the most useful one.

>>> from services.rules.aces_up.state import State
>>> asked = hint(State.decode("ASAH||AD|AC|"))
>>> asked.key, asked.args, asked.action
('hint.aces_up.fill', {'card': 'AH', 'from': 0, 'to': 1}, Fill(source=0, card=AH, to=1))

Whoever speaks another language than English translates :data:`TEXTS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import Fill, Move, Remove, Row
from services.rules.aces_up.solver import QUICK, Won, solve
from services.rules.aces_up.state import State, strength
from services.rules.cards import ACE, Card

Arguments = dict[str, str | int]

TEXTS: Final[dict[str, str]] = {
    "hint.aces_up.remove": "Take the {card} away: the {higher} is higher.",
    "hint.aces_up.fill": "Move the {card} into the gap.",
    "hint.aces_up.row": "Deal four cards.",
    "hint.aces_up.nothing": "There is nothing useful left to do.",
    "hint.aces_up.won": "Four aces: you have won.",
}
"""What hints say, by key. In braces are the hint's arguments."""
_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do (None: nothing), why (``key``, one of :data:`TEXTS`), and the cards and piles (0 to 3) of it.

    ``wins``: it is the beginning of a line that wins; False says only that none is known.
    """

    key: str
    action: Move | None
    args: Arguments
    wins: bool = False


def hint(state: State, *, budget: int = QUICK, hasty: bool = False) -> Hint:
    """What to do now; ``budget`` and ``hasty`` as for :func:`services.rules.aces_up.solver.solve`."""
    verdict = solve(state, budget=budget, hasty=hasty)
    if isinstance(verdict, Won):
        return _told(state, verdict.line[0], wins=True) if verdict.line else Hint("hint.aces_up.won", None, {})
    moves = [move for move in legal_moves(state) if isinstance(move, Row | Remove | Fill)]
    useful = [move for move in moves if not isinstance(move, Fill) or _opens(state, move)]
    if not useful:
        return Hint("hint.aces_up.nothing", None, {})
    return _told(state, min(useful, key=lambda move: _rank(state, move)))


def sentence(hint: Hint) -> str:
    """The hint in English.

    >>> sentence(Hint("hint.aces_up.remove", None, {"card": "TS", "from": 0, "higher": "AS"}))
    'Take the 10♠ away: the A♠ is higher.'
    """
    said = {name: _said(value) if isinstance(value, str) else value for name, value in hint.args.items()}
    return TEXTS[hint.key].format_map(said)


def _said(card: str) -> str:
    return card[0].replace("T", "10") + _SUITS[card[1]]


def _told(state: State, move: Move, *, wins: bool = False) -> Hint:
    match move:
        case Row(stock):
            return Hint("hint.aces_up.row", move, {"count": stock}, wins)
        case Remove(pile, card):
            return Hint(
                "hint.aces_up.remove", move, {"card": card.text, "from": pile, "higher": _higher(state, card)}, wins
            )
        case Fill(source, card, to):
            return Hint("hint.aces_up.fill", move, {"card": card.text, "from": source, "to": to}, wins)


def _opens(state: State, move: Fill) -> bool:
    """Whether the move uncovers a card; a pile's only card gains nothing at first sight."""
    return len(state.piles[move.source]) > 1


def _rank(state: State, move: Move) -> tuple[int, int]:
    """Removals first, the lowest card before higher ones; then aces into gaps, then what lies on most; the row last."""
    match move:
        case Remove(_, card):
            return 0, strength(card)
        case Fill(source, card, _):
            return (1 if card.rank == ACE else 2), -len(state.piles[source])
        case Row():
            return 3, 0


def _higher(state: State, card: Card) -> str:
    """The top card that lets this one go: the highest of its suit."""
    tops = [top for top in state.tops if top is not None and top.suit == card.suit]
    return max(tops, key=strength).text
