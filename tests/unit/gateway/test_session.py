"""The session core: what a client gets, in which order, and how much its word is worth."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.gateway import frames
from services.gateway.bucket import Rate
from services.gateway.commands import Outcome, Snapshot
from services.gateway.events import Run
from services.gateway.hearing import MOST_UNANSWERED
from services.gateway.session import Session
from services.gateway.story import MOST_HELD
from tests.unit.gateway.fakes import FakeShell, history, table_view

UNLIMITED = Rate(0, 1)
SNAPSHOT = Snapshot(3, "d", b'{"t":"snapshot","seq":3,"digest":"d"}')


class Client:
    """A session, its shell, and what a client sends."""

    def __init__(self, player: str | None = "ann", rate: Rate = UNLIMITED) -> None:
        self.shell = FakeShell()
        self.session = Session(self.shell, "t1", player, rate, 0.0)
        self.now = 0.0

    def sends(self, frame: object) -> None:
        raw = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        self.session.receive(raw, self.now, 5000 + int(self.now * 1000))

    def attaches(self, *, seat: bool = True) -> None:
        self.sends({"t": "attach", "seat": seat, "after": None, "n": 0})

    def is_welcomed(self, *, seat: int | None = 0, epoch: int | None = 1, **more: Any) -> None:
        self.session.welcome(view=table_view(), seat=seat, epoch=epoch, n=0, now_ms=1, **more)

    @property
    def got(self) -> list[dict[str, Any]]:
        return self.shell.received

    @property
    def types(self) -> list[str]:
        return [frame.get("t") or f"e{frame['seq']}" for frame in self.got]


def seated(**more: Any) -> Client:
    """A client in seat 0 that has seen three events."""
    client = Client()
    client.attaches()
    client.is_welcomed(snapshot=SNAPSHOT, **more)
    client.shell.sent.clear()
    return client


def turn(n: int = 1, seen: int = 3, digest: str = "d") -> dict[str, Any]:
    return {"t": "turn", "n": n, "hand": 1, "seen": seen, "digest": digest, "stock": 35}


def test_welcome_snapshot_verdicts_and_events_come_in_that_order() -> None:
    client = Client()
    client.attaches()
    events = history(6)
    for event in events[3:]:
        client.session.event(event)
    assert client.got == []
    client.is_welcomed(snapshot=SNAPSHOT, verdicts=[b'{"t":"verdict","n":1}', b'{"t":"verdict","n":2}'])
    assert client.types == ["welcome", "snapshot", "verdict", "verdict", "e4", "e5", "e6"]
    assert [frame["n"] for frame in client.got[2:4]] == [1, 2]


def test_a_resume_goes_on_after_the_last_event_without_a_snapshot() -> None:
    client = Client()
    client.attaches()
    events = history(6)
    for event in events[2:]:
        client.session.event(event)
    client.is_welcomed(resumed=True, after=2, events=events[2:5])
    assert client.types == ["welcome", "e3", "e4", "e5", "e6"]
    assert client.got[0]["resumed"] is True


def test_every_event_comes_once_and_in_order_whatever_is_delivered_twice() -> None:
    client = seated()
    for event in [*history(5)[3:], *history(5), *history(6)[5:]]:
        client.session.event(event)
    assert client.types == ["e4", "e5", "e6"]


def test_a_missing_event_ends_the_socket_rather_than_leaving_a_hole() -> None:
    client = seated()
    client.session.event(history(6)[5])
    assert client.got == []
    assert client.shell.closed is not None
    assert client.shell.closed[0] == 1001


def test_events_reach_the_client_to_the_byte() -> None:
    client = seated()
    events = history(6)
    client.session.event(events[3])
    client.session.told(Run.of(events[4:]))
    assert client.shell.sent == [event.payload for event in events[3:]]


def test_of_a_run_of_events_each_comes_once_and_in_order() -> None:
    client = Client()
    client.attaches()
    events = history(9)
    client.session.told(Run.of(events[1:4]))
    client.is_welcomed(snapshot=SNAPSHOT)
    for run in (events[2:5], events[5:7], events[:8], events[8:]):
        client.session.told(Run.of(run))
    assert client.types == ["welcome", "snapshot", "e4", "e5", "e6", "e7", "e8", "e9"]


def test_a_run_after_a_hole_ends_the_socket() -> None:
    client = seated()
    client.session.told(Run.of(history(7)[4:]))
    assert client.got == []
    assert client.shell.closed == (1001, "events are missing")


def test_too_many_events_while_attaching_end_the_socket() -> None:
    client = Client()
    client.attaches()
    for event in history(MOST_HELD + 1):
        client.session.event(event)
    assert client.shell.closed == (1001, "could not catch up")


def test_a_command_carries_the_sessions_seat_and_epoch_and_the_edges_time() -> None:
    client = seated()
    client.now = 2.0
    client.sends({**turn(), "seat": 1, "epoch": 99, "arrived": 1, "table": "other"})
    [command] = client.shell.commands
    assert (command.table, command.seat, command.epoch, command.arrived_ms) == ("t1", 0, 1, 7000)


@pytest.mark.parametrize("claimed", [4, 1000, 2**53 - 1])
def test_nobody_has_seen_what_was_not_sent(claimed: int) -> None:
    """Not even who knows its digest, from another socket perhaps."""
    client = seated()
    client.shell.digests[claimed] = "d"
    client.sends(turn(seen=claimed))
    assert client.shell.commands[0].seen == 3


@pytest.mark.parametrize("digest", ["", "another", "of 4", "d"])
def test_who_does_not_know_the_digest_of_what_is_under_way_has_not_seen_it(digest: str) -> None:
    client = seated()
    client.session.tick(0.0)
    client.sends({"t": "pong", "id": 1})
    for event in history(5)[3:]:
        client.session.event(event)
    client.shell.digests = {4: "of 4", 5: "of 5"}
    frame = turn(1, seen=5, digest=digest)
    client.sends(frame if digest else {name: said for name, said in frame.items() if name != "digest"})
    client.sends(turn(2, seen=5, digest="of 5"))
    assert [command.seen for command in client.shell.commands] == [3, 5]


def test_the_first_command_after_a_snapshot_counts_as_it_was_played() -> None:
    client = seated()
    client.sends(turn(1, seen=3, digest="another"))
    client.sends(turn(2, seen=3, digest="d"))
    assert [command.seen for command in client.shell.commands] == [0, 3]


def test_what_was_missed_and_told_anew_can_be_shown_before_a_pong_proves_it() -> None:
    client = Client()
    client.attaches()
    events = history(6)
    client.is_welcomed(resumed=True, after=2, events=events[2:])
    for n, seq in enumerate((3, 4, 5, 6), 1):
        client.sends(turn(n, seen=seq, digest=events[seq - 1].digest))
    client.sends(turn(5, seen=5, digest=events[5].digest))
    client.session.tick(0.0)
    client.sends({"t": "pong", "id": 1})
    client.sends(turn(6, seen=6, digest=""))
    assert [command.seen for command in client.shell.commands] == [3, 4, 5, 6, 2, 6]


@pytest.mark.parametrize("resumed", [True, False])
def test_a_command_that_is_sent_again_counts_as_it_was_played_however_long_ago(resumed: bool) -> None:
    client = Client()
    client.attaches()
    where: dict[str, Any] = {"resumed": True} if resumed else {"snapshot": Snapshot(5000, "d", b'{"t":"snapshot"}')}
    client.is_welcomed(after=900, **where)
    for n, seen in enumerate((0, 700, 900, 901), 1):
        client.sends(turn(n, seen=seen, digest="of long ago"))
    assert [command.seen for command in client.shell.commands] == [0, 700, 900, 900]


def test_who_comes_with_a_history_that_is_no_more_has_received_nothing_of_this_one() -> None:
    client = Client()
    client.attaches()
    client.is_welcomed(after=900, set_back=True, snapshot=SNAPSHOT)
    client.sends(turn(1, seen=2, digest="of another"))
    client.sends(turn(2, seen=3))
    assert [command.seen for command in client.shell.commands] == [0, 3]


def test_after_a_set_back_the_new_snapshot_can_be_shown_and_the_old_history_can_not() -> None:
    client = seated()
    client.session.history_lost()
    client.session.set_back(0, 2, Snapshot(2, "new", b'{"t":"snapshot"}'))
    client.sends(turn(1, seen=2, digest="d"))
    client.sends(turn(2, seen=2, digest="new"))
    assert [command.seen for command in client.shell.commands] == [0, 2]


def test_what_a_pong_has_proven_was_seen() -> None:
    client = seated()
    for event in history(7)[3:5]:
        client.session.event(event)
    client.session.tick(0.0)
    for event in history(7)[5:]:
        client.session.event(event)
    client.sends(turn(1, seen=0))
    client.sends({"t": "pong", "id": 1})
    client.sends(turn(2, seen=0))
    client.shell.digests[6] = "of 6"
    client.sends(turn(3, seen=6, digest="of 6"))
    assert [command.seen for command in client.shell.commands] == [0, 5, 6]


@pytest.mark.parametrize("forged", [0, 2, 7, 10**9])
def test_a_pong_to_no_ping_proves_nothing(forged: int) -> None:
    client = seated()
    client.session.tick(0.0)
    client.sends({"t": "pong", "id": forged})
    client.sends(turn(1, seen=0))
    assert client.shell.commands[0].seen == 0


def test_a_ping_tells_the_last_round_trip() -> None:
    client = seated()
    client.session.tick(0.0)
    client.now = 0.031
    client.sends({"t": "pong", "id": 1})
    client.session.tick(0.25)
    assert [frame["rtt"] for frame in client.got] == [None, 31]


def test_pings_come_sooner_right_after_attaching() -> None:
    client = seated()
    assert [client.session.tick(0.0) for _ in range(6)] == [0.25, 0.25, 0.5, 1.0, 2.0, 2.0]


@pytest.mark.parametrize("last_pong", [0.0, 0.3, 3.1, 7.9])
def test_a_silent_network_is_noticed_within_ten_seconds(last_pong: float) -> None:
    client = seated()
    now, pings = 0.0, 0
    while client.shell.closed is None:
        delay = client.session.tick(now)
        pings += 1
        if delay is not None and now <= last_pong < now + delay:
            client.now = last_pong
            client.sends({"t": "pong", "id": pings})
        if client.shell.closed is None:
            now += delay or 0.0
        assert now < last_pong + 10.3
    assert client.shell.closed[0] == 4008
    assert now >= last_pong + 10


def test_a_client_that_answers_is_never_taken_for_silent() -> None:
    client = seated()
    for second in range(60):
        client.now = float(second)
        client.session.tick(client.now)
        client.sends({"t": "pong", "id": second + 1})
    assert client.shell.closed is None


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"nonsense",
        b"[]",
        b"7",
        b"null",
        b"{}",
        b'{"t":"dance"}',
        b'{"t":["play"]}',
        b'{"t":"turn"}',
        b'{"t":"turn","n":1,"hand":1,"seen":1}',
        b'{"t":"turn","n":"1","hand":1,"seen":1,"stock":35}',
        b'{"t":"turn","n":1.5,"hand":1,"seen":1,"stock":35}',
        b'{"t":"turn","n":true,"hand":1,"seen":1,"stock":35}',
        b'{"t":"turn","n":0,"hand":1,"seen":1,"stock":35}',
        b'{"t":"turn","n":-1,"hand":1,"seen":1,"stock":35}',
        b'{"t":"turn","n":1,"hand":1,"seen":-1,"stock":35}',
        b'{"t":"turn","n":1,"hand":1,"seen":99999999999999999999999999,"stock":35}',
        b'{"t":"turn","n":1e400,"hand":1,"seen":1,"stock":35}',
        b'{"t":"turn","n":1,"hand":1,"seen":NaN,"stock":35}',
        b'{"t":"turn","n":1,"hand":1,"seen":1,"stock":53}',
        b'{"t":"turn","n":null,"hand":1,"seen":1,"stock":35}',
        b'{"t":"play","n":1,"hand":1,"seen":1,"from":"demon","card":"ZZ","to":null}',
        b'{"t":"play","n":1,"hand":1,"seen":1,"from":"demon","card":"","to":null}',
        b'{"t":"play","n":1,"hand":1,"seen":1,"from":"stock","card":"AS","to":null}',
        b'{"t":"play","n":1,"hand":1,"seen":1,"from":"demon","card":"AS","to":-1}',
        b'{"t":"move","n":1,"hand":1,"seen":1,"from":"demon","card":"AS","to":"c4"}',
        b'{"t":"move","n":1,"hand":1,"seen":1,"from":"demon","card":"AS","to":2}',
        b'{"t":"vote","n":1,"hand":1,"seen":1,"choice":"win","progress":1}',
        b'{"t":"ready","ready":"yes"}',
        b'{"t":"ready","ready":true,"nonce":""}',
        b'{"t":"ready","ready":true,"nonce":"\\u202e"}',
        b'{"t":"ready","ready":true,"nonce":"%s"}' % (b"x" * 65),
        b'{"t":"pong","id":"1"}',
        b'{"t":"turn","n":1,"hand":1,"seen":1,"stock":35,"x":' + b"[" * 2000 + b"]" * 2000 + b"}",
        b"\xff\xfe\x00",
        b'{"t":"turn","n":1,"hand":1,"seen":1,"stock":35',
    ],
)
def test_a_bad_frame_is_answered_and_changes_nothing(raw: bytes) -> None:
    client = seated()
    client.sends(raw)
    assert [(frame["t"], frame["code"]) for frame in client.got] == [("error", "bad_frame")]
    assert client.shell.commands == []
    assert client.shell.readies == []
    client.sends(turn())
    assert len(client.shell.commands) == 1


def test_a_bad_command_is_answered_under_its_number() -> None:
    client = seated()
    client.sends({"t": "play", "n": 7, "hand": 1, "seen": 3, "from": "demon", "card": "1S", "to": None})
    assert client.got[0]["n"] == 7


def test_fields_that_are_not_known_yet_are_ignored() -> None:
    client = seated()
    client.sends({**turn(), "haptic": True, "client": {"name": "new"}})
    assert len(client.shell.commands) == 1


def test_a_binary_frame_is_no_frame() -> None:
    client = seated()
    client.session.receive_binary(0.0)
    assert client.got[0]["code"] == "bad_frame"


def test_a_spectator_has_no_commands() -> None:
    client = Client(player=None)
    client.attaches(seat=False)
    client.is_welcomed(seat=None, epoch=None, snapshot=SNAPSHOT)
    client.shell.sent.clear()
    client.sends(turn(4))
    client.sends({"t": "ready", "ready": True})
    assert [(frame["code"], frame["n"]) for frame in client.got] == [("not_seated", 4), ("not_seated", None)]
    assert client.shell.commands == []
    assert client.shell.readies == []


def test_nothing_but_attach_comes_first() -> None:
    client = Client()
    client.sends(turn())
    client.sends({"t": "ready", "ready": True})
    assert [frame["code"] for frame in client.got] == ["not_attached", "not_attached"]


def test_a_second_attach_is_refused() -> None:
    client = seated()
    client.attaches()
    assert client.got[0]["code"] == "already_attached"
    assert len(client.shell.attaches) == 1


def test_what_comes_before_the_welcome_waits_for_it() -> None:
    client = Client()
    client.attaches()
    client.sends(turn(1))
    client.sends(turn(2))
    assert client.shell.commands == []
    client.is_welcomed(snapshot=SNAPSHOT)
    client.session.drain(0.0)
    assert [command.n for command in client.shell.commands] == [1, 2]


def test_a_table_without_a_hand_has_no_commands_until_its_first_hand_is_prepared() -> None:
    client = Client()
    client.attaches()
    client.is_welcomed(epoch=None)
    client.sends(turn(1))
    assert client.got[-1]["code"] == "not_started"
    client.session.event(history(1)[0])
    assert client.shell.seats_taken == 1
    client.sends(turn(1, seen=1))
    assert client.shell.commands == []
    client.session.seated(5)
    client.session.drain(0.0)
    assert [(command.n, command.epoch) for command in client.shell.commands] == [(1, 5)]


def test_a_verdict_passes_as_it_is() -> None:
    client = seated()
    client.sends(turn())
    client.session.verdict(Outcome.APPLIED, b'{"t":"verdict","n":1,"v":"applied","seq":4}', 0.0)
    assert client.shell.sent == [b'{"t":"verdict","n":1,"v":"applied","seq":4}']


def test_more_unanswered_commands_than_allowed_wait() -> None:
    client = seated()
    for n in range(1, MOST_UNANSWERED + 11):
        client.sends(turn(n))
    assert len(client.shell.commands) == MOST_UNANSWERED
    client.session.verdict(Outcome.APPLIED, b"{}", 0.0)
    assert len(client.shell.commands) == MOST_UNANSWERED + 1


def test_a_number_that_is_on_its_way_counts_once_among_the_unanswered() -> None:
    client = seated()
    client.sends(turn(1))
    client.shell.on_its_way.add(1)
    for _ in range(2 * MOST_UNANSWERED):
        client.sends(turn(1))
    client.session.verdict(Outcome.APPLIED, b"{}", 0.0)
    client.sends(turn(2))
    assert [command.n for command in client.shell.commands] == [1, 2]


def test_a_socket_whose_epoch_was_lost_finds_out_where_it_stands() -> None:
    """Its commands come to a log that was set back before anybody compares histories: nobody has taken the seat."""
    client = seated()
    client.session.verdict(Outcome.SET_BACK, b"{}", 0.0)
    assert client.shell.closed is None
    assert client.shell.recoveries == 1


def test_a_socket_that_lost_its_seat_is_told_so() -> None:
    client = seated()
    client.session.verdict(Outcome.TAKEN_OVER, b"{}", 0.0)
    assert client.shell.closed == (4009, "taken over by another socket")


@pytest.mark.parametrize(("seat", "epoch", "closed"), [(0, 2, True), (0, 1, False), (0, 0, False), (1, 9, False)])
def test_only_a_newer_socket_of_the_same_seat_takes_over(seat: int, epoch: int, closed: bool) -> None:
    client = seated()
    client.session.taken_over(seat, epoch)
    assert (client.shell.closed is not None) is closed


def test_a_socket_that_is_taken_over_while_it_attaches_is_told_once_it_has() -> None:
    client = Client()
    client.attaches()
    client.session.taken_over(0, 1)
    client.session.taken_over(0, 2)
    client.is_welcomed(snapshot=SNAPSHOT, epoch=1)
    assert client.shell.closed == (4009, "taken over by another socket")


def test_after_a_lost_history_the_client_is_set_back_and_then_told_the_new_one() -> None:
    client = seated()
    client.sends(turn(1))
    client.session.history_lost()
    assert client.shell.recoveries == 1
    client.session.event(history(3, "new")[1])
    client.session.event(history(3, "new")[2])
    client.sends(turn(2, seen=3, digest=history(3, "new")[2].digest))
    assert client.got == []
    client.session.set_back(0, 2, Snapshot(2, "d", b'{"t":"snapshot","seq":2}'))
    assert client.types == ["set_back", "snapshot", "e3"]
    client.shell.digests[3] = history(3, "new")[2].digest
    client.sends(turn(1, seen=3, digest=client.shell.digests[3]))
    client.session.drain(0.0)
    assert {(command.epoch, command.seen) for command in client.shell.commands[1:]} == {(2, 3)}


def test_a_history_that_is_lost_while_a_socket_attaches_is_put_right_after_the_welcome() -> None:
    client = Client()
    client.attaches()
    client.session.history_lost()
    client.session.event(history(2, "new")[1])
    client.is_welcomed(snapshot=SNAPSHOT)
    assert client.types == ["welcome", "snapshot"]
    assert client.shell.recoveries == 1
    client.session.set_back(0, 2, Snapshot(1, "d", b'{"t":"snapshot","seq":1}'))
    assert client.types == ["welcome", "snapshot", "set_back", "snapshot", "e2"]


def test_a_paused_table_says_so_once_and_once_when_it_goes_on() -> None:
    client = seated()
    for paused in (True, True, False, False):
        client.session.paused(paused)
    assert client.types == ["paused", "going_on"]


def test_a_socket_that_attaches_at_a_paused_table_is_told_after_the_welcome() -> None:
    client = Client()
    client.attaches()
    client.session.paused(True)
    client.is_welcomed(snapshot=SNAPSHOT)
    assert client.types == ["welcome", "snapshot", "paused"]


def test_a_changed_table_is_sent_whole_and_never_an_older_one_after_a_newer() -> None:
    client = seated()
    for version in (3, 2, 3, 4):
        client.session.table(table_view(version))
    assert [frame["table"]["version"] for frame in client.got] == [3, 4]


def test_a_table_that_changes_while_a_socket_attaches_is_told_after_the_welcome() -> None:
    client = Client()
    client.attaches()
    client.session.table(table_view(7))
    client.is_welcomed(snapshot=SNAPSHOT)
    assert client.types == ["welcome", "snapshot", "table"]
    assert client.got[-1]["table"]["version"] == 7


def test_the_invite_is_for_those_seated_only() -> None:
    here, elsewhere = seated(), Client(player="eve")
    elsewhere.attaches(seat=False)
    elsewhere.is_welcomed(seat=None, epoch=None)
    assert elsewhere.got[0]["table"]["invite"] == ""
    here.session.table(table_view(2))
    assert here.got[0]["table"]["invite"] == "come-in"


def test_a_closed_table_ends_the_socket_after_saying_so() -> None:
    client = seated()
    client.session.table(table_view(2, state="closed"))
    assert client.types == ["table"]
    assert client.shell.closed == (4010, "the table is closed")


def test_a_player_who_lost_the_seat_is_told_so() -> None:
    client = seated()
    client.session.table(table_view(2, players=("bot", "bob")))
    assert client.shell.closed == (4003, "not your seat any more")


def test_a_player_who_is_taken_for_absent_says_that_it_is_here() -> None:
    client = seated()
    client.session.table(table_view(2, present=False))
    assert client.shell.presences == 1


def test_frames_over_the_rate_wait_and_are_taken_in_order() -> None:
    client = Client(rate=Rate(10, 5))
    client.attaches()
    client.is_welcomed(snapshot=SNAPSHOT)
    for n in range(1, 11):
        client.sends(turn(n))
    assert len(client.shell.commands) == 4
    assert client.shell.wakes[-1] == pytest.approx(0.1)
    for tenth in range(1, 7):
        client.session.drain(tenth / 10 + 0.001)
    assert [command.n for command in client.shell.commands] == list(range(1, 11))


def test_refused_commands_cost_more() -> None:
    def accepted(outcome: Outcome) -> int:
        client = Client(rate=Rate(10, 21))
        client.attaches()
        client.is_welcomed(snapshot=SNAPSHOT)
        for n in range(1, 21):
            client.sends(turn(n))
            client.session.verdict(outcome, b"{}", 0.0)
        return len(client.shell.commands)

    assert accepted(Outcome.APPLIED) == 20
    assert accepted(Outcome.REFUSED) < 10


def test_a_flood_stops_the_reading_and_then_ends_the_socket() -> None:
    client = Client(rate=Rate(10, 5))
    client.attaches()
    client.is_welcomed(snapshot=SNAPSHOT)
    n = 0
    while client.shell.closed is None:
        while client.shell.reading and client.shell.closed is None:
            n += 1
            client.sends({"t": "ping", "id": n})
        client.now += 0.1
        client.session.drain(client.now)
        assert client.now < 12
    assert client.shell.closed == (4029, "too many frames")
    assert client.now > 9


def test_a_client_that_waits_for_its_answers_is_slowed_down_but_never_thrown_out() -> None:
    client = Client(rate=Rate(10, 5))
    client.attaches()
    client.is_welcomed(snapshot=SNAPSHOT)
    for n in range(1, 500):
        client.sends(turn(n))
        while len(client.shell.commands) < n:
            client.now += client.shell.wakes[-1] + 1e-6
            client.session.drain(client.now)
        client.session.verdict(Outcome.APPLIED, b"{}", client.now)
    assert client.shell.closed is None
    assert client.now > 40


def test_a_pause_of_ours_is_no_flood_of_theirs() -> None:
    client = Client(rate=Rate(0, 1))
    client.attaches()
    client.is_welcomed(snapshot=SNAPSHOT)
    n = 0
    while client.shell.reading:
        n += 1
        client.sends(turn(n))
    for second in range(60):
        client.now = float(second)
        client.session.drain(client.now)
        client.session.tick(client.now)
    assert client.shell.closed is None


def test_an_emote_goes_out_under_the_sessions_own_seat() -> None:
    client = seated()
    client.sends({"t": "emote", "emote": "well_played", "seat": 1})
    assert client.shell.emotes == [frames.EmoteOut(0, "well_played")]
    assert client.got == []


def test_a_seat_has_one_emote_at_once_and_then_three_if_it_has_been_quiet() -> None:
    client = seated()

    def passed(times: int) -> int:
        before = len(client.shell.emotes)
        for _ in range(times):
            client.sends({"t": "emote", "emote": "nice"})
        return len(client.shell.emotes) - before

    assert passed(3) == 1
    assert [frame["code"] for frame in client.got] == ["too_many_emotes"] * 2
    client.now = 2.0
    assert passed(3) == 1
    client.now = 60.0
    assert passed(5) == 3


def test_emotes_cost_nothing_of_what_plays_have() -> None:
    client = Client(rate=Rate(1, 3))
    client.attaches()
    client.is_welcomed(snapshot=SNAPSHOT)
    client.sends({"t": "emote", "emote": "hello"})
    client.sends(turn(1))
    client.sends(turn(2))
    assert len(client.shell.emotes) == 1
    assert len(client.shell.commands) == 2


def test_a_watcher_has_no_emotes_and_nobody_has_unknown_ones() -> None:
    watcher = Client(player=None)
    watcher.attaches(seat=False)
    watcher.is_welcomed(seat=None, epoch=None)
    watcher.sends({"t": "emote", "emote": "nice"})
    player = seated()
    player.sends({"t": "emote", "emote": "rude"})
    assert watcher.got[-1]["code"] == "not_seated"
    assert player.got[-1]["code"] == "bad_frame"
    assert watcher.shell.emotes == player.shell.emotes == []


def test_company_is_told_to_who_was_welcomed_and_a_count_only_when_it_is_another() -> None:
    client = Client()
    client.session.emote(b'{"t":"emote","seat":1,"emote":"wow"}')
    client.session.watchers(2)
    client.attaches()
    assert client.got == []
    client.is_welcomed()
    client.shell.sent.clear()
    for count in (0, 2, 2, 1, 0):
        client.session.watchers(count)
    client.session.emote(b'{"t":"emote","seat":1,"emote":"wow"}')
    assert [frame.get("count") for frame in client.got] == [2, 1, 0, None]
    assert client.got[-1] == {"t": "emote", "seat": 1, "emote": "wow"}


def test_nothing_is_written_after_the_end() -> None:
    client = seated()
    client.session.close(1001, "going away")
    client.session.event(history(4)[3])
    client.session.verdict(Outcome.APPLIED, b"{}", 0.0)
    client.session.table(table_view(9))
    client.session.paused(True)
    client.sends(turn())
    assert client.got == []
    assert client.session.tick(1.0) is None
