from __future__ import annotations

import random

import pytest

from services.bots.judgement import Strength
from services.loadtest.choice import Chooser, Idle, look_further
from services.rules.cards import card
from services.rules.events import parse
from services.rules.hand import Phase
from services.rules.moves import Call, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote
from services.rules.view import FoundationView, SeatView, TableView
from tests.unit.bots.paper_match import PaperHand


def seat(demon: str | None = None, columns: str = "KS KD KH KC", stock: int = 0, waste: str = "") -> SeatView:
    c0, c1, c2, c3 = ((card(text),) for text in columns.split())
    pile = tuple(card(text) for text in waste.split())
    return SeatView(1 if demon else 0, card(demon) if demon else None, (c0, c1, c2, c3), stock, pile)


def table(*seats: SeatView, foundations: tuple[FoundationView, ...] = (), **changes: object) -> TableView:
    return TableView(
        phase=Phase.PLAYING,
        seats=seats,
        votes=(None,) * len(seats),
        foundations=foundations,
        **changes,  # type: ignore[arg-type]
    )


SPADES_TO_THREE = FoundationView("S", ((0,), (1,), (0,)))


@pytest.mark.parametrize("contention", [0.0, 0.5, 1.0])
def test_every_choice_is_legal_on_every_table_of_a_whole_hand(contention: float) -> None:
    hand = PaperHand([Strength.MEDIUM] * 4, 5)
    hand.play()
    luck = random.Random(1)
    choosers = [Chooser(i, contention, luck) for i in range(4)]
    view, chosen = TableView(), 0
    for event in hand.log:
        view = view.apply(parse(event))
        if view.phase is not Phase.PLAYING:
            continue
        for i, chooser in enumerate(choosers):
            action = chooser.choose(view, (), shared=luck.random() < 0.5)
            if not isinstance(action, Idle | Vote):
                assert action in view.legal_moves(i)
                chosen += 1
    assert chosen > 100


def test_nothing_is_chosen_while_no_hand_runs() -> None:
    assert Chooser(0, 0.0, random.Random(1)).choose(TableView(), (), shared=False) is Idle.NO_HAND


def test_at_a_shared_moment_the_contested_place_is_gone_for_and_at_others_it_is_left() -> None:
    mine, other = seat(demon="QS", columns="4S KD KH KC"), seat(demon="2D", columns="4S 9D 9H 9C")
    view = table(mine, other, foundations=(SPADES_TO_THREE,))
    chooser = Chooser(0, 1.0, random.Random(1))
    assert chooser.choose(view, (), shared=True) == PlayToFoundation(Source.C0, card("4S"))
    assert chooser.choose(view, (), shared=False) == MoveToColumn(Source.DEMON, card("QS"), 1)


def test_without_contention_a_contested_place_is_taken_at_any_moment() -> None:
    mine, other = seat(demon="9S", columns="4S KD KH KC"), seat(columns="4S 9D 9H 9C")
    view = table(mine, other, foundations=(SPADES_TO_THREE,))
    chosen = Chooser(0, 0.0, random.Random(1)).choose(view, (), shared=False)
    assert chosen == PlayToFoundation(Source.C0, card("4S"))


def test_what_an_unanswered_command_may_have_touched_is_left_alone() -> None:
    view = table(seat(demon="QS", columns="KD 9H 5C 2C", stock=9), seat())
    under_way = MoveToColumn(Source.DEMON, card("QS"), 0)
    assert Chooser(0, 0.0, random.Random(1)).choose(view, (under_way,), shared=False) == Turn(9)


def test_a_seat_calls_once() -> None:
    view = table(seat(columns="KS KD KH KC", stock=3), seat(demon="2D"))
    chooser = Chooser(0, 0.0, random.Random(1))
    assert chooser.choose(view, (), shared=False) == Call()
    assert chooser.choose(view, (Call(),), shared=False) == Turn(3)


def test_the_stock_is_turned_on_from_what_is_under_way() -> None:
    mine = seat(demon="2D", stock=4, waste="5H 6H")
    assert look_further(mine, (), 3) == Turn(4)
    assert look_further(mine, (Turn(4),), 3) == Turn(1)
    assert look_further(mine, (Turn(4), Turn(1)), 3) == Recycle()
    assert look_further(mine, (Turn(4), Turn(1), Recycle()), 3) == Turn(6)
    assert look_further(mine, (PlayToFoundation(Source.WASTE, card("6H")),), 3) is Idle.NOTHING_TO_DO
    assert look_further(seat(demon="2D"), (), 3) is Idle.NOTHING_TO_DO
