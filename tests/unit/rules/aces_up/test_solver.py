"""The solver is exact: held to an independent exhaustive search, and its lines to the rules."""

from __future__ import annotations

import os
import random
from types import NoneType

import pytest

from services.rules.aces_up import kernel
from services.rules.aces_up.advice import TEXTS, Hint, hint, sentence
from services.rules.aces_up.deal import deal
from services.rules.aces_up.gaps import Step
from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.lessons import Piles
from services.rules.aces_up.moves import Fill, Move, Remove, Row
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.outcome import Outcome, outcome
from services.rules.aces_up.search import OutOfBudget, Search
from services.rules.aces_up.solver import Lost, Undecided, Won, can_still_win, numbers, solve, winnable_numbers
from services.rules.aces_up.state import State, laid_out
from services.rules.aces_up.steps import PILES
from services.rules.cards import Card
from tests.unit.rules.aces_up.games import AUTOMATIC, PLAIN, WON_BY_WAITING, done, played, shuffled_deck

COMPILED = kernel.compiled()
PROVE = "PROVE" in os.environ
FEW_RANKS, MANY_RANKS = (4, 4, 5), (4, 5, 5, 6, 6)
"""Ranks of a small deck: 16 to 20 cards, or to 24 for the long proof."""
DEALS = 400 if PROVE else 60


def exhaustive(start: State, *, options: AcesUpOptions = PLAIN) -> bool:
    """Whether anything wins: every state that legal moves reach is looked at, with nothing left out."""
    known, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        if outcome(state) is Outcome.WON:
            return True
        for move in legal_moves(state):
            if isinstance(move, Row | Remove | Fill):
                after = done(state, move, options).state
                if after not in known:
                    known.add(after)
                    waiting.append(after)
    return False


def small_deal(seed: int) -> State:
    """16 to 24 cards; some decks are sorted a little, so that both winning and losing deals are common."""
    rng = random.Random(seed)
    deck = list(shuffled_deck(seed, ranks=rng.choice(MANY_RANKS if PROVE else FEW_RANKS)))
    if rng.random() < 0.4:
        deck.sort(key=lambda card: card.rank + rng.random() * 8, reverse=rng.random() < 0.5)
    return laid_out(tuple(deck))


def any_state(seed: int) -> State:
    """The four aces and some high cards, anywhere in piles and stock."""
    rng = random.Random(seed)
    deck = [card for card in shuffled_deck(seed, rng.choice([2, 3, 4, 5])) if card.rank == 1 or rng.random() < 0.8]
    rows = min(rng.choice([0, 0, 1, 1, 2, 3]), len(deck) // PILES)
    piles: list[list[Card]] = [[], [], [], []]
    for card in deck[PILES * rows :]:
        rng.choice(piles).append(card)
    p0, p1, p2, p3 = map(tuple, piles)
    return State((p0, p1, p2, p3), tuple(deck[: PILES * rows]))


def wins(start: State, line: tuple[Move, ...]) -> bool:
    """Whether the line is legal from first to last and leaves the four aces."""
    return outcome(played(start, list(line))) is Outcome.WON


def test_it_says_what_an_exhaustive_search_says() -> None:
    found = {True: 0, False: 0}
    for seed in range(DEALS):
        start = small_deal(seed)
        truth = exhaustive(start)
        verdict = solve(start)
        assert isinstance(verdict, Won if truth else Lost), start.encode()
        if isinstance(verdict, Won):
            assert wins(start, verdict.line)
        found[truth] += 1
    assert min(found.values()) >= 15


def test_it_says_so_from_the_middle_of_a_game_too() -> None:
    """Also from states with gaps, and with an empty stock."""
    for seed in range(60):
        rng, state = random.Random(seed), small_deal(seed)
        for _ in range(rng.randrange(14)):
            moves = [move for move in legal_moves(state) if isinstance(move, Row | Remove | Fill)]
            if not moves:
                break
            state = done(state, rng.choice(moves)).state
        verdict = solve(state)
        assert isinstance(verdict, Won if exhaustive(state) else Lost), state.encode()
        if isinstance(verdict, Won):
            assert wins(state, verdict.line)


def test_it_says_so_of_any_state_that_can_be_written_down() -> None:
    """Also of those that no game comes to: with cards missing, gaps beside a full stock, aces anywhere."""
    found = {True: 0, False: 0}
    for seed in range(20 * DEALS):
        state = any_state(seed)
        truth = exhaustive(state)
        verdict = solve(state)
        assert isinstance(verdict, Won if truth else Lost), state.encode()
        if isinstance(verdict, Won):
            assert wins(state, verdict.line)
        assert isinstance(solve(state, hasty=True), Won if exhaustive(state, options=AUTOMATIC) else Lost), (
            state.encode()
        )
        found[truth] += 1
    assert min(found.values()) > 5 * DEALS


@pytest.mark.parametrize(
    "text",
    [
        "ASAD|JDKD|AHQHQDQS|ACKHKS|JHJCQCJS",  # what was missed deeper counts for places above too
        "|AH|KC||QCKHQDKDADASQHAC",  # beside a gap it matters that a card is the only one of its pile
    ],
)
def test_states_that_a_less_careful_search_calls_lost(text: str) -> None:
    state = State.decode(text)
    piles, rows = numbers(state)
    verdict = solve(state)
    assert isinstance(verdict, Won)
    assert wins(state, verdict.line)
    assert Search(rows, 10_000).line(piles) is not None


def test_haste_may_begin_with_a_row_onto_what_could_go() -> None:
    """Nothing goes by itself before the first action."""
    state = State.decode("AH|TDKHAD|ASJS|KCQS|QCACJHJCJDQDTSTH")
    assert exhaustive(state, options=AUTOMATIC)
    verdict = solve(state, hasty=True)
    assert isinstance(verdict, Won)
    assert verdict.line[0] == Row(8)


def test_haste_is_judged_as_a_table_plays_that_removes_by_itself() -> None:
    for seed in range(40):
        start = small_deal(seed)
        assert isinstance(solve(start, hasty=True), Won if exhaustive(start, options=AUTOMATIC) else Lost), (
            start.encode()
        )


def test_a_deal_that_haste_loses_is_won_by_waiting() -> None:
    """The counter-example of the rules: removing everything at once is not always right (AU-4)."""
    verdict = solve(WON_BY_WAITING)
    assert isinstance(verdict, Won)
    assert wins(WON_BY_WAITING, verdict.line)
    assert solve(WON_BY_WAITING, hasty=True) == Lost()


@pytest.mark.skipif(not COMPILED, reason="no compiler when the project was installed")
@pytest.mark.parametrize("hasty", [False, True])
def test_the_compiled_search_goes_the_same_way_as_its_twin(hasty: bool) -> None:
    """On whole decks: the same answers, the same lines, after as many positions; and they give up at the same point."""
    answers = set()
    for number in range(1, 25):
        piles, rows = numbers(deal(number))
        twins = [kind(rows, 3_000, hasty=hasty) for kind in (Search, kernel.Search)]
        one, other = ((answer(search, piles), search.looked) for search in twins)
        assert one == other, number
        answers.add(type(one[0]))
    assert answers >= {list, NoneType}


def answer(search: Search | kernel.Search, piles: Piles) -> list[Step] | str | None:
    try:
        return search.line(piles)
    except OutOfBudget:
        return "undecided"


def test_without_a_compiler_it_says_the_same() -> None:
    for seed in range(60):
        piles, rows = numbers(any_state(seed))
        assert (Search(rows, 10**6).line(piles) is None) is (solve(any_state(seed)) == Lost())


@pytest.mark.skipif(not COMPILED, reason="no compiler when the project was installed")
def test_every_line_of_whole_deals_wins_by_the_rules() -> None:
    won = 0
    for number in range(1, 31):
        verdict = solve(deal(number), budget=30_000)
        if isinstance(verdict, Won):
            assert wins(deal(number), verdict.line), number
            won += 1
    assert won >= 8


def test_it_always_ends_and_an_open_question_is_no_lost_game() -> None:
    assert solve(deal(1), budget=1) == Undecided()
    assert can_still_win(deal(1), budget=1) is None
    assert hint(deal(1), budget=1).action is not None


def test_numbers_of_deals_that_can_be_won() -> None:
    found = winnable_numbers(2**31, budget=3_000)
    first, second = next(found), next(found)
    assert first == 2**31 or first < second
    assert all(can_still_win(deal(number)) for number in (first, second))
    for number in (0, 2**31 + 1):
        with pytest.raises(ValueError, match="deals have numbers"):
            next(winnable_numbers(number))


class TestHints:
    def test_the_hints_of_a_deal_that_can_be_won_win_it(self) -> None:
        state = WON_BY_WAITING
        for _ in range(80):
            asked = hint(state)
            if asked.action is None:
                break
            assert asked.wins
            state = done(state, asked.action).state
        assert (asked.key, outcome(state)) == ("hint.aces_up.won", Outcome.WON)

    def test_in_a_lost_game_it_still_says_what_is_useful(self) -> None:
        lost = State.decode("3S2S|AS4H||AC|")
        assert outcome(lost) is Outcome.PLAYING
        asked = hint(lost)
        assert (asked.key, asked.wins) == ("hint.aces_up.fill", False)
        assert hint(State.decode("2SAS|AH|AD|AC|")).key == "hint.aces_up.nothing"

    def test_a_removal_says_what_is_higher(self) -> None:
        asked = hint(State.decode("3CJS|AS|5H|AC|"))
        assert asked.args == {"card": "JS", "from": 0, "higher": "AS"}
        assert sentence(asked) == "Take the J♠ away: the A♠ is higher."

    def test_the_row_is_advised_when_nothing_else_is_useful(self) -> None:
        asked = hint(State.decode("AS|KH|QD|JC|2S3S4S5S"))
        assert asked.action == Row(4)

    @pytest.mark.parametrize("key", TEXTS)
    def test_every_sentence_can_be_said(self, key: str) -> None:
        said = sentence(Hint(key, None, {"card": "TS", "higher": "AS", "from": 0, "to": 1, "count": 4}))
        assert said.endswith(".")
        assert "{" not in said
