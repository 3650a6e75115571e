"""What `pandemonium watch` shows of a game of Aces Up."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from services.cli.game_text import named
from services.cli.table_text import board, describe
from services.client.models import Table, TableSeat, TableState
from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.moves import GiveUp, Redo, Row, Undo
from services.rules.aces_up.options import AcesUpOptions
from services.rules.events import parse
from services.rules.view import TableView
from tests.unit.scoring.games import WINS, game, whole

RULES = {"game": "aces_up", "number": 1, "practice": False, "auto_remove": False}
TABLE = Table("t", 1, TableState.PLAYING, (TableSeat(0, "p-ann", "Ann"),), options=RULES)


def lines(log: list[bytes]) -> list[str]:
    return [describe(parse(event), TABLE) for event in log]


def test_every_event_is_a_sentence() -> None:
    told = lines(game([Row(48), Undo(), Redo(), GiveUp()], AcesUpOptions(1, practice=True)))
    assert told == [
        "hand 1: the shuffle is chosen, and its hash published",
        "Aces Up, deal 1 (practice): 8♦ 3♥ A♦ A♠",
        "hand 1: go",
        "Ann: deals Q♠ J♥ J♣ A♣",
        "Ann: takes a step back",
        "Ann: makes a step again",
        "Ann: gives up",
        "the game is over (given up): 0 cards removed",
    ]
    whole_game = lines(whole(WINS[0]))
    assert whole_game[-1] == "the game is over (won): 48 cards removed"
    assert sum("Ann: removes " in line for line in whole_game) == 48
    assert any(" into the gap, pile " in line for line in whole_game)


def test_what_goes_by_itself_is_told_with_what_made_it_go() -> None:
    told = lines(game([Row(48)], AcesUpOptions(1, auto_remove=True)))
    assert told[3] == "Ann: deals Q♠ J♥ J♣ A♣; then by itself: J♣"


@pytest.mark.parametrize(("why", "word"), [(AcesEndWhy.VOID, "void, it was not touched"), (None, "given up")])
def test_the_end_says_what_became_of_it(why: AcesEndWhy | None, word: str) -> None:
    log = game([Row(48)] if why is None else [], AcesUpOptions(1), why=why)
    assert f"({word})" in lines(log)[-1]


def test_the_board_shows_the_piles_and_how_much_is_to_come() -> None:
    view = TableView()
    for event in game([Row(48)], AcesUpOptions(1))[:-1]:
        view = view.apply(parse(event))
    console = Console(file=io.StringIO(), width=100)
    console.print(board(view, TABLE))
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert shown.startswith("Aces Up, deal 1, playing")
    for part in ("8♦ Q♠", "3♥ J♥", "A♦ J♣", "A♠ A♣", "stock 44, removed 0"):
        assert part in shown


def test_comforts_are_named() -> None:
    assert named(AcesUpOptions(7)) == "Aces Up, deal 7"
    assert named(AcesUpOptions(7, practice=True, auto_remove=True)) == "Aces Up, deal 7 (practice, auto-remove)"
