"""An event's number and digest, read off its bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from services.gateway.events import NotAnEvent, follows, read
from services.rules import events as rules_events
from tests.unit.gateway.fakes import history


def test_number_and_digest_are_read_without_parsing() -> None:
    for number, event in enumerate(history(12), start=1):
        assert (event.seq, event.digest) == (number, event.payload[-18:-2].decode())


def test_each_event_follows_the_one_before_and_no_other() -> None:
    events = history(4)
    assert follows(events[0], "")
    assert all(follows(later, earlier.digest) for earlier, later in pairwise(events))
    assert not follows(events[2], events[0].digest)
    assert not follows(history(4, "other")[3], events[2].digest)


def test_the_chain_is_the_rules_chain() -> None:
    body = '{"seq":1,"at":5,"e":"start","hand":1'
    sealed = rules_events.seal(body, rules_events.digest("", body))
    assert follows(read(sealed.encode()), "")


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{}",
        b'{"seq":1}',
        b'{"seq":-1,"digest":"0123456789abcdef"}',
        b'{"seq":"1","digest":"0123456789abcdef"}',
        b'{"seq":1,"digest":"0123"}',
        b'{"t":"verdict","n":1,"digest":"0123456789abcdef"}',
    ],
)
def test_other_bytes_are_no_events(payload: bytes) -> None:
    with pytest.raises(NotAnEvent):
        read(payload)
