from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from services.cli import recount
from services.client.models import HandSheet, Match, SeatScore
from services.rules.events import Ended, parse
from services.rules.options import Options
from services.rules.scoring import match_result
from tests.unit.cli import played_hand


@pytest.fixture(scope="module")
def log() -> list[bytes]:
    return played_hand.log()


@pytest.fixture
def match(log: list[bytes]) -> Match:
    """What scoring should have made of that one hand, played to a target that somebody reached in it."""
    end = parse(log[-1])
    assert isinstance(end, Ended)
    seats = tuple(
        SeatScore(seat=s.seat, points=s.points, foundation=s.foundation, demon=s.demon, total=s.points)
        for s in end.scores
    )
    options = json.loads(Options(target=10).to_json())
    winners = match_result([[s.points for s in end.scores]], Options(target=10)).winners
    return Match(
        id="m1", table="t", over=True, hands=(HandSheet(1, "called", seats),), winners=winners, options=options
    )


def changed(match: Match, **line: Any) -> Match:
    """The match with something else on seat 0's line."""
    seats = match.hands[0].seats
    sheet = HandSheet(1, "called", (msgspec.structs.replace(seats[0], **line), *seats[1:]))
    return msgspec.structs.replace(match, hands=(sheet,))


def test_a_true_sheet_is_confirmed(match: Match, log: list[bytes]) -> None:
    assert recount.problems(match, [log]) == []


def test_the_plain_count_is_that_of_the_rules(log: list[bytes]) -> None:
    events = [parse(text) for text in log]
    end = events[-1]
    assert isinstance(end, Ended)

    assert recount.count(events, Options()) == [(s.foundation, s.demon, s.points) for s in end.scores]


@pytest.mark.parametrize("field", ["foundation", "demon", "points", "total"])
def test_any_wrong_number_on_a_sheet_is_found(match: Match, log: list[bytes], field: str) -> None:
    wrong = changed(match, **{field: 999})

    assert ["hand 1, seat 0: the sheet says" in problem for problem in recount.problems(wrong, [log])] == [True]


def test_a_missing_seat_is_found(match: Match, log: list[bytes]) -> None:
    fewer = msgspec.structs.replace(match, hands=(HandSheet(1, "called", match.hands[0].seats[1:]),))

    assert recount.problems(fewer, [log]) != []


def test_a_wrong_winner_is_found(match: Match, log: list[bytes]) -> None:
    assert recount.problems(msgspec.structs.replace(match, winners=(0, 1, 2)), [log]) != []


def test_a_match_that_is_not_over_is_not_confirmed(match: Match, log: list[bytes]) -> None:
    assert "the match is not over" in recount.problems(msgspec.structs.replace(match, over=False), [log])


def test_a_hand_that_was_taken_back_counts_for_nobody(match: Match, log: list[bytes]) -> None:
    rules = {**match.options, "dispute": "replay_hand"}
    void = HandSheet(1, "disputed", tuple(msgspec.structs.replace(s, points=0, total=0) for s in match.hands[0].seats))
    again = msgspec.structs.replace(match.hands[0], hand=2)
    disputed = msgspec.structs.replace(match, hands=(void, again), options=rules)
    assert recount.problems(disputed, [log, log]) == []
    assert recount.problems(msgspec.structs.replace(disputed, options=match.options), [log, log]) == [
        "hand 1: disputed, at a table without disputes"
    ]
    kept = msgspec.structs.replace(disputed, hands=(msgspec.structs.replace(match.hands[0], why="disputed"), again))
    assert any("has changed the total" in problem for problem in recount.problems(kept, [log, log]))


def test_a_match_of_so_many_hands_is_over_after_them(match: Match, log: list[bytes]) -> None:
    points = [line.points for line in match.hands[0].seats]
    best = tuple(seat for seat, made in enumerate(points) if made == max(points))
    one = msgspec.structs.replace(match, options=json.loads(Options(hands=1).to_json()), winners=best)
    assert recount.problems(one, [log]) == []
    two = msgspec.structs.replace(one, options=json.loads(Options(hands=2).to_json()))
    assert any("over: False" in problem for problem in recount.problems(two, [log]))


def test_partners_win_together() -> None:
    options = Options(teams="pairs", hands=1)
    log = played_hand.log(options=options, seats=4)
    end = parse(log[-1])
    assert isinstance(end, Ended)
    points = [score.points for score in end.scores]
    seats = tuple(SeatScore(s.seat, s.points, s.foundation, s.demon, total=s.points) for s in end.scores)
    sides = {sum(points[seat] for seat in side): side for side in ((0, 2), (1, 3))}
    assert len(sides) == 2, "nobody won: take another seed"
    won = Match(
        id="m1",
        table="t",
        over=True,
        hands=(HandSheet(1, "called", seats),),
        winners=sides[max(sides)],
        options=json.loads(options.to_json()),
    )
    assert recount.problems(won, [log]) == []
    assert recount.problems(msgspec.structs.replace(won, winners=sides[min(sides)]), [log]) != []
    assert recount.problems(msgspec.structs.replace(won, winners=won.winners[:1]), [log]) != []


def test_a_hand_without_a_log_is_found(match: Match) -> None:
    assert recount.problems(match, []) != []


def test_a_changed_log_is_found(match: Match, log: list[bytes]) -> None:
    end = parse(log[-1])
    assert isinstance(end, Ended)
    scores = (replace(end.scores[0], points=77), *end.scores[1:])
    forged = played_hand.sealed([*map(parse, log[:-1]), replace(end, scores=scores)])

    assert any(problem.startswith("hand 1: event") for problem in recount.problems(match, [forged]))
