from __future__ import annotations

import pytest

from services.rules.events import BadEvent, Dealt, parse
from services.rules.replay import verify
from services.scoring.anonymous import NAMELESS, without
from tests.unit.scoring.games import LOSES, whole
from tests.unit.scoring.logs import ANN, BEN, played


def test_the_player_is_gone_and_the_hand_is_verified_as_before() -> None:
    log = played(3)
    blank = without(log, ANN.player)
    assert not any(word in text for text in blank for word in (b"p-ann", b"Ann"))
    assert verify(log).verified
    assert verify(blank).verified
    (deal,) = [event for event in map(parse, blank) if isinstance(event, Dealt)]
    assert [(seat.player, seat.name) for seat in deal.seats] == [("", NAMELESS), (BEN.player, BEN.name)]
    assert len(blank) == len(log)


def test_a_game_alone_is_verified_as_before() -> None:
    log = whole(LOSES[0])
    blank = without(log, ANN.player)
    assert not any(b"p-ann" in text for text in blank)
    assert verify(blank).verified


def test_a_log_without_the_player_stays_as_it_is() -> None:
    log = played(3)
    assert without(log, "p-eve") == log
    assert without(without(log, ANN.player), ANN.player) == without(log, ANN.player)


def test_a_log_that_was_forged_does_not_become_sound() -> None:
    log = played(3)
    forged = [text.replace(b'"at":', b'"at":1', 1) if place == len(log) - 3 else text for place, text in enumerate(log)]
    assert not verify(forged).verified
    assert not verify(without(forged, ANN.player)).verified


@pytest.mark.parametrize("text", [b"p-ann \xff", b'{"seats":["p-ann"],"digest":"0123456789abcdef"}'])
def test_what_names_the_player_and_cannot_be_read_is_told(text: bytes) -> None:
    with pytest.raises(BadEvent):
        without([text], ANN.player)
    assert without([text], BEN.player) == [text]
