from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.aces_up.events import AcesDealt, CardRemoved
from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.replay import replay
from services.rules.aces_up.view import View
from services.rules.cards import card
from services.rules.event import Event
from tests.unit.rules.aces_up.games import START, beginning, log_of, random_actions


def dealt(events: list[Event]) -> View:
    event = events[1]
    assert isinstance(event, AcesDealt)
    return View.dealt(event)


@given(seed=st.integers(0, 10_000), options=st.builds(AcesUpOptions, st.just(5), st.booleans(), st.booleans()))
def test_what_is_seen_from_the_events_is_what_may_be_seen_of_the_state(seed: int, options: AcesUpOptions) -> None:
    log = log_of(random_actions(seed, options, 150)[0], options)
    seen = dealt(log)
    for length, event in enumerate(log[START:], start=START + 1):
        seen = seen.apply(event)
        state = replay(log[:length]).state if length % 10 == 0 or length == len(log) else None
        if state is not None:
            assert seen == View.of(state, options)
            assert seen.removed_count == state.removed_count
            assert legal_moves(seen) == legal_moves(state)


def test_no_card_of_the_stock_is_seen() -> None:
    view = dealt(beginning())
    assert (view.stock_count, sum(map(len, view.piles))) == (48, 4)


def test_other_events_change_nothing() -> None:
    view = dealt(beginning())
    assert view.apply(beginning()[2]) is view


def test_an_event_that_cannot_have_happened_is_refused() -> None:
    view = dealt(beginning())
    with pytest.raises(ValueError, match="lies there"):
        view.apply(CardRemoved(4, 0, 0, 1, 3, 0, pile=0, card=card("2C"), removed=()))
