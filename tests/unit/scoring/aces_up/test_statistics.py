from __future__ import annotations

import doctest
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.aces_up import statistics as module
from services.scoring.aces_up.records import Attempt, Statistics
from services.scoring.aces_up.statistics import statistics

ATTEMPTS = st.lists(
    st.builds(
        lambda number, removed: Attempt(number, removed == 48, removed),
        st.integers(1, 6),
        st.integers(0, 48) | st.just(48),
    )
)


def attempts(*outcomes: str) -> list[Attempt]:
    """One attempt a word: the deal's letter, and how many cards went."""
    return [Attempt(ord(word[0]), word[1:] == "48", int(word[1:])) for word in outcomes]


def test_the_examples_are_true() -> None:
    assert doctest.testmod(module).attempted == 1
    assert doctest.testmod(module).failed == 0


def test_who_has_not_played_has_nothing() -> None:
    assert statistics([]) == Statistics(0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("games", "figures"),
    [
        (["a48"], Statistics(1, 1, 1, 1, 48, 48)),
        (["a30"], Statistics(1, 0, 0, 0, 30, 30)),
        (["a48", "b48", "c20", "d48"], Statistics(4, 3, 1, 2, 164, 48)),
        (["a48", "b20"], Statistics(2, 1, 0, 1, 68, 48)),
        # A deal that is played again changes nothing, however it goes.
        (["a30", "a48", "a48"], Statistics(1, 0, 0, 0, 30, 30)),
        (["a48", "a48", "a10"], Statistics(1, 1, 1, 1, 48, 48)),
        (["a48", "b20", "a48"], Statistics(2, 1, 0, 1, 68, 48)),
    ],
)
def test_of_each_deal_the_first_attempt_counts(games: list[str], figures: Statistics) -> None:
    assert statistics(attempts(*games)) == figures


@given(ATTEMPTS)
def test_figures_are_those_of_the_first_attempts_and_never_more_wins_than_games(played: list[Attempt]) -> None:
    found = statistics(played)
    first = [attempt for i, attempt in enumerate(played) if attempt.number not in {a.number for a in played[:i]}]
    assert found == statistics(first)
    assert (found.played, found.won) == (len(first), sum(attempt.won for attempt in first))
    assert found.won <= found.played
    runs = [(won, len(list(run))) for won, run in groupby(first, key=lambda attempt: attempt.won)]
    assert found.longest_streak == max((length for won, length in runs if won), default=0)
    assert found.streak == (runs[-1][1] if runs and runs[-1][0] else 0)
    assert found.removed == sum(attempt.removed for attempt in first)
    assert found.best == max((attempt.removed for attempt in first), default=0)
