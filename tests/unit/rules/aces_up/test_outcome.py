"""AU-5."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import Fill, Remove
from services.rules.aces_up.outcome import Outcome, outcome
from services.rules.aces_up.state import State, laid_out
from services.rules.cards import card
from tests.unit.rules.aces_up.games import done, random_game, shuffled_deck


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("AS|AH|AD|AC|", Outcome.WON),
        ("AC|AH|AD|AS|", Outcome.WON),
        ("ASAH||AD|AC|", Outcome.PLAYING),  # a move into the gap wins
        ("ASAHADAC||||", Outcome.PLAYING),
        ("AS|AH|AD||", Outcome.LOST),  # no game of 52 cards, and none that is won
        ("2SAS|AH|AD|AC|", Outcome.LOST),
        ("2S|AH|AD|AC|", Outcome.LOST),
        ("2S|AH|AD|AC|KSQSJSTS", Outcome.PLAYING),  # there is a row to deal
        ("2S|AS|AD|AC|", Outcome.PLAYING),  # a removal
        ("2S3H|AS4D|AD|AC|", Outcome.PLAYING),  # a removal that is no way to win
        ("ADASKH|AC|2S||", Outcome.PLAYING),  # the king moves, and the ace removes the two
        ("2CASKH|AC|2D||", Outcome.LOST),  # no gap is left when the king has moved
        ("2CASKH|AC|||", Outcome.PLAYING),  # two gaps: the two of clubs is uncovered, and goes
        ("2DASKH|AC|||", Outcome.LOST),
        ("||||", Outcome.LOST),
    ],
)
def test_how_a_game_stands(text: str, stands: Outcome) -> None:
    assert outcome(State.decode(text)) is stands


def _useful(state: State) -> bool:
    """Whether any way of moving, tried literally, reaches a removal or the four aces."""
    known, waiting = {state}, [state]
    while waiting:
        current = waiting.pop()
        if sorted(map(str, current.piles)) == ["(AC,)", "(AD,)", "(AH,)", "(AS,)"]:
            return True
        for action in legal_moves(current):
            if isinstance(action, Remove):
                return True
            if isinstance(action, Fill) and (after := done(current, action).state) not in known:
                known.add(after)
                waiting.append(after)
    return False


@given(seed=st.integers(0, 100_000), ranks=st.sampled_from([2, 3, 4, 5, 6]))
def test_a_game_is_lost_when_no_moves_into_gaps_help(seed: int, ranks: int) -> None:
    for state in random_game(seed, start=laid_out(shuffled_deck(seed, ranks))):
        if not state.stock:
            won = outcome(state) is Outcome.WON
            assert won == (sorted(map(str, state.piles)) == ["(AC,)", "(AD,)", "(AH,)", "(AS,)"])
            assert (outcome(state) is Outcome.LOST) == (not _useful(state))


def test_the_last_removal_wins() -> None:
    state = State.decode("AC2S|AS|AD|AH|")
    assert outcome(state) is Outcome.PLAYING
    assert outcome(done(state, Remove(0, card("2S"))).state) is Outcome.WON
