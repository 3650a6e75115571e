"""What the edge says of a game of Aces Up: from what everybody sees, playable as it is told, and never a guess."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from services.gateway.aces_up_advice import frame, hint, outlook, state_of, winnable_number
from services.gateway.frames import decode
from services.rules.aces_up import advice
from services.rules.aces_up.deal import deal
from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import Applied, Fill, GiveUp, Move, Remove, Row, apply
from services.rules.aces_up.options import LAST_NUMBER, AcesUpOptions
from services.rules.aces_up.outcome import Outcome, outcome
from services.rules.aces_up.solver import Lost, Won, solve
from services.rules.aces_up.state import State
from services.rules.aces_up.view import View
from services.rules.cards import card
from services.rules.hand import Phase
from services.rules.view import TableView
from tests.unit.scoring.games import WINS, straight

PLAIN = AcesUpOptions(WINS[0])


def after(state: State, move: Move, options: AcesUpOptions = PLAIN) -> State:
    applied = apply(state, move, options)
    assert isinstance(applied, Applied)
    return applied.state


def seen(state: State, options: AcesUpOptions = PLAIN, phase: Phase = Phase.PLAYING) -> tuple[TableView, View]:
    game = View.of(state, options)
    return TableView(seq=9, phase=phase, hand=1, game=game), game


@pytest.mark.parametrize("seed", range(8))
def test_what_everybody_sees_of_a_numbered_deal_is_the_whole_state(seed: int) -> None:
    chance, options = Random(seed), AcesUpOptions(seed + 1)
    state = deal(options.number)
    while choices := [move for move in legal_moves(state) if isinstance(move, Row | Remove | Fill)]:
        assert state_of(View.of(state, options)) == state
        if chance.random() < 0.02:
            break
        state = after(state, chance.choice(choices), options)


@pytest.mark.parametrize("move", [Row(48), Remove(3, card("TS")), Fill(0, card("5H"), 2)])
def test_the_action_is_a_frame_that_lacks_only_its_numbers(move: Move) -> None:
    assert getattr(decode(json.dumps(frame(move) | {"n": 1, "hand": 1, "seen": 9}).encode()), "n", None) == 1


def test_whoever_follows_hints_wins_a_game_that_can_be_won() -> None:
    """From the eighth row on, where every search ends within its bound, compiled or not."""
    state = deal(PLAIN.number)
    for move in straight(PLAIN.number):
        state = after(state, move) if isinstance(move, Row | Remove | Fill) and state.stock_count > 16 else state
    while outcome(state) is not Outcome.WON:
        told = hint(*seen(state))
        assert told.wins
        assert told.action is not None
        moves = [move for move in legal_moves(state) if not isinstance(move, GiveUp)]
        state = after(state, next(move for move in moves if isinstance(move, Move) and frame(move) == told.action))
    won = hint(*seen(state))
    assert (won.key, won.action, won.seq) == ("hint.aces_up.won", None, 9)


def test_a_hint_is_told_by_key_in_english_and_as_a_frame() -> None:
    state = State.decode("7S|3CJS|5H|AC|")
    told = hint(*seen(state))
    assert told.model_dump() == {
        "seq": 9,
        "key": "hint.aces_up.remove",
        "args": {"card": "7S", "from": 0, "higher": "JS"},
        "text": "Take the 7♠ away: the J♠ is higher.",
        "action": {"t": "remove", "pile": 0, "card": "7S"},
        "wins": False,
    }
    documented = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text()
    assert all(f"`{key.removeprefix('hint.')}`" in documented for key in advice.TEXTS)


@pytest.mark.parametrize("phase", [Phase.PREPARED, Phase.DEALT, Phase.OVER])
def test_nothing_is_to_be_done_before_and_after_a_game(phase: Phase) -> None:
    told = hint(*seen(deal(1), phase=phase))
    assert (told.key, told.action, told.wins) == ("hint.not_playing", None, False)


def test_the_outlook_is_exact_or_not_known() -> None:
    won, lost = State.decode("ASAH||AD|AC|"), State.decode("2SAS|AH|AD|AC|")
    assert outlook(seen(won)[1]) is True
    assert outlook(seen(lost)[1]) is False
    fresh = [outlook(View.of(deal(number), AcesUpOptions(number))) for number in range(1, 5)]
    for number, found in enumerate(fresh, start=1):
        exact = solve(deal(number), budget=20_000)
        assert not (isinstance(exact, Won) and found is False)
        assert not (isinstance(exact, Lost) and found is True)


@pytest.mark.parametrize("auto_remove", [True, False])
def test_a_winnable_deal_can_be_won(auto_remove: bool) -> None:
    number = winnable_number(auto_remove=auto_remove)
    assert number is not None
    assert 1 <= number <= LAST_NUMBER
    assert isinstance(solve(deal(number), hasty=auto_remove), Won)
