from __future__ import annotations

import re
from dataclasses import replace

import pytest

from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.moves import GiveUp, Row, Undo
from services.rules.aces_up.options import LAST_NUMBER, AcesUpOptions
from services.rules.events import EndWhy, digest, encode_body, parse, seal, unseal
from services.scoring.aces_up.game_log import is_game, read, salvage
from services.scoring.aces_up.records import Game
from services.scoring.finished import Finished
from services.scoring.judging import judge_by
from services.scoring.letters import BadLog, Reason
from services.scoring.records import HandSheet
from services.scoring.recount import recount
from tests.unit.scoring.games import LOSES, WINS, game, whole
from tests.unit.scoring.logs import ANN, T0, entry_of, played

WON = whole(WINS[0])
LOST = whole(LOSES[0])


def with_end(log: list[bytes], **changes: object) -> list[bytes]:
    """The log with another end, sealed as if it had always been so."""
    body = encode_body(replace(parse(log[-1]), **changes))  # type: ignore[arg-type]
    return [*log[:-1], seal(body, digest(unseal(log[-2])[1], body)).encode()]


@pytest.mark.parametrize(("log", "won"), [(WON, True), (LOST, False)])
def test_a_game_says_who_played_which_deal_and_how_it_went(log: list[bytes], won: bool) -> None:
    found = read(log, entry_of(log))
    assert (found.player, found.number) == (ANN.player, WINS[0] if won else LOSES[0])
    assert (found.won, found.played, found.practice, found.auto_remove) == (won, True, False, False)
    assert (found.removed == 48) is won
    assert (found.started_ms, found.ended_ms) == (T0 + 10, parse(log[-1]).at)
    assert found.result.totals == (0,)
    assert found.result.over
    assert found.result.winners == ((0,) if won else ())


def test_a_game_may_stand_anywhere_in_the_log_of_its_table() -> None:
    log = whole(WINS[1], seq=500)
    assert read(log, entry_of(log, first=501)).won


@pytest.mark.parametrize(
    ("log", "why", "is_played"),
    [
        (game([], AcesUpOptions(1)), "void", False),
        (game([GiveUp()], AcesUpOptions(1)), "given_up", False),
        (game([Row(48)], AcesUpOptions(1)), "given_up", True),
        (game([Row(48), GiveUp()], AcesUpOptions(1)), "given_up", True),
        (game([Row(48), Undo(), GiveUp()], AcesUpOptions(LAST_NUMBER, practice=True)), "given_up", True),
    ],
)
def test_a_deal_that_was_not_touched_is_no_game(log: list[bytes], why: str, is_played: bool) -> None:
    found = read(log, entry_of(log))
    assert (found.why, found.played, found.won) == (why, is_played, False)
    assert found.result.counts is (why != "void")


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        pytest.param([], Reason.MISSING, id="nothing"),
        pytest.param([b"?", *WON[1:]], Reason.SHAPE, id="an event that is none"),
        pytest.param([*WON[:5], *WON[6:]], Reason.SHAPE, id="an event left out"),
        pytest.param(WON[:-1], Reason.SHAPE, id="no end"),
        pytest.param(with_end(WON, match="m2"), Reason.SHAPE, id="another game's end"),
        pytest.param(with_end(LOST, why=AcesEndWhy.WON), Reason.UNVERIFIED, id="won, it says"),
        pytest.param(with_end(LOST, removed=48), Reason.UNVERIFIED, id="more removed than were"),
        pytest.param(with_end(WON, secret="11" * 32), Reason.UNVERIFIED, id="another secret"),
        pytest.param([*WON[:-1], WON[-1][:-18] + b'0000000000000000"}'], Reason.UNVERIFIED, id="a broken chain"),
        pytest.param(
            [*WON[:6], re.sub(rb'"arrived":\d+', b'"arrived":1', WON[6]), *WON[7:]],
            Reason.UNVERIFIED,
            id="a changed event",
        ),
    ],
)
def test_a_log_that_the_rules_do_not_confirm_is_refused(log: list[bytes], reason: Reason) -> None:
    with pytest.raises(BadLog) as bad:
        read(log, entry_of(WON if reason is Reason.SHAPE else log))
    assert bad.value.letter.reason is reason


def test_of_a_damaged_log_is_told_what_its_end_tells() -> None:
    found = salvage([b"?", *WON[1:3], b"?", *WON[5:]], entry_of(WON))
    assert (found.player, found.number, found.why, found.played, found.removed) == (
        ANN.player,
        WINS[0],
        "won",
        True,
        48,
    )


def test_without_its_end_a_game_is_void_and_none() -> None:
    found = salvage(WON[:-1], entry_of(WON))
    assert (found.player, found.why, found.played, found.result.counts) == (ANN.player, "void", False, False)


def test_nothing_gives_a_void_game_of_nobody() -> None:
    found = salvage([], Finished("t1", "m1", 1, 0, 0))
    assert (found.player, found.number, found.why, found.played, found.started_ms) == ("", 0, "void", False, 0)
    assert found.result.over, "its table has nothing to wait for"


def test_games_are_told_apart_from_hands_also_where_little_is_left_of_them() -> None:
    hand = played(3)
    for log in (WON, WON[:1], WON[-1:], WON[1:2], [b"?", *WON[5:]]):
        assert is_game(log)
    for log in (hand, hand[:1], hand[-1:], [], [b"?"], played(3, why=EndWhy.VOID)):
        assert not is_game(log)


def test_the_judge_gives_games_and_hands_alike() -> None:
    judge = judge_by(recount)
    assert isinstance(judge(WON, entry_of(WON)).sheet, Game)
    hand = played(3)
    assert isinstance(judge(hand, entry_of(hand)).sheet, HandSheet)
    damaged = judge(WON[:-1], entry_of(WON))
    assert damaged.letter is not None
    assert (damaged.letter.reason, damaged.disagrees) == (Reason.SHAPE, False)
