"""Hints: every key has a position, its action is legal, its sentence names what it is about, and no hidden card."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from services.rules import transitions
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.state import laid_out
from services.rules.aces_up.view import View as GameView
from services.rules.advice import Hint, choose, hint, look_further
from services.rules.cards import DECK
from services.rules.hand import Phase, Seat
from services.rules.hint_texts import TEXTS, sentence
from services.rules.moves import Action, Call, Choice, Recycle, Turn, Vote
from services.rules.options import PRESETS, Options
from services.rules.useful import Aim, useful_moves
from services.rules.view import TableView, view
from tests.unit.bots.positions import NOTHING, table
from tests.unit.rules.hands import NOON, History, players
from tests.unit.rules.test_hint_texts import DOCUMENTED

CLASSIC, ONE_PASS = PRESETS["classic"], PRESETS["turn_one"]
BARREN = "9C9D|KS|KC|QS|2C||3C4C5C"
VOTED = (Choice.SHIFT, None)

SENTENCES = {
    "hint.ace_to_foundation": (
        table("9C9D|5S|KH|QC|8D||AD", NOTHING),
        "Put the A♦ from your waste in the middle: an ace opens a foundation.",
    ),
    "hint.demon_to_foundation": (
        table("9C4S|5S|KH|QC|8D||", NOTHING, foundations="H1 S3"),
        "Put the 4♠ from your demon on foundation 2.",
    ),
    "hint.waste_to_foundation": (
        table("9C9D|KS|KH|QC|8C||TS", NOTHING, foundations="S9"),
        "Put the 10♠ from your waste on foundation 1.",
    ),
    "hint.column_to_foundation": (
        table("9C9D|KS|4S|QC|8C||", NOTHING, foundations="S3"),
        "Put the 4♠ from column 2 on foundation 1.",
    ),
    "hint.demon_to_column": (
        table("9C9D|KS|KH|TC|8C||", NOTHING, options=PRESETS["pounce"]),
        "Put the 9♦ from your pounce pile on the 10♣ in column 3.",
    ),
    "hint.demon_to_gap": (
        table("9C9D|KS|KH||8C||", NOTHING, options=PRESETS["nerts"]),
        "Put the 9♦ from your nerts pile into the gap, column 3.",
    ),
    "hint.column_for_gap": (
        table("9C9D|QDJS|QC|KD|2C||", NOTHING),
        "Move all of column 2 onto the K♦ in column 3: that leaves a gap for your demon.",
    ),
    "hint.tail_uncovers": (
        table("9C9D|4D3S|4H|KD|2C||", NOTHING, foundations="D3"),
        "Move the 3♠ from column 1 onto the 4♥ in column 2: the 4♦ under it goes up.",
    ),
    "hint.tail_leads_on": (
        table("2H9H|KCQDJC|KSTH|KD|KH||", NOTHING, foundations="C12"),
        "Move the 10♥ from column 2 onto the J♣ in column 1: that opens a way.",
    ),
    "hint.waste_helps_demon": (
        table("9C9D|KS|JH|JD|2C||TS", NOTHING),
        "Put the 10♠ from your waste on the J♥ in column 2: your demon's 9♦ follows.",
    ),
    "hint.waste_to_column": (
        table("9C9D|KS|JH|JD|2C||QD", NOTHING),
        "Put the Q♦ from your waste on the K♠ in column 1.",
    ),
    "hint.waste_to_gap": (
        table("|KS|JH||2C||7C", NOTHING, options=Options(call="automatic")),
        "Put the 7♣ from your waste into the gap, column 3.",
    ),
    "hint.turn": (
        table("9C9D|KS|KC|QS|2C|3C4C|5C", NOTHING),
        "Nothing to do but turn your stock; the next packet has 2.",
    ),
    "hint.recycle": (table(BARREN, NOTHING), "Nothing to do but turn your waste over; it has 3."),
    "hint.call": (table("|KS|KH|QC|2C|3C4C|9C", NOTHING), 'Call "Demon!" now.'),
    "hint.vote_shift": (
        table(BARREN, NOTHING, asked=True),
        "You are stuck: vote for a shift of all stocks.",
    ),
    "hint.vote_end": (table(BARREN, NOTHING, options=ONE_PASS), "You are stuck: vote to end the hand."),
    "hint.wait": (
        table(BARREN, NOTHING, asked=True, votes=VOTED),
        "You are stuck and have voted: wait for the others.",
    ),
    "hint.not_playing": (
        table("9C4S|5S|KH|QC|8D||", NOTHING, foundations="S3", phase=Phase.CLOSING),
        "Nothing can be moved now.",
    ),
}


@pytest.mark.parametrize("key", TEXTS)
def test_every_hint_has_a_position_and_its_sentence(key: str) -> None:
    seen, text = SENTENCES[key]
    asked = hint(seen, 0)
    assert asked.key == key
    assert set(asked.args) == DOCUMENTED[key]
    assert sentence(asked.key, asked.args, seen.options) == text


def test_there_is_no_sentence_that_no_hint_uses_and_no_aim_without_one() -> None:
    assert set(SENTENCES) == set(TEXTS)
    assert {f"hint.{aim}" for aim in Aim} < set(TEXTS)


def legal(seen: TableView, seat: int, action: Action | None) -> bool:
    return action is None or isinstance(action, Vote) or action in seen.legal_moves(seat)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("options", [Options(), CLASSIC, ONE_PASS, Options(gap_fill="demon_only", stuck="end")])
def test_what_a_hint_says_is_legal_and_every_argument_is_in_the_open(options: Options, seed: int) -> None:
    history = History(seed, options=options).play(250)
    for hand in history.hands[2::7]:
        seen = view(hand)
        for seat, mine in enumerate(seen.seats):
            asked = hint(seen, seat)
            assert legal(seen, seat, asked.action)
            assert (asked.action is None) is (asked.key in ("hint.wait", "hint.not_playing"))
            assert sentence(asked.key, asked.args, options)
            shown = {mine.demon_top, mine.waste_top, *(c for column in mine.columns for c in column)}
            named = {asked.args[k] for k in ("card", "onto", "demon", "uncovers") if k in asked.args}
            assert named <= {c.text for c in shown if c}


def test_a_hint_needs_no_hidden_card() -> None:
    """The stock is a number, and of the waste a newcomer knows the top only: another order changes no hint."""
    rng = random.Random(5)
    hand, _ = transitions.prepare((Seat(),) * 3, match="m", number=1, secret="5e" * 32, seq=0, now_ms=NOON)
    hand, _ = transitions.deal(hand, options=Options(), players=players(3), start_at=NOON, now_ms=NOON)
    hand, _ = transitions.start(hand, NOON)
    for seat, layout in enumerate(hand.layouts):
        other = replace(layout, stock=tuple(rng.sample(layout.stock, len(layout.stock))))
        dealt_otherwise = replace(hand, layouts=(*hand.layouts[:seat], other, *hand.layouts[seat + 1 :]))
        assert hint(view(hand), seat) == hint(view(dealt_otherwise), seat)


def test_who_has_searched_the_whole_stock_votes_and_turns_nothing_over_again() -> None:
    seen = table(BARREN, NOTHING)
    assert hint(seen, 0).action == Recycle()
    assert hint(seen, 0, searched=True) == Hint("hint.vote_shift", Vote(Choice.SHIFT, 7), {})


@pytest.mark.parametrize(
    ("votes", "options", "step"),
    [
        ((None, None), Options(), Turn(2)),
        ((None, Choice.SHIFT), Options(), Choice.SHIFT),
        ((None, Choice.END), Options(), Turn(2)),
        ((None, Choice.END), Options(stuck="end"), Turn(2)),
    ],
)
def test_all_others_who_want_a_shift_are_joined_at_once(
    votes: tuple[Choice | None, ...], options: Options, step: object
) -> None:
    """RD-10 (f): who sees nothing useful has nothing to lose by it."""
    view = table("9C9D|KS|KC|QS|2C|3C4C|5C", NOTHING, votes=votes, options=options)
    assert look_further(view, 0, searched=False) == step


def test_the_end_is_joined_only_when_nothing_is_left_to_turn() -> None:
    """RD-10 (g)."""
    votes = (None, Choice.END, Choice.END)
    assert look_further(table(BARREN, NOTHING, NOTHING, votes=votes), 0, searched=True) is Choice.END
    assert look_further(table(BARREN, NOTHING, NOTHING), 0, searched=True) is Choice.SHIFT


def test_the_demon_s_last_card_waits_for_what_is_ready_where_it_ends_the_hand() -> None:
    """Option ``call``: automatic."""
    layout = "9D|4S|KH|TC|8C||"
    ready = table(layout, NOTHING, foundations="S3", options=CLASSIC)
    assert hint(ready, 0).key == "hint.column_to_foundation"
    assert hint(table(layout, NOTHING, foundations="S3"), 0).key == "hint.demon_to_column"
    pressed = table(layout, "2C4H|KS|KH|KD|KC||", foundations="S3 H3", options=CLASSIC)
    assert hint(pressed, 0).key == "hint.demon_to_column"


def test_nothing_is_chosen_where_nothing_is_useful() -> None:
    seen = table("9C9D|KS|KC|QS|2C|3C4C|5C", NOTHING)
    assert choose(seen, 0, useful_moves(seen, 0)) is None
    empty = table("|KS|KC|QS|2C|3C4C|5C", NOTHING)
    assert choose(empty, 0, []) == Call()


def test_there_is_no_advice_for_aces_up_nor_for_a_seat_that_is_not_there() -> None:
    game = GameView.of(laid_out(DECK), AcesUpOptions(number=1))
    with pytest.raises(ValueError, match="Aces Up"):
        hint(TableView(phase=Phase.PLAYING, game=game), 0)
    with pytest.raises(IndexError):
        hint(table(BARREN, NOTHING), 2)
