"""Games of Aces Up to test with: random ones, and the deals that rules are known by."""

from __future__ import annotations

import random

from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import Action, Applied, GiveUp, apply
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.state import State, laid_out
from services.rules.cards import DECK, cards
from services.rules.layout import Pile

PLAIN = AcesUpOptions(1)
PRACTICE = AcesUpOptions(1, practice=True)
AUTOMATIC = AcesUpOptions(1, auto_remove=True)

WON_BY_WAITING = laid_out(
    cards(
        "8C 2C 3S AC 7D 3D 5H 2D AS TC 6H 9S AH TD 7C 3H JD JH QC TS 6S 4C 2S 5C 6D KD QD 9C"
        " 9D 5D QH 4D 6C 7S 5S 2H 8H TH AD 3C 7H KC KS 8S JC 4S JS KH 4H 9H QS 8D"
    )
)
"""Lost if every possible removal is made; won by leaving the king of clubs under an ace until the last row is dealt."""


def shuffled_deck(seed: int, ranks: int = 13) -> Pile:
    """A deck of the ace and the highest ranks below it, ``ranks`` in all, of each suit."""
    deck = [card for card in DECK if card.rank == 1 or card.rank > 14 - ranks]
    random.Random(seed).shuffle(deck)
    return tuple(deck)


def done(state: State, action: Action, options: AcesUpOptions = PLAIN) -> Applied:
    """The action, which must be legal."""
    applied = apply(state, action, options)
    assert isinstance(applied, Applied), (state.encode(), action, applied)
    return applied


def played(state: State, actions: list[Action], options: AcesUpOptions = PLAIN) -> State:
    """The state after the actions, all of which must be legal."""
    for action in actions:
        state = done(state, action, options).state
    return state


def random_game(seed: int, options: AcesUpOptions = PLAIN, length: int = 60, start: State | None = None) -> list[State]:
    """The states of a game played by chance, the first one first."""
    rng = random.Random(seed)
    states = [start or laid_out(shuffled_deck(seed))]
    for _ in range(length):
        choices = [action for action in legal_moves(states[-1]) if not isinstance(action, GiveUp)]
        if not choices:
            break
        states.append(done(states[-1], rng.choice(choices), options).state)
    return states
