"""What `pandemonium watch` and `match` show of a table."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from services.cli import sheet
from services.cli.table_text import board, describe
from services.client.models import HandSheet, Match, SeatScore, Table, TableSeat, TableState
from services.rules.cards import card
from services.rules.contest import Contest
from services.rules.events import (
    Called,
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
from services.rules.view import TableView
from tests.unit.cli import played_hand

TABLE = Table("t", 1, TableState.PLAYING, tuple(TableSeat(i, f"p{i}", name) for i, name in enumerate(("Ada", "Bob"))))
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
        (Voted(**ADA, choice=Choice.SHIFT, progress=3), "Ada: votes shift"),
        (
            Shifted(seq=9, at=1, why=ShiftWhy.BLOCKED, progress=3, away=()),
            "blocked: every stock is re-formed and shifted by one card",
        ),
    ],
)
def test_every_kind_of_event_is_a_sentence(event: Event, sentence: str) -> None:
    assert describe(event, TABLE) == sentence


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

    assert sheet.lines(counted) == [
        "hand 4: somebody called",
        "  seat 0 Ada: 20 points (20 on foundations, 0 in the demon, called), total 104",
        "  seat 1 Bob: -3 points (7 on foundations, 5 in the demon), total 9",
    ]
    assert all(word in shown(sheet.grid(counted)) for word in ("Ada (called)", "104", "-3"))


def test_a_shared_victory_is_told_as_one() -> None:
    equal = HandSheet(1, "called", tuple(SeatScore(seat, 100, total=100) for seat in (0, 1)))
    match = Match("m", "t", over=True, hands=(equal,), winners=(0, 1))

    assert sheet.outcome(match, TABLE.seats) == "Ada (seat 0) and Bob (seat 1) share the victory with 100 after 1 hands"
    assert sheet.outcome(Match("m", "t"), TABLE.seats) == "no winner"
