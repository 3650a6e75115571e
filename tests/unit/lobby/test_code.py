"""Codes of tables: what is made, and what is understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.lobby.code import ALPHABET, LENGTH, new_code, read

codes = st.text(ALPHABET, min_size=LENGTH, max_size=LENGTH)


def test_a_new_code_is_read_as_itself_and_is_another_one_each_time() -> None:
    made = {new_code() for _ in range(1000)}
    assert len(made) == 1000
    assert all(read(code) == code for code in made)


def test_nothing_in_a_code_can_be_mistaken() -> None:
    assert len(set(ALPHABET)) == 32
    assert not set(ALPHABET) & set("ILOU")


@given(codes)
def test_a_code_is_understood_however_it_was_typed(code: str) -> None:
    typed = f" {code[:3].lower()}-{code[3:]} ".replace("0", "o").replace("1", "l")
    assert read(typed) == code
    assert read(typed.upper().replace("L", "I")) == code


@pytest.mark.parametrize("text", ["", "7KM4Q", "7KM4Q00", "7KM4QU", "7KM4Q!", "7KM4Q\u0660", "0123456789abcdef"])
def test_what_can_be_no_code_is_none(text: str) -> None:
    assert read(text) is None


@given(st.text(max_size=40))
def test_whatever_is_typed_is_a_code_or_none(text: str) -> None:
    assert read(text) is None or read(read(text) or "") == read(text)
