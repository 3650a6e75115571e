from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.errors import InvalidArgument
from services.scoring.pages import Place, page_size, read_token, write_token

ids = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=100)


@given(st.one_of(st.just(""), ids), st.integers(0, 2**53), ids)
def test_a_token_gives_back_its_place(player: str, started_ms: int, match: str) -> None:
    place = Place(started_ms, match)
    assert read_token(write_token(player, place), player) == place


def test_no_token_is_the_first_page() -> None:
    assert read_token("", "p1") is None


@given(st.text(min_size=1))
def test_whatever_is_no_token_is_a_bad_page(text: str) -> None:
    with pytest.raises(InvalidArgument) as fault:
        read_token(text, "")
    assert fault.value.reason == "BAD_PAGE"


@given(st.integers(0, 30), st.integers(0, 255))
def test_a_changed_token_is_a_token_or_a_bad_page_and_nothing_else(at: int, byte: int) -> None:
    token = write_token("", Place(1, "m"))
    changed = token[:at] + chr(byte) + token[at + 1 :]
    with suppress(InvalidArgument):
        assert isinstance(read_token(changed, ""), Place)


def test_a_token_is_good_for_its_own_list_only() -> None:
    with pytest.raises(InvalidArgument):
        read_token(write_token("p1", Place(1, "m")), "p2")


def test_a_page_has_20_entries_unless_asked_and_at_most_100() -> None:
    assert (page_size(0), page_size(1), page_size(100)) == (20, 1, 100)
    for limit in (-1, 101):
        with pytest.raises(InvalidArgument) as fault:
            page_size(limit)
        assert fault.value.reason == "BAD_PAGE"
