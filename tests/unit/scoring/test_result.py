from __future__ import annotations

from services.rules.events import EndWhy, Player
from services.rules.options import Options
from services.scoring.hand_log import read
from services.scoring.records import HandSheet
from services.scoring.result import Result, result_after
from tests.unit.scoring.logs import entry_of, written

TO_100 = Options().to_json()


def hands(*points: list[int] | None, why_not: EndWhy = EndWhy.VOID) -> list[HandSheet]:
    """The sheets of a match's hands with these points by seat; None is a hand that doesn't count."""
    sheets = []
    seats = max((len(each) for each in points if each is not None), default=2)
    players = [Player(f"p{seat}", f"Player {seat}", bot=False, nonce="n") for seat in range(seats)]
    for number, each in enumerate(points, start=1):
        why = EndWhy.CALLED if each is not None else why_not
        log = written(each or [0] * seats, hand=number, why=why, players=players)
        sheets.append(read(log, entry_of(log, hand=number)))
    return sheets


def test_totals_are_sums_and_the_match_goes_on_below_the_target() -> None:
    assert result_after(hands([30, -4], [20, 7]), 2, TO_100) == Result((20, 7), (50, 3), False, ())


def test_the_first_at_the_target_after_counting_wins() -> None:
    assert result_after(hands([52, 10], [48, 20]), 2, TO_100) == Result((48, 20), (100, 30), True, (0,))


def test_past_the_target_the_highest_total_wins() -> None:
    assert result_after(hands([50, 52], [50, 52]), 2, TO_100) == Result((50, 52), (100, 104), True, (1,))


def test_two_that_reach_the_target_with_equal_totals_share_the_victory() -> None:
    assert result_after(hands([50, 52], [52, 50]), 2, TO_100) == Result((52, 50), (102, 102), True, (0, 1))


def test_the_target_is_the_tables_option() -> None:
    assert result_after(hands([50, 3]), 2, Options(target=50).to_json()).over
    assert not result_after(hands([50, 3]), 2, "").over
    assert not result_after(hands([50, 3]), 2, "not options").over


def test_a_void_hand_adds_nothing_and_is_no_played_hand() -> None:
    for why in (EndWhy.VOID, EndWhy.DISPUTED):
        void = Result((0, 0), (30, 4), False, (), counts=False)
        assert result_after(hands([30, 4], None, why_not=why), 2, TO_100) == void
        assert not result_after(hands(*[[0, 0]] * 49, None, why_not=why), 2, TO_100).over


def test_a_match_ends_after_fifty_hands() -> None:
    assert not result_after(hands(*[[1, 0]] * 49), 2, TO_100).over
    assert result_after(hands(*[[1, 0]] * 50), 2, TO_100) == Result((1, 0), (50, 0), True, (0,))


def test_a_hand_of_which_nothing_is_known_changes_nothing() -> None:
    lost = HandSheet(1, "void", (), 0, 0, counts=False)
    assert result_after([lost], 0, "") == Result((), (), False, (), counts=False)
    assert result_after([*hands([5, 6]), lost], 2, TO_100) == Result((0, 0), (5, 6), False, (), counts=False)


def test_the_lobby_is_told_in_json() -> None:
    assert Result((1, -2), (3, 4), True, (1,)).to_json() == (
        '{"points":[1,-2],"totals":[3,4],"over":true,"winners":[1],"playoff":false,"counts":true}'
    )


def test_two_past_the_target_in_one_hand_play_one_more_which_decides() -> None:
    playoff = Options(match_end="playoff").to_json()
    both = [52, 50, 40], [50, 52, 40]
    assert result_after(hands(*both), 3, playoff) == Result((50, 52, 40), (102, 102, 80), False, (), playoff=True)
    void = result_after(hands(*both, None), 3, playoff)
    assert (void.totals, void.over, void.playoff) == ((102, 102, 80), False, True)
    last = result_after(hands(*both, None, [10, 5, 49]), 3, playoff)
    assert (last.totals, last.over, last.winners, last.playoff) == ((112, 107, 129), True, (2,), False)


def test_partners_win_together_by_what_they_have_together() -> None:
    pairs = Options(teams="pairs").to_json()
    assert not result_after(hands([52, 40, 40, 52]), 4, pairs).over
    won = result_after(hands([52, 40, 40, 52], [0, 1, 9, 0]), 4, pairs)
    assert (won.totals, won.over, won.winners) == ((52, 41, 49, 52), True, (0, 2))


def test_a_match_of_so_many_hands_ends_with_the_last_of_them_that_counts() -> None:
    two = Options(hands=2).to_json()
    assert not result_after(hands([52, 0], None), 2, two).over
    assert result_after(hands([52, 0], None, [0, 30]), 2, two).winners == (0,)
