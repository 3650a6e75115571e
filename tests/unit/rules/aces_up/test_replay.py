"""The log of a game explains itself, and no other log is taken for one."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.aces_up.deal import deal
from services.rules.aces_up.events import KINDS, AcesEnded, AcesEndWhy, CardRemoved, GaveUp, RowDealt, Undone
from services.rules.aces_up.moves import GiveUp, Row
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.outcome import Outcome, outcome
from services.rules.aces_up.replay import contradiction, replay
from services.rules.chain import Contradiction
from services.rules.event import Event
from services.rules.events import Prepared, Started, encode_body, parse, seal
from services.rules.hand import Phase
from services.rules.replay import verify
from tests.unit.rules.aces_up.games import NOON, PLAIN, PRACTICE, SECRET, beginning, log_of, random_actions
from tests.unit.rules.hands import sealed

ANY_OPTIONS = st.builds(AcesUpOptions, st.integers(1, 10_000), st.booleans(), st.booleans())


@given(seed=st.integers(0, 10_000), options=ANY_OPTIONS)
def test_a_log_leads_to_the_state_that_was_played_and_is_verified(seed: int, options: AcesUpOptions) -> None:
    actions, state = random_actions(seed, options)
    stands = outcome(state)
    why = AcesEndWhy.VOID if stands is Outcome.PLAYING or options.practice else AcesEndWhy(stands.value)
    log = log_of(actions, options, why)
    game = replay(log)
    assert (game.state, game.why, game.phase) == (state, why, Phase.OVER)
    assert verify(sealed(log)).problems == ()


@given(seed=st.integers(0, 10_000), options=ANY_OPTIONS)
def test_every_event_is_what_is_read_back_from_its_text(seed: int, options: AcesUpOptions) -> None:
    for event in log_of(random_actions(seed, options, 60)[0], options, AcesEndWhy.VOID):
        assert parse(seal(encode_body(event), "0" * 16)) == event


def test_every_kind_of_event_is_read_back() -> None:
    log = log_of([*random_actions(3, PRACTICE, 300)[0], GiveUp()], PRACTICE, AcesEndWhy.GIVEN_UP)
    assert {type(event) for event in log} == {Prepared, Started, *KINDS}
    assert [parse(text) for text in sealed(log)] == log


def test_the_events_are_written_as_the_protocol_says() -> None:
    texts = [encode_body(event) for event in log_of([Row(48), GiveUp()], AcesUpOptions(1), AcesEndWhy.GIVEN_UP)]
    assert texts[1:2] + texts[3:] == [
        '{"seq":2,"at":1700000000000,"e":"aces_deal","hand":1,"match":"m",'
        '"options":{"number":1,"practice":false,"auto_remove":false},'
        f'"commitment":"{replay(beginning()).commitment}",'
        '"seats":[{"player":"p0","name":"Player 0","bot":false,"nonce":"nonce"}],"start_at":1700000000100,'
        '"cards":["8D","3H","AD","AS"],"stock":48',
        '{"seq":4,"at":1700000000101,"e":"row","seat":0,"n":1,"seen":3,"arrived":1700000000101,'
        '"cards":["QS","JH","JC","AC"],"removed":[]',
        '{"seq":5,"at":1700000000102,"e":"give_up","seat":0,"n":2,"seen":4,"arrived":1700000000102',
        '{"seq":6,"at":1700000000102,"e":"aces_end","hand":1,"match":"m","why":"given_up","removed":0,'
        f'"secret":"{SECRET}"',
    ]


LOST_SEED = next(seed for seed in range(100) if outcome(random_actions(seed, PLAIN)[1]) is Outcome.LOST)
LOST = log_of(random_actions(LOST_SEED, PLAIN)[0], PLAIN, AcesEndWhy.LOST)
ROW = next(i for i, event in enumerate(LOST) if isinstance(event, RowDealt))
REMOVAL = next(i for i, event in enumerate(LOST) if isinstance(event, CardRemoved))


LAST = len(LOST) - 1
LATE_ROW = RowDealt(5, NOON, 0, 2, 4, NOON, (), ())


def changed(index: int, /, **fields: Any) -> list[Event]:
    return [*LOST[:index], replace(LOST[index], **fields), *LOST[index + 1 :]]


@pytest.mark.parametrize(
    ("log", "wrong"),
    [
        (LOST[1:], "begins with its prepare"),
        ([], "begins with its prepare"),
        (LOST[:-1], "does not reach the end"),
        (changed(0, seats=2), "2 seats"),
        (changed(0, commitment="00" * 32), "the rules give"),
        (changed(1, cards=deal(2).tops), "the rules give"),
        (changed(1, stock=44), "the rules give"),
        (changed(1, options=AcesUpOptions(2)), "the rules give"),
        (changed(1, seats=()), "nothing like it"),
        (changed(2, at=0), "nothing like it"),
        (changed(ROW, cards=deal(2).tops), "the rules give"),
        (changed(ROW, removed=deal(1).tops), "the rules give"),
        (changed(ROW, seat=1), "no seat 1"),
        (changed(ROW, n=0), "judged before"),
        (changed(REMOVAL, pile=9), "no_such_pile"),
        ([*LOST[: REMOVAL + 1], *LOST[REMOVAL:]], "judged before"),
        (changed(LAST, removed=1), "the rules give"),
        (changed(LAST, why=AcesEndWhy.WON), "nothing like it"),
        (changed(LAST, why=AcesEndWhy.GIVEN_UP), "nothing like it"),
        (changed(LAST, secret="00" * 32), "the secret"),
        (changed(LAST, secret="x"), "the secret"),
        ([*LOST, replace(LOST[-1], seq=LOST[-1].seq + 1)], "nothing like it"),
        ([*LOST[:3], replace(LOST[2], seq=4)], "nothing like it"),
        ([*LOST[:3], replace(LOST[1], seq=4)], "nothing like it"),
        ([*LOST[:3], replace(LOST[0], seq=4)], "no prepare"),
        ([*LOST[:2], replace(LOST[ROW], seq=3)], "nothing like it"),
        ([*LOST[:3], Undone(4, 0, 0, 1, 3, 0, deal(1).piles, 48)], "no_practice"),
        ([*LOST[:3], GaveUp(4, 0, 0, 1, 3, 0), LATE_ROW], "nothing like it"),
    ],
)
def test_a_log_that_the_rules_do_not_give_is_found_out(log: list[Event], wrong: str) -> None:
    assert contradiction(LOST) is None
    found = contradiction(log)
    assert found is not None
    assert wrong in found


def test_an_event_of_another_game_is_found_out() -> None:
    foreign = parse(
        seal(
            '{"seq":4,"at":0,"e":"turn","seat":0,"n":1,"seen":3,"arrived":0,"count":3,"shows":"AS"',
            "0" * 16,
        )
    )
    assert contradiction([*LOST[:3], foreign]) == "event 4: no turn in a game of Aces Up"


def test_a_lost_game_for_practice_has_not_ended() -> None:
    """AU-5: steps can be taken back."""
    seed = next(s for s in range(100) if outcome(random_actions(s, PRACTICE, 2_000)[1]) is Outcome.LOST)
    log = log_of(random_actions(seed, PRACTICE, 2_000)[0], PRACTICE, AcesEndWhy.LOST)
    assert contradiction(log) == f"event {log[-1].seq}: nothing like it could happen then"
    assert contradiction([*log[:-1], replace(log[-1], why=AcesEndWhy.VOID)]) is None  # type: ignore[call-arg]


def test_a_game_that_was_given_up_says_so_before_it_ends() -> None:
    assert contradiction(log_of([Row(48), GiveUp()], PLAIN, AcesEndWhy.GIVEN_UP)) is None


def test_who_leaves_a_game_gives_it_up_if_it_was_touched() -> None:
    assert contradiction(log_of([Row(48)], PLAIN, AcesEndWhy.GIVEN_UP)) is None
    assert contradiction(log_of([], PLAIN, AcesEndWhy.GIVEN_UP)) is not None
    assert contradiction(log_of([], PLAIN, AcesEndWhy.VOID)) is None


def test_a_game_may_be_void_before_it_is_dealt() -> None:
    prepared = beginning()[0]
    ended = AcesEnded(2, 0, 1, "m", AcesEndWhy.VOID, 0, SECRET)
    assert contradiction([prepared, ended]) is None
    with pytest.raises(Contradiction):
        replay([prepared, replace(ended, why=AcesEndWhy.LOST)])


@given(seed=st.integers(0, 10_000))
def test_a_text_that_was_altered_is_no_verified_log(seed: int) -> None:
    rng = random.Random(seed)
    texts = sealed(LOST)
    at = rng.randrange(1, len(texts))
    place = rng.randrange(len(texts[at]))
    other = rng.choice('0123456789AKQJTSHDC{}[]",:e')
    altered = texts[at][:place] + other + texts[at][place + 1 :]
    assert verify([*texts[:at], altered, *texts[at + 1 :]]).verified is (altered == texts[at])
