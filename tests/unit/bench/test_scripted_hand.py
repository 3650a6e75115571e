"""The scripted hand: what a step's commands come to, whichever of them is judged first."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from services.rules import transitions
from services.rules.events import Player
from services.rules.hand import Hand, Seat
from services.rules.moves import PlayToFoundation
from services.rules.options import Options
from services.rules.referee import judge
from services.rules.verdict import Outcome
from tests.bench.scripted_hand import NOW_MS, Scripted, Step, play

SEATS = 4
EPOCHS = [1] * SEATS


def started(random: Random) -> Hand:
    players = [Player(f"p{seat}", f"Player {seat}", False, f"nonce{seat}") for seat in range(SEATS)]
    secret = f"{random.getrandbits(256):064x}"
    hand, _ = transitions.prepare([Seat(epoch=1)] * SEATS, match="m", number=1, secret=secret, seq=0, now_ms=0)
    hand, _ = transitions.deal(hand, options=Options(), players=players, start_at=0, now_ms=0)
    hand, _ = transitions.start(hand, now_ms=0)
    return hand


def about(scripted: Scripted) -> str:
    action = scripted.command.action
    return action.card.text if isinstance(action, PlayToFoundation) else f"seat {scripted.command.seat}"


def judged(hand: Hand, step: Sequence[Scripted]) -> tuple[Hand, list[tuple[str, Outcome]]]:
    outcomes = []
    for scripted in step:
        hand, verdict, _ = judge(hand, scripted.command, now_ms=NOW_MS)
        outcomes.append((about(scripted), verdict.outcome))
    return hand, sorted(outcomes)


def foreseen(step: Step) -> list[tuple[str, Outcome]]:
    return sorted((about(scripted), scripted.outcome) for scripted in step)


@pytest.mark.parametrize("seed", range(20))
def test_the_commands_of_a_step_come_to_the_same_in_any_order(seed: int) -> None:
    random = Random(seed)
    hand = started(random)
    for step in play(hand, EPOCHS, random, steps=60):
        random.shuffle(shuffled := list(step))
        hand, outcomes = judged(hand, shuffled)
        assert outcomes == foreseen(step)


def test_seats_go_for_the_same_place() -> None:
    random = Random(1)
    script = play(started(random), EPOCHS, random, steps=60)
    assert Outcome.TIED in {scripted.outcome for step in script for scripted in step}
