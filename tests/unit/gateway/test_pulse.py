"""Pings and pongs: what they prove, and who counts as silent."""

from __future__ import annotations

from services.gateway.pulse import EVERY_SECONDS, MOST_OPEN, SILENT_SECONDS, Pulse


def test_a_pong_proves_all_that_was_sent_before_its_ping() -> None:
    pulse = Pulse(0.0)
    first, second = pulse.ping(0.0, sent=5), pulse.ping(1.0, sent=9)
    assert pulse.pong(second, 1.25) == 0.25
    assert (pulse.proven, pulse.rtt_ms) == (9, 250)
    assert pulse.pong(first, 1.5) is None
    assert pulse.proven == 9


def test_a_claim_is_bounded_by_what_was_sent_and_what_is_proven() -> None:
    pulse = Pulse(0.0)
    pulse.pong(pulse.ping(0.0, sent=5), 0.1)
    assert [pulse.bounded(seen, sent=9, shown=True) for seen in (3, 5, 7, 9, 12)] == [5, 5, 7, 9, 9]


def test_a_claim_that_is_not_shown_is_believed_up_to_what_has_been_received() -> None:
    pulse = Pulse(0.0)
    assert [pulse.bounded(seen, sent=9, shown=False) for seen in (0, 1, 9)] == [0, 0, 0]
    pulse.received = 4
    assert [pulse.bounded(seen, sent=9, shown=False) for seen in (0, 3, 4, 9)] == [0, 3, 4, 4]
    pulse.pong(pulse.ping(0.0, sent=6), 0.1)
    assert [pulse.bounded(seen, sent=9, shown=False) for seen in (0, 6, 7, 9)] == [6, 6, 6, 6]


def test_nothing_is_proven_of_a_history_that_came_after() -> None:
    pulse = Pulse(0.0)
    pulse.received = 4
    open_ping = pulse.ping(0.0, sent=6)
    pulse.pong(pulse.ping(0.0, sent=5), 0.1)
    pulse.forget()
    assert pulse.pong(open_ping, 0.2) is None
    assert [pulse.bounded(seen, sent=9, shown=shown) for seen in (0, 4, 6) for shown in (True, False)] == [
        *(0, 0),
        *(4, 0),
        *(6, 0),
    ]


def test_without_pongs_a_socket_falls_silent() -> None:
    pulse = Pulse(0.0)
    pulse.ping(0.0, sent=0)
    assert not pulse.silent(SILENT_SECONDS - 0.1)
    assert pulse.silent(SILENT_SECONDS)


def test_who_answers_ever_older_pings_is_silent_in_the_end_and_costs_no_memory() -> None:
    pulse = Pulse(0.0)
    waiting: list[int] = []
    sent = 0
    while not pulse.silent(sent * EVERY_SECONDS):
        waiting.append(pulse.ping(sent * EVERY_SECONDS, sent=0))
        sent += 1
        if sent % 4 == 0:
            pulse.pong(waiting.pop(0), sent * EVERY_SECONDS)
        assert sent < 1000
    assert len(waiting) > MOST_OPEN
