"""What `pandemonium watch` and `match` show of a table."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from services.cli import sheet
from services.cli.table_text import board, describe
from services.client.models import HandSheet, Match, SeatScore, Table, TableSeat, TableState, Team, TeamScore
from services.rules.cards import card
from services.rules.contest import Contest
from services.rules.events import (
    Asked,
    Called,
    Ended,
    EndWhy,
    Event,
    Moved,
    Played,
    Recycled,
    Returned,
    SeatEvent,
    Shifted,
    ShiftWhy,
    Turned,
    Voted,
    parse,
)
from services.rules.moves import Choice, Source
from services.rules.scoring import SeatScore as Score
from services.rules.view import TableView
from services.rules.words import WORDS
from tests.unit.cli import played_hand

TABLE = Table("t", 1, TableState.PLAYING, tuple(TableSeat(i, f"p{i}", name) for i, name in enumerate(("Ada", "Bob"))))
FOUR = Table(
    "t",
    1,
    TableState.PLAYING,
    tuple(TableSeat(i, f"p{i}", name, total=10 * i) for i, name in enumerate(("Ada", "Bob", "Cy", "Di"))),
    options={"names": "nerts"},
    teams=(Team((0, 2), 20), Team((1, 3), 40)),
    playoff=True,
)
DEMON, NERTS = WORDS["racing_demon"], WORDS["nerts"]
ADA = {"seq": 9, "at": 1, "seat": 0, "n": 1, "seen": 8, "arrived": 1}


def shown(what: object) -> str:
    console = Console(file=io.StringIO(), width=160)
    console.print(what)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            Played(**ADA, source=Source.DEMON, card=card("TH"), to=None, shows=None, f=2, rank=10, tie=True),
            "Ada: 10♥ from the demon to foundation 2, sharing its place",
        ),
        (
            Returned(
                **ADA, source=Source.C3, card=card("2S"), to=0, f=0, rank=2, why=Contest.LATE, first=(1,), gap=120
            ),
            "Ada: 2♠ came 120 ms after that of Bob on foundation 0, and goes back",
        ),
        (
            Moved(**ADA, source=Source.C0, card=card("9C"), to=Source.C1, count=3, shows=None),
            "Ada: 9♣ and 2 more from column 1 to column 2",
        ),
        (Turned(**ADA, count=3, shows=card("KD")), "Ada: turns 3, showing K♦"),
        (Recycled(**ADA, count=30), "Ada: turns the waste over"),
        (Called(**ADA, closes_at=5), "Ada: Demon!"),
        (Asked(seq=9, at=1, progress=3), "nobody has got on for a while: what is to be done?"),
        (Voted(**ADA, choice=Choice.SHIFT, progress=3), "Ada: votes shift"),
        (
            Shifted(seq=9, at=1, why=ShiftWhy.BLOCKED, progress=3, away=()),
            "blocked: every stock is re-formed and shifted by one card",
        ),
    ],
)
def test_every_kind_of_event_is_a_sentence(event: Event, sentence: str) -> None:
    assert describe(event, TABLE) == sentence


def test_a_table_is_told_in_its_own_words() -> None:
    assert describe(Called(**ADA, closes_at=5), FOUR) == "Ada: Nerts!"
    moved = Moved(**ADA, source=Source.DEMON, card=card("9C"), to=Source.C1, count=1, shows=None)
    assert describe(moved, FOUR) == "Ada: 9♣ from the nerts pile to column 2"
    counted = HandSheet(1, "called", (SeatScore(0, -3, 7, 5, "p0", "Ada", called=True),))
    assert sheet.lines(counted, NERTS)[0] == 'hand 1: Ada called "Nerts!"'
    assert "5 in the nerts pile" in sheet.lines(counted, NERTS)[1]
    assert "nerts pile" in shown(sheet.grid(counted, NERTS))


@pytest.mark.parametrize("names", WORDS)
def test_every_name_of_the_rules_has_its_call(names: str) -> None:
    table = Table("t", 1, TableState.PLAYING, TABLE.seats, options={"names": names})
    assert describe(Called(**ADA, closes_at=5), table) == f"Ada: {WORDS[names].call}"


def test_names_that_a_newer_table_has_are_told_in_the_usual_words() -> None:
    table = Table("t", 1, TableState.PLAYING, TABLE.seats, options={"names": "of tomorrow"})
    assert describe(Called(**ADA, closes_at=5), table) == "Ada: Demon!"


def test_partners_are_told_together() -> None:
    scores = tuple(Score(seat, 5, 0, points) for seat, points in enumerate((5, 6, 7, -9)))
    end = Ended(9, 1, 3, "m", EndWhy.BLOCKED, (), (), (), "00", scores)
    assert describe(end, FOUR) == (
        "hand 3 is over (blocked): Ada +5, Bob +6, Cy +7, Di -9, Ada and Cy together +12, Bob and Di together -3"
    )
    picture = shown(board(TableView(), FOUR))
    assert "Ada and Cy together 20" in picture
    assert "playoff" in picture
    lines = tuple(SeatScore(seat, 5, name=f"p{seat}", total=9) for seat in range(4))
    counted = HandSheet(1, "blocked", lines, teams=(TeamScore((0, 2), 10, 18), TeamScore((1, 3), 10, 18)))
    assert sheet.lines(counted, DEMON)[-2:] == [
        "  p0 and p2 together: 10 points, total 18",
        "  p1 and p3 together: 10 points, total 18",
    ]
    assert "p1 and p3 together: 10 points, total 18" in shown(sheet.grid(counted, DEMON))


def test_a_hand_that_does_not_count_says_so() -> None:
    end = Ended(9, 1, 3, "m", EndWhy.DISPUTED, (), (), (), "00", ())
    assert describe(end, FOUR) == "hand 3 is over (disputed): not counted"
    for why in EndWhy:
        told = sheet.lines(HandSheet(1, why.value), DEMON)[0]
        assert ("not counted" in told) is not why.counts
        assert why is EndWhy.CALLED or why.value != told.removeprefix("hand 1: "), "every end has its words"


def test_a_whole_hand_is_told_and_pictured_from_what_everyone_may_see() -> None:
    view, told = TableView(), list[str]()
    for raw in played_hand.log():
        event = parse(raw)
        told.append(describe(event, None))
        view = view.apply(event)
        picture = shown(board(view, None))
        if isinstance(event, SeatEvent):
            assert told[-1].startswith(f"seat {event.seat}: ")
        for seat in view.seats:
            assert str(seat.stock_count) in picture

    assert told[0].startswith("hand 1: the shuffle is chosen")
    assert told[1:3] == ["hand 1: dealt", "hand 1: go"]
    assert told[-1].startswith("hand 1 is over (called): seat 0 ")
    assert "hand 1, over" in picture
    assert "empty" in picture, "the demon of who called"


def test_a_table_before_its_first_hand_has_a_picture_too() -> None:
    assert "none yet" in shown(board(TableView(), TABLE))


def test_a_sheet_tells_who_made_what_and_who_called() -> None:
    lines = (SeatScore(0, 20, 20, 0, "p0", "Ada", called=True, total=104), SeatScore(1, -3, 7, 5, "p1", "Bob", total=9))
    counted = HandSheet(4, "called", lines)

    assert sheet.lines(counted, DEMON) == [
        'hand 4: Ada called "Demon!"',
        "  seat 0 Ada: 20 points (20 on foundations, 0 in the demon, called), total 104",
        "  seat 1 Bob: -3 points (7 on foundations, 5 in the demon), total 9",
    ]
    assert all(word in shown(sheet.grid(counted, DEMON)) for word in ("Ada (called)", "104", "-3"))


def test_a_shared_victory_is_told_as_one() -> None:
    equal = HandSheet(1, "called", tuple(SeatScore(seat, 100, total=100) for seat in (0, 1)))
    match = Match("m", "t", over=True, hands=(equal,), winners=(0, 1))

    assert sheet.outcome(match, TABLE.seats) == "Ada (seat 0) and Bob (seat 1) share the victory with 100 after 1 hand"
    assert sheet.outcome(Match("m", "t"), TABLE.seats) == "no winner"


def test_partners_win_together_and_void_hands_were_not_played() -> None:
    lines = tuple(SeatScore(seat, 0, total=50 + seat) for seat in range(4))
    hands = (HandSheet(1, "disputed", lines), HandSheet(2, "called", lines), HandSheet(3, "dead", lines))
    teams = (Team((0, 2), 102), Team((1, 3), 104))
    match = Match("m", "t", over=True, hands=hands, winners=(1, 3), teams=teams)
    assert sheet.outcome(match, FOUR.seats) == "Bob (seat 1) and Di (seat 3) win together with 104 after 2 hands"
    equal = Match("m", "t", over=True, hands=hands, winners=(0, 1, 2, 3), teams=(Team((0, 2), 9), Team((1, 3), 9)))
    assert sheet.outcome(equal, FOUR.seats) == (
        "Ada (seat 0) and Cy (seat 2), and Bob (seat 1) and Di (seat 3) share the victory with 9 after 2 hands"
    )
