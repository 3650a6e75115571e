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
    before = [[0] * len(totals)] * (hands - 1)
    assert match_result([*before, totals], RACING_DEMON) == MatchResult(over, winners)


def test_the_target_is_the_table_s_own() -> None:
    assert match_result([[50, 42]], Options(target=50)) == (True, (0,), False)
    assert match_result([[150, 42]], Options(target=200)) == (False, (), False)


class TestThePlayoff:
    """RD-13 with ``match_end`` playoff: two past the target in one hand play one more."""

    options = Options(match_end="playoff")

    def test_two_past_the_target_in_one_hand_play_one_more_and_the_highest_wins(self) -> None:
        before = [[60, 55, 20], [101, 130, 40]]
        assert match_result(before, self.options) == MatchResult(False, (), playoff=True)
        assert match_result([*before, [140, 138, 90]], self.options) == MatchResult(True, (0,))

    def test_everybody_plays_it_and_anybody_may_win_it(self) -> None:
        assert match_result([[101, 102, 99], [80, 70, 140]], self.options) == MatchResult(True, (2,))

    def test_still_equal_is_shared(self) -> None:
        assert match_result([[101, 102, 5], [120, 120, 9]], self.options) == MatchResult(True, (0, 1))

    def test_one_past_the_target_needs_none(self) -> None:
        assert match_result([[99, 99], [120, 99]], self.options) == MatchResult(True, (0,))

    def test_there_is_only_one_even_if_totals_fall_below_the_target(self) -> None:
        assert match_result([[100, 100], [90, 80]], self.options) == MatchResult(True, (0,))

    def test_the_fiftieth_hand_is_the_last(self) -> None:
        assert match_result([[0, 0]] * 49 + [[100, 100]], self.options) == MatchResult(True, (0, 1))
        assert match_result([[0, 0]] * 48 + [[100, 101]], self.options) == MatchResult(False, (), playoff=True)

    def test_a_shared_victory_is_the_default(self) -> None:
        assert match_result([[101, 130]], Options()) == MatchResult(True, (1,))


class TestAFixedNumberOfHands:
    def test_the_last_one_decides_and_not_before(self) -> None:
        options = Options(hands=3)
        assert match_result([[150, 0], [200, 0]], options) == MatchResult(False, ())
        assert match_result([[150, 0], [200, 0], [210, 0]], options) == MatchResult(True, (0,))

    def test_an_equal_lead_is_played_off_where_that_is_the_rule(self) -> None:
        options = Options(hands=2, match_end="playoff")
        assert match_result([[9, 0], [12, 12]], options) == MatchResult(False, (), playoff=True)
        assert match_result([[9, 0], [12, 11]], options) == MatchResult(True, (0,))
        assert match_result([[9, 0], [12, 12], [13, 20]], options) == MatchResult(True, (1,))


class TestPairs:
    """Scores, target and playoff are by team."""

    options = Options(teams="pairs")

    def test_a_team_reaches_the_target_together_and_both_win(self) -> None:
        assert match_result([[40, 99, 59, -30]], self.options) == MatchResult(False, ())
        assert match_result([[40, 99, 60, -30]], self.options) == MatchResult(True, (0, 2))

    def test_two_teams_past_the_target_play_off_and_partners_alone_do_not(self) -> None:
        options = Options(teams="pairs", match_end="playoff")
        assert match_result([[120, 10, 110, 20]], options) == MatchResult(True, (0, 2))
        assert match_result([[60, 70, 60, 70]], options) == MatchResult(False, (), playoff=True)
        assert match_result([[60, 70, 60, 70], [100, 70, 90, 80]], options) == MatchResult(True, (0, 2))

    def test_equal_teams_share(self) -> None:
        """Six seats: 0 and 3 have 100 together, so do 1 and 4."""
        assert match_result([[50, 80, 0, 50, 20, 9]], self.options) == MatchResult(True, (0, 1, 3, 4))
