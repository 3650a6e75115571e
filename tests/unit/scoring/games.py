"""Logs of games of Aces Up for tests, all of them really played."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from services.rules.aces_up.deal import deal
from services.rules.aces_up.events import AcesDealt, AcesEnded, AcesEndWhy, told
from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import Action, Applied, Fill, GiveUp, Remove, Row, apply
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.result import result
from services.rules.aces_up.state import State
from services.rules.cards import ACE
from services.rules.deal import commitment
from services.rules.event import Event, Player
from services.rules.events import Prepared, Started
from tests.unit.scoring.logs import ANN, T0, sealed

SECRET = "5e" * 32
WINS = (222, 284, 382, 424)
"""Deals that :func:`straight` wins."""
LOSES = (1, 2, 3, 4)
"""Deals that it loses."""


def straight(number: int) -> list[Action]:
    """A game played straight on: what can be removed is, gaps are filled, aces first, and then comes the next row."""
    options, state, actions = AcesUpOptions(number), deal(number), list[Action]()
    while result(state, options) is None:
        actions.append(_next(state))
        applied = apply(state, actions[-1], options)
        assert isinstance(applied, Applied)
        state = applied.state
    return actions


def _next(state: State) -> Action:
    moves = legal_moves(state)
    fills = [move for move in moves if isinstance(move, Fill) and len(state.piles[move.source]) > 1]
    if removals := [move for move in moves if isinstance(move, Remove)]:
        return removals[0]
    if fills:
        return max(fills, key=lambda fill: (fill.card.rank == ACE, len(state.piles[fill.source])))
    return Row(state.stock_count) if state.stock_count else GiveUp()


def game(
    actions: Sequence[Action],
    options: AcesUpOptions,
    *,
    player: Player = ANN,
    match: str = "m1",
    seq: int = 0,
    at: int = T0,
    why: AcesEndWhy | None = None,
) -> list[bytes]:
    """The log of a game of these actions, all of which must be legal.

    It ends as the rules say, or else is ended from outside: given up if it was touched, and void if not.
    """
    state, opened = deal(options.number), tuple(pile[-1] for pile in deal(options.number).piles)
    events: list[Event] = [
        Prepared(seq + 1, at, 1, match, 1, commitment(SECRET)),
        AcesDealt(seq + 2, at + 10, 1, match, options, commitment(SECRET), (player,), at + 10, opened, 48),
        Started(seq + 3, at + 10, 1),
    ]
    for n, seq_ in zip(range(1, len(actions) + 1), count(seq + 4), strict=False):
        applied = apply(state, actions[n - 1], options)
        assert isinstance(applied, Applied)
        state = applied.state
        events.append(told(actions[n - 1], applied, (seq_, at + 10 + n, 0, n, seq_ - 1, at + 10 + n)))
    last = events[-1]
    left = AcesEndWhy.GIVEN_UP if actions else AcesEndWhy.VOID
    ended = why or result(state, options) or left
    events.append(AcesEnded(last.seq + 1, last.at, 1, match, ended, state.removed_count, SECRET))
    return sealed(events, "" if seq == 0 else "0123456789abcdef")


def whole(number: int, *, match: str = "m1", player: Player = ANN, seq: int = 0, at: int = T0) -> list[bytes]:
    """A game of that deal, played straight on to its end."""
    return game(straight(number), AcesUpOptions(number), match=match, player=player, seq=seq, at=at)
