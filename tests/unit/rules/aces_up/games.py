"""Games of Aces Up to test with: random ones, and the deals that rules are known by."""

from __future__ import annotations

import random
from collections.abc import Sequence

from services.rules.aces_up.deal import deal
from services.rules.aces_up.events import AcesDealt, AcesEnded, AcesEndWhy, told
from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import Action, Applied, GiveUp, apply
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.outcome import Outcome, outcome
from services.rules.aces_up.state import State, laid_out
from services.rules.cards import DECK, cards
from services.rules.deal import commitment
from services.rules.event import Event, Player
from services.rules.events import Prepared, Started
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


SECRET = "5e" * 32
NOON = 1_700_000_000_000
START = 3
"""Events before the first action: prepare, aces_deal, start."""


def beginning(options: AcesUpOptions = PLAIN) -> list[Event]:
    """The log up to the signal."""
    state = deal(options.number)
    opened = tuple(pile[-1] for pile in state.piles)
    player = Player("p0", "Player 0", bot=False, nonce="nonce")
    return [
        Prepared(1, NOON, 1, "m", 1, commitment(SECRET)),
        AcesDealt(2, NOON, 1, "m", options, commitment(SECRET), (player,), NOON + 100, opened, 48),
        Started(3, NOON + 100, 1),
    ]


def log_of(actions: Sequence[Action], options: AcesUpOptions = PLAIN, why: AcesEndWhy | None = None) -> list[Event]:
    """The log of a game of these actions, all of which must be legal, and of its end unless there is none."""
    events, state = beginning(options), deal(options.number)
    for n, action in enumerate(actions, start=1):
        applied = done(state, action, options)
        state, at = applied.state, NOON + 100 + n
        events.append(told(action, applied, (START + n, at, 0, n, START + n - 1, at)))
    if why is not None:
        events.append(AcesEnded(events[-1].seq + 1, events[-1].at, 1, "m", why, state.removed_count, SECRET))
    return events


def random_actions(seed: int, options: AcesUpOptions, length: int = 200) -> tuple[list[Action], State]:
    """Actions by chance, until there are none, and where they lead."""
    rng = random.Random(seed)
    state, actions = deal(options.number), list[Action]()
    while len(actions) < length and outcome(state) is Outcome.PLAYING:
        action = rng.choice([action for action in legal_moves(state) if not isinstance(action, GiveUp)])
        state = done(state, action, options).state
        actions.append(action)
    return actions, state
