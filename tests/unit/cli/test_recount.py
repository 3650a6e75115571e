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


def test_a_hand_without_a_log_is_found(match: Match) -> None:
    assert recount.problems(match, []) != []


def test_a_changed_log_is_found(match: Match, log: list[bytes]) -> None:
    end = parse(log[-1])
    assert isinstance(end, Ended)
    scores = (replace(end.scores[0], points=77), *end.scores[1:])
    forged = played_hand.sealed([*map(parse, log[:-1]), replace(end, scores=scores)])

    assert any(problem.startswith("hand 1: event") for problem in recount.problems(match, [forged]))
