"""The table socket's client side, without a socket: resume, duplicates, gaps, lost history, verdicts before events."""

from __future__ import annotations

import json

import pytest

from services.client.errors import NotTheProtocol, NotUnderstood, SetBack
from services.client.outbox import WINDOW
from services.client.protocol import Complained, Effect, Failed, Happened, Reconnect, Said, Send, Settled, TableProtocol
from services.rules.moves import Recycle, Turn
from services.rules.verdict import Outcome, Verdict
from services.rules.view import view
from tests.unit.client.paper_edge import PaperEdge


class Wire:
    """Client and edge, and everything that the client wanted done."""

    def __init__(self, seats: int = 2) -> None:
        self.edge = PaperEdge(seats)
        self.client = TableProtocol(seat=True)

    def attach(self) -> list[Effect]:
        sent = frames_of(self.client.attach())
        return self.give(*self.edge.attach(sent[0], seat=0))

    def reconnect(self) -> list[Effect]:
        self.client.lost()
        return self.attach()

    def give(self, *frames: bytes) -> list[Effect]:
        return [effect for frame in frames for effect in self.client.received(frame)]

    def turn(self) -> tuple[int, bytes]:
        """Ticket and frame of the next command."""
        seen = self.client.view.seats[0].stock_count
        ticket, effects = self.client.submit(Turn(seen))
        return ticket, frames_of(effects)[0]


def frames_of(effects: list[Effect]) -> list[bytes]:
    return [effect.frame for effect in effects if isinstance(effect, Send)]


def numbers_of(effects: list[Effect]) -> list[int]:
    return [json.loads(frame)["n"] for frame in frames_of(effects)]


def settled(effects: list[Effect]) -> dict[int, Verdict]:
    return {effect.ticket: effect.verdict for effect in effects if isinstance(effect, Settled)}


@pytest.fixture
def wire() -> Wire:
    wire = Wire()
    wire.attach()
    return wire


def test_the_first_attach_names_nothing_and_ends_with_the_view_of_the_snapshot() -> None:
    wire = Wire()
    (attach,) = frames_of(wire.client.attach())
    assert json.loads(attach) == {"t": "attach", "seat": True, "after": None, "n": 0}
    wire.give(*wire.edge.attach(attach, seat=0))
    assert wire.client.attached
    assert (wire.client.seat, wire.client.player) == (0, "p0")
    assert wire.client.view == view(wire.edge.hand)


def test_a_command_carries_its_number_the_hand_and_what_was_seen(wire: Wire) -> None:
    _, frame = wire.turn()
    digest = wire.edge.digest
    assert json.loads(frame) == {"t": "turn", "n": 1, "hand": 1, "seen": 3, "digest": digest, "stock": 35}


def test_the_verdict_settles_a_command_only_when_its_event_is_in_the_view(wire: Wire) -> None:
    ticket, frame = wire.turn()
    verdict, event = wire.edge.command(frame)
    assert event is not None
    assert wire.give(verdict) == []
    effects = wire.give(event)
    assert isinstance(effects[0], Happened)
    assert settled(effects) == {ticket: Verdict(1, Outcome.APPLIED, seq=4)}
    assert wire.client.view.seats[0].stock_count == 32


def test_the_event_may_come_before_the_verdict_and_is_applied_once(wire: Wire) -> None:
    ticket, frame = wire.turn()
    verdict, event = wire.edge.command(frame)
    assert event is not None
    assert [type(e) for e in wire.give(event)] == [Happened]
    assert settled(wire.give(verdict)) == {ticket: Verdict(1, Outcome.APPLIED, seq=4)}
    assert wire.give(event, verdict) == []
    assert wire.client.view.seats[0].stock_count == 32


def test_a_refusal_settles_at_once(wire: Wire) -> None:
    ticket, effects = wire.client.submit(Recycle())
    verdict, event = wire.edge.command(frames_of(effects)[0])
    assert event is None
    assert settled(wire.give(verdict))[ticket].outcome is Outcome.REFUSED


def test_two_illegal_commands_back_to_back_get_each_its_own_reason(wire: Wire) -> None:
    (first, one), (second, two) = (wire.client.submit(a) for a in (Recycle(), Turn(7)))
    verdicts = [wire.edge.command(frames_of(effects)[0])[0] for effects in (one, two)]
    reasons = {ticket: verdict.why for ticket, verdict in settled(wire.give(*verdicts)).items()}
    assert reasons == {first: "stock_not_empty", second: "stock_changed"}


def test_a_resume_continues_after_the_last_event_and_sends_again_what_was_not_judged(wire: Wire) -> None:
    judged, frame = wire.turn()
    _, event = wire.edge.command(frame)
    assert event is not None
    wire.client.submit(Turn(32))  # never reaches the edge
    wire.client.lost()
    (attach,) = frames_of(wire.client.attach())
    assert json.loads(attach)["after"]["seq"] == 3
    assert json.loads(attach)["n"] == 0
    effects = wire.give(*wire.edge.attach(attach, seat=0))
    assert numbers_of(effects) == [2]
    assert settled(effects) == {judged: Verdict(1, Outcome.APPLIED, seq=4)}
    assert [e.event.seq for e in effects if isinstance(e, Happened)] == [4]


def test_what_is_sent_again_is_the_same_bytes(wire: Wire) -> None:
    _, frame = wire.turn()
    assert frames_of(wire.reconnect()) == [frame]
    assert frames_of(wire.reconnect()) == [frame]


def test_commands_given_while_disconnected_are_sent_after_the_welcome(wire: Wire) -> None:
    wire.client.lost()
    _, effects = wire.client.submit(Turn(35))
    assert effects == []
    assert numbers_of(wire.attach()) == [1]


def test_at_most_the_window_is_unanswered_and_the_rest_follows_in_order(wire: Wire) -> None:
    sent = [frame for _ in range(WINDOW + 3) for frame in frames_of(wire.client.submit(Recycle())[1])]
    assert [json.loads(frame)["n"] for frame in sent] == list(range(1, WINDOW + 1))
    assert wire.client.unanswered == WINDOW + 3
    verdict, _ = wire.edge.command(sent[0])
    assert numbers_of(wire.give(verdict)) == [WINDOW + 1]


def test_an_event_that_comes_twice_changes_nothing(wire: Wire) -> None:
    before = wire.client.view
    assert wire.give(*wire.edge.log) == []
    assert wire.client.view is before


def test_a_gap_makes_the_client_attach_anew_from_where_it_stands(wire: Wire) -> None:
    wire.edge.command(wire.turn()[1])  # neither verdict nor event arrives
    ticket, effects = wire.client.submit(Turn(32))
    _, later = wire.edge.command(frames_of(effects)[0])
    assert later is not None
    assert [type(effect) for effect in wire.give(later)] == [Reconnect]
    assert wire.give(later) == [], "nothing more is taken from that connection"
    effects = wire.reconnect()
    assert [e.event.seq for e in effects if isinstance(e, Happened)] == [4, 5]
    assert ticket in settled(effects)


def test_an_altered_event_is_found_out_by_the_digest(wire: Wire) -> None:
    _, event = wire.edge.command(wire.turn()[1])
    assert event is not None
    (effect,) = wire.give(event.replace(b'"count":3', b'"count":2'))
    assert isinstance(effect, Reconnect)
    assert wire.client.seq == 3


def test_a_history_that_breaks_twice_at_one_place_is_given_up_for_a_snapshot(wire: Wire) -> None:
    _, event = wire.edge.command(wire.turn()[1])
    assert event is not None
    altered = event.replace(b'"count":3', b'"count":2')
    wire.give(altered)
    (attach,) = frames_of(wire.client.attach())
    assert json.loads(attach)["after"] is not None
    wire.give(wire.edge.welcome(0, resumed=True, set_back=False), altered)
    (attach,) = frames_of(wire.client.attach())
    assert json.loads(attach)["after"] is None
    wire.give(*wire.edge.attach(attach, seat=0))
    assert wire.client.view.seq == 4


def test_a_client_that_was_ahead_is_set_back_and_its_commands_are_void(wire: Wire) -> None:
    _, frame = wire.turn()
    verdict, event = wire.edge.command(frame)
    assert event is not None
    wire.give(verdict, event)
    ticket, _ = wire.client.submit(Turn(32))
    wire.edge.lose_history(3)
    effects = wire.reconnect()
    assert [(e.ticket, type(e.error)) for e in effects if isinstance(e, Failed)] == [(ticket, SetBack)]
    assert wire.client.seq == 3
    assert json.loads(wire.turn()[1])["n"] == 1


def test_set_back_on_a_living_socket_voids_what_is_unanswered_and_restarts_the_numbers(wire: Wire) -> None:
    early, frame = wire.turn()
    verdict, _ = wire.edge.command(frame)
    wire.give(verdict)  # its event is never told: the machine is gone
    unsent, _ = wire.client.submit(Turn(32))
    wire.edge.lose_history(3)
    effects = wire.give(b'{"t":"set_back","n":0}', wire.edge.snapshot())
    assert [e.ticket for e in effects if isinstance(e, Failed)] == [early, unsent]
    assert wire.client.unanswered == 0
    assert json.loads(wire.turn()[1])["n"] == 1


def test_numbers_continue_those_of_another_socket_of_the_seat() -> None:
    wire = Wire()
    for n in (1, 2, 3):
        wire.edge.command(b'{"t":"recycle","n":%d,"hand":1,"seen":3}' % n)
    wire.attach()
    assert json.loads(wire.turn()[1])["n"] == 4


def test_one_lost_frame_makes_one_round_of_sending_again(wire: Wire) -> None:
    frames = [frames_of(wire.client.submit(Recycle())[1])[0] for _ in range(5)]
    out_of_order = [wire.edge.command(frame)[0] for frame in frames[1:]]
    effects = wire.give(*out_of_order)
    assert numbers_of(effects) == [1, 2, 3, 4, 5]
    answers = [wire.edge.command(frame)[0] for frame in frames_of(effects)]
    assert len(settled(wire.give(*answers))) == 5


def test_a_frame_that_is_lost_again_is_sent_again(wire: Wire) -> None:
    frames = [frames_of(wire.client.submit(Recycle())[1])[0] for _ in range(3)]
    again = frames_of(wire.give(*(wire.edge.command(frame)[0] for frame in frames[1:])))
    once_more = wire.give(*(wire.edge.command(frame)[0] for frame in again[1:]))
    assert numbers_of(once_more) == [1, 2, 3]


def test_an_edge_that_waits_for_a_command_that_is_not_here_is_attached_to_anew(wire: Wire) -> None:
    wire.turn()
    effects = wire.give(b'{"t":"verdict","n":1,"v":"out_of_order","last":8}')
    assert [type(e) for e in effects] == [Reconnect]


def test_a_verdict_that_the_welcome_did_not_bring_is_asked_for_at_the_next_ping(wire: Wire) -> None:
    ticket, frame = wire.turn()
    verdict, _ = wire.edge.command(frame)
    wire.edge.verdicts[0].clear()
    wire.reconnect()
    effects = wire.give(b'{"t":"ping","id":5,"rtt":31}')
    assert frames_of(effects) == [b'{"t":"pong","id":5}', frame]
    assert ticket in settled(wire.give(verdict))
    assert wire.client.rtt_ms == 31


def test_pings_are_answered_at_once(wire: Wire) -> None:
    assert wire.give(b'{"t":"ping","id":9,"rtt":null}') == [Send(b'{"t":"pong","id":9}')]


def test_an_engine_that_did_not_answer_costs_no_command(wire: Wire) -> None:
    ticket, frame = wire.turn()
    (effect,) = wire.give(b'{"t":"error","code":"unavailable","detail":"","n":1}')
    assert isinstance(effect, Reconnect)
    assert frames_of(wire.reconnect()) == [frame]
    verdict, event = wire.edge.command(frame)
    assert event is not None
    assert ticket in settled(wire.give(event, verdict))


def test_a_command_that_is_not_understood_fails_by_itself(wire: Wire) -> None:
    ticket, _ = wire.turn()
    failed, reconnect = wire.give(b'{"t":"error","code":"not_started","detail":"no hand yet","n":1}')
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, NotUnderstood)
    assert (failed.ticket, failed.error.code) == (ticket, "not_started")
    assert isinstance(reconnect, Reconnect)


def test_a_complaint_about_no_command_is_passed_on(wire: Wire) -> None:
    frame = b'{"t":"error","code":"ready_refused","detail":"no","n":null}'
    assert wire.give(frame) == [Complained("ready_refused", "no")]


def test_a_pause_is_told_and_keeps_commands(wire: Wire) -> None:
    wire.turn()
    wire.give(b'{"t":"paused"}')
    assert wire.client.paused
    assert wire.client.unanswered == 1
    wire.give(b'{"t":"going_on"}')
    assert not wire.client.paused


def test_who_watches_is_known_until_the_connection_is_another(wire: Wire) -> None:
    assert wire.client.watchers == 0
    wire.give(b'{"t":"watchers","count":3}')
    assert wire.client.watchers == 3
    wire.reconnect()
    assert wire.client.watchers == 0


def test_what_a_seat_says_is_passed_on_also_words_of_a_newer_edge(wire: Wire) -> None:
    assert wire.give(b'{"t":"emote","seat":1,"emote":"nice"}') == [Said(1, "nice")]
    assert wire.give(b'{"t":"emote","seat":1,"emote":"zounds"}') == [Said(1, "zounds")]


def test_an_older_table_does_not_replace_a_newer_one(wire: Wire) -> None:
    table = b'{"t":"table","table":{"id":"t1","version":%d,"state":"%s","seats":[]}}'
    wire.give(table % (7, b"ended"), table % (6, b"playing"))
    assert wire.client.table is not None
    assert wire.client.table.state == "ended"


def test_a_tables_first_event_follows_nothing() -> None:
    wire = Wire()
    wire.client.attach()
    wire.give(wire.edge.welcome(0, resumed=False, set_back=False), *wire.edge.log)
    assert wire.client.seq == 3
    assert wire.client.view.phase == "playing"


@pytest.mark.parametrize(
    "frame",
    [b"", b"[]", b"{}", b'{"t":"other"}', b'{"seq":4}', b'{"t":"verdict","n":1,"v":"perhaps"}', b'{"t":"snapshot"}'],
)
def test_what_is_not_the_protocol_is_refused(wire: Wire, frame: bytes) -> None:
    wire.turn()
    with pytest.raises(NotTheProtocol):
        wire.client.received(frame)
