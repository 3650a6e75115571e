"""Matches of bots by every preset: they end, their logs hold, no card is lost, and the result is right.

Points, totals, teams and winners are counted again here, from the events and from docs/rules.md.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from services.bots.judgement import Strength
from services.rules.events import Dealt, Ended, Event, Moved, Played
from services.rules.moves import Source
from services.rules.options import PRESETS, Options
from services.rules.replay import verify
from services.rules.verdict import Outcome
from tests.proofs.size import PROVE, size
from tests.unit.bots.paper_match import PaperMatch

PARTS = range(6 if PROVE else 1)
MATCHES = size(3, 50)
TARGETS = {"family": 50, "tournament": 200}
CLASSICS = ("classic", "nerts", "pounce", "turn_one", "pairs")


@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("preset", PRESETS)
def test_matches_end_their_logs_hold_and_their_results_are_right(preset: str, part: int) -> None:
    """300 matches by each preset in full. Replaying a log counts each seat's 52 cards after every event (RD-14)."""
    rng, told = random.Random(f"{preset} {part}"), Counter[str]()
    for _ in range(MATCHES):
        seats = rng.choice((4, 4, 6, 8)) if preset == "pairs" else rng.choice((2, 2, 3, 4, 5, 6, 7, 8))
        match = played(PRESETS[preset], seats, rng)
        totals = [0] * seats
        for hand in match.hands:
            assert verify(hand.log).problems == ()
            points = recounted(hand.events, seats, penalty=0 if preset == "pounce" else 2)
            assert [score.points for score in ended(hand.events).scores] == points
            totals = [total + more for total, more in zip(totals, points, strict=True)]
            tell(told, hand.events, hand.verdicts)
        assert winners(match.totals, preset) == match.result.winners
        assert tuple(totals) == match.totals[-1]
        told["matches"] += 1
    print(f"{preset}, part {part}:", dict(sorted(told.items())))
    if preset in CLASSICS:
        assert not told["tied"], "first only: no place is shared"


@pytest.mark.timeout(600)
def test_with_two_seats_tables_shift_and_some_hands_end_dead() -> None:
    """RD-10, by the default rules. Every shift and every dead end is judged again by ``verify``."""
    rng, told = random.Random(2), Counter[str]()
    for _ in range(size(6, 300)):
        for hand in played(PRESETS["racing_demon"], 2, rng).hands:
            assert verify(hand.log).problems == ()
            tell(told, hand.events, hand.verdicts)
    print("two seats:", dict(sorted(told.items())))
    assert told["end dead"] > 0
    assert told["hands with shifts"] > told["end dead"] / 2
    assert told["end called"] + told["end dead"] + told["end agreed"] == told["hands"]


def played(options: Options, seats: int, rng: random.Random) -> PaperMatch:
    """A match of bots of any strength."""
    match = PaperMatch([rng.choice(tuple(Strength)) for _ in range(seats)], rng.getrandbits(32), options)
    match.play()
    return match


def tell(told: Counter[str], events: Sequence[Event], verdicts: Counter[Outcome]) -> None:
    shifts = sum(event.e == "shift" for event in events)
    told["hands"] += 1
    told["shifts"] += shifts
    told["hands with shifts"] += shifts > 0
    told[f"end {ended(events).why}"] += 1
    for outcome in (Outcome.TIED, Outcome.RETURNED):
        told[outcome] += verdicts[outcome]


def ended(events: Sequence[Event]) -> Ended:
    end = events[-1]
    assert isinstance(end, Ended)
    return end


def recounted(events: Sequence[Event], seats: int, penalty: int) -> list[int]:
    """RD-12 from what everybody saw: +1 for each card that landed, the penalty for each that is left in the demon."""
    points = [0] * seats
    for event in events:
        if isinstance(event, Dealt):
            points = [-penalty * dealt.demon for dealt in event.layouts]
        elif isinstance(event, Played | Moved):
            points[event.seat] += isinstance(event, Played)
            points[event.seat] += penalty * (event.source is Source.DEMON)
    return points


def winners(totals: Sequence[tuple[int, ...]], preset: str) -> tuple[int, ...]:
    """RD-13: the highest after the hand in which somebody reached the target, or after one more if several had."""
    half = len(totals[0]) // 2
    teams = [(i, i + half) for i in range(half)] if preset == "pairs" else [(i,) for i in range(len(totals[0]))]
    by_team = [[sum(after[seat] for seat in team) for team in teams] for after in totals]
    target = TARGETS.get(preset, 100)
    first = next(number for number, after in enumerate(by_team) if max(after) >= target or number == 49)
    together = sum(points >= target for points in by_team[first])
    last = first + (preset in CLASSICS and together > 1 and first < 49)
    assert len(totals) == last + 1, "the match went on for another number of hands"
    best = max(by_team[last])
    return tuple(
        sorted(seat for team, points in zip(teams, by_team[last], strict=True) if points == best for seat in team)
    )
