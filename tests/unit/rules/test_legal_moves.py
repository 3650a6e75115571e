"""Legal is exactly what the referee accepts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.cards import card
from services.rules.hand import Hand, Phase
from services.rules.layout import Layout
from services.rules.legal_moves import legal_moves
from services.rules.moves import Action, Call, MoveToColumn, PlayToFoundation, Recycle, Source, Turn
from services.rules.options import Options
from services.rules.verdict import Outcome
from services.rules.view import view
from tests.unit.rules.hands import History, built, do


def everything_that_can_be_said(hand: Hand, seat: int) -> list[Action]:
    """Every place, every card that lies open or covered in a column or on top, every target; votes left out."""
    layout = hand.layouts[seat]
    near = [*layout.demon[-2:], *layout.waste[-2:], *layout.stock[-1:], *(c for pile in layout.columns for c in pile)]
    targets = (None, *range(-1, len(hand.foundations) + 1))
    plays = [PlayToFoundation(source, c, to) for source in Source for c in near for to in targets]
    moves = [MoveToColumn(source, c, column) for source in Source for c in near for column in range(4)]
    turns = [Turn(n) for n in range(52)]
    return [*plays, *moves, *turns, Recycle(), Call()]


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), at=st.floats(0, 1), gaps=st.sampled_from(["any", "demon_only"]))
def test_an_action_is_listed_exactly_if_the_referee_accepts_it(seed: int, at: float, gaps: str) -> None:
    """RD-3 to RD-7, RD-9, RD-11."""
    history = History(seed, seats=2, options=Options(gap_fill=gaps, demon_size=5, draw=1 + 2 * (seed % 2))).play(400)
    running = [hand for hand in history.hands if hand.phase is Phase.PLAYING]
    hand = running[int(at * (len(running) - 1))]
    listed = legal_moves(hand.layouts[0], hand.foundations, hand.options)
    assert len(listed) == len(set(listed))
    accepted = [
        action
        for action in everything_that_can_be_said(hand, 0)
        if do(hand, 0, action).verdict.outcome is Outcome.APPLIED
    ]
    assert set(listed) == set(accepted)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_what_everybody_sees_tells_a_seat_s_legal_moves(seed: int) -> None:
    history = History(seed).play(200)
    for hand in history.hands:
        for seat, layout in enumerate(hand.layouts):
            playing = hand.phase is Phase.PLAYING
            expected = legal_moves(layout, hand.foundations, hand.options) if playing else []
            assert view(hand).legal_moves(seat) == expected


def test_a_taken_place_is_no_legal_move_for_a_player_who_has_seen_it() -> None:
    """RD-8; an ace is always one, and named by no target."""
    layout = Layout.decode("2S|AS||||KH|")
    listed = legal_moves(layout, (built("S", 2), built("S", 1)), Options())
    assert [action for action in listed if isinstance(action, PlayToFoundation)] == [
        PlayToFoundation(Source.DEMON, card("2S")),
        PlayToFoundation(Source.DEMON, card("2S"), 1),
        PlayToFoundation(Source.C0, card("AS")),
    ]


def test_a_seat_with_nothing_left_to_turn_or_move_has_no_move() -> None:
    layout = Layout.decode("9H|KS|KH|KC|KD||")
    assert legal_moves(layout, (), Options()) == []
