from __future__ import annotations

import pytest

from services.client.hand_log import NotALog, parse


def test_the_bytes_of_each_event_are_kept_but_for_blanks_between_them() -> None:
    assert parse(b'{"events": [{"seq": 1,"a":"\\u00e9 "}, {"seq":2}]}') == [b'{"seq":1,"a":"\\u00e9 "}', b'{"seq":2}']


def test_a_bare_list_of_events_is_a_log_too() -> None:
    assert parse(b' [{"seq":1}]') == [b'{"seq":1}']


@pytest.mark.parametrize("text", [b"", b"{}", b"[1", b'{"events": 3}', b"\xff", b"[" * 5_000 + b"]" * 5_000])
def test_anything_else_is_refused(text: bytes) -> None:
    with pytest.raises(NotALog):
        parse(text)
