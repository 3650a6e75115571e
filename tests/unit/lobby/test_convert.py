from __future__ import annotations

from dataclasses import replace

import pytest
from pandemonium.lobby.v1 import lobby_pb2

from services.lobby import convert, dispute
from services.lobby.table import Pace, State, Strength
from services.rules.options import Options
from services.runtime.errors import Fault
from tests.unit.lobby.tables import counted, playing, table


def test_the_invite_is_shown_to_the_host_and_the_seated_only() -> None:
    some = replace(table(3, "ada", "bob"), invite="secret", host=table(3, "ada").host)
    shown = {viewer: convert.table(some, viewer).invite for viewer in ("ada", "bob", "eve", "")}
    assert shown == {"ada": "secret", "bob": "secret", "eve": "", "": ""}


def test_nobodys_nonce_is_shown() -> None:
    some = table(2, "ada")
    secret = some.with_seat(0, replace(some.seats[0], nonce="0123456789"))
    assert b"0123456789" not in convert.table(secret, "ada").SerializeToString()


def test_everyone_sees_who_disputes_and_whether_a_playoff_comes() -> None:
    full = table(2, "ada", "bob", options=Options(dispute="replay_hand", match_end="playoff").to_json())
    between = counted(playing(full), 104, 104, playoff=True)
    told = convert.table(dispute.ask(between, "bob", withdraw=False), "")
    assert ([seat.dispute for seat in told.seats], told.disputable, told.playoff) == ([False, True], True, True)
    upheld = dispute.uphold(dispute.ask(dispute.ask(between, "bob", withdraw=False), "ada", withdraw=False))
    assert not convert.table(upheld, "").disputable
    assert not convert.table(full, "").disputable


def test_every_state_strength_and_pace_has_its_number() -> None:
    states = {convert.table(replace(table(2, "ada"), state=state), "").state for state in State}
    assert len(states) == len(State) == len(lobby_pb2.TableState.values()) - 1
    assert [convert.strength(number) for number in range(4)] == [Strength.MEDIUM, *Strength]  # type: ignore[arg-type]
    assert [convert.pace(number) for number in range(3)] == [Pace.HUMAN, *Pace]  # type: ignore[arg-type]


def test_a_table_of_bots_waits_for_nobody() -> None:
    assert not convert.table(table(2, bots=2, watched=True), "").waits_for_people
    assert convert.table(table(2, "ada", bots=1), "").waits_for_people
    assert convert.table(table(2, bots=1, watched=True), "").waits_for_people


@pytest.mark.parametrize("text", ["", "a b", "a|b", "{s1}", "x" * 65, "\u00e9", "a\n"])
def test_what_can_be_no_id_is_refused(text: str) -> None:
    for check in (convert.table_id, convert.player_id):
        with pytest.raises(Fault, match="BAD_"):
            check(text)


@pytest.mark.parametrize("text", ["", " ", "\u3000", "a\u202eb", "x" * 101, "a\x00"])
def test_what_can_be_no_name_is_refused(text: str) -> None:
    with pytest.raises(Fault, match="BAD_NAME"):
        convert.display_name(text)


@pytest.mark.parametrize("text", ["Ada", "Zoë", "李小龍", "a b", "👾"])
def test_names_that_can_be_shown_pass(text: str) -> None:
    assert convert.display_name(text) == text
