"""RD-12, RD-13."""

from __future__ import annotations

import pytest

from services.rules.foundation import Foundation, Slot
from services.rules.layout import Layout
from services.rules.options import RACING_DEMON, Options
from services.rules.scoring import MatchResult, SeatScore, match_result, score_hand
from tests.unit.rules.hands import built


def of_two(cards: int) -> tuple[Foundation, ...]:
    """Foundations with so many cards of seat 0 and one of seat 1."""
    full, rest = divmod(cards, 13)
    own = tuple(built("S", 13) for _ in range(full))
    return (*own, *((built("H", rest),) if rest else ()), built("D", 1, seat=1))


def layout(demon: int) -> Layout:
    return Layout.decode("2C3C4C5C6C7C8C9CTCJCQCKC"[: 2 * demon] + "|KS|QS|||2H3H|4H")


def test_24_on_foundations_and_3_in_the_demon_are_18() -> None:
    """RD-12's first example; stock, waste and columns count nothing."""
    scores = score_hand([layout(3), layout(12)], of_two(24), (), RACING_DEMON)
    assert scores == (SeatScore(0, 24, 3, 18), SeatScore(1, 1, 12, -23))


def test_20_and_an_empty_demon_are_20_with_no_bonus_for_the_caller() -> None:
    """RD-12's second example."""
    assert score_hand([layout(0), layout(0)], of_two(20), (0,), RACING_DEMON)[0].points == 20


def test_every_card_that_shares_a_rank_counts() -> None:
    """RD-8, rulings: tied kings both score."""
    shared = Foundation("S", (*built("S", 12, seat=2).slots, Slot((0, 1), 50, 0)))
    scores = score_hand([layout(0), layout(0), layout(0)], (shared,), (), RACING_DEMON)
    assert [score.points for score in scores] == [1, 1, 12]


def test_the_house_may_pay_for_going_out_and_ask_less_for_the_demon() -> None:
    house = Options(out_bonus=10, demon_penalty=1)
    scores = score_hand([layout(0), layout(4)], of_two(20), (0,), house)
    assert [score.points for score in scores] == [30, 1 - 4]


@pytest.mark.parametrize(
    ("totals", "hands", "over", "winners"),
    [
        ([99, 42], 7, False, ()),
        ([100, 42], 7, True, (0,)),
        ([104, 130, 12], 7, True, (1,)),
        ([104, 96, 104], 7, True, (0, 2)),
        ([-3, 12], 50, True, (1,)),
        ([-3, -3], 50, True, (0, 1)),
        ([99, 99], 49, False, ()),
    ],
)
def test_a_match_ends_at_the_target_or_after_fifty_hands_and_equal_totals_share_it(
    totals: list[int], hands: int, over: bool, winners: tuple[int, ...]
) -> None:
    """RD-13: two reach the target with equal totals."""
    assert match_result(totals, hands, RACING_DEMON) == MatchResult(over, winners)


def test_the_target_is_the_table_s_own() -> None:
    assert match_result([50, 42], 3, Options(target=50)) == (True, (0,))
    assert match_result([150, 42], 3, Options(target=200)) == (False, ())
