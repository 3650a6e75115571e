"""Names: shown safely, never invisible, never somebody that speaks for the platform."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.names import LONGEST, BadName, clean


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("Ada", "Ada"),
        ("  Ada \t", "Ada"),
        ("Ａｄａ", "Ada"),  # noqa: RUF001
        ("Ana María", "Ana María"),
        ("李小龍", "李小龍"),
        ("عمر", "عمر"),
        ("Łukasz-7", "Łukasz-7"),
        ("é" * 20, "é" * 20),
        ("e\u0301" * 20, "é" * 20),
        ("😀", "😀"),
    ],
)
def test_names_of_people_are_taken(given_name: str, name: str) -> None:
    assert clean(given_name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\u00a0\u2003",
        "\u3164",
        "\u2800",
        "\u115f",
        "\u200b",
        "a\u200bb",
        "a\u200db",
        "\u202eadA",
        "a\u2066b",
        "a\x00b",
        "a\nb",
        "\ufeffAda",
        "\u0301",
        "a" + "\u0301" * 10,
        "x" * 21,
        "x" * 100_000,
        "\ue000",
        "\ud800",
    ],
)
def test_names_that_cannot_be_seen_or_deface_the_page_are_refused(name: str) -> None:
    with pytest.raises(BadName):
        clean(name)


@pytest.mark.parametrize(
    "name",
    ["system", "SYSTEM", "S y s t e m", "sys.tem", "ѕуѕtеm", "5y5tem", "$ystem", "sýstém", "ａｄｍｉｎ", "Ρandemonium"],  # noqa: RUF001
)
def test_names_that_look_like_the_platforms_own_are_refused(name: str) -> None:
    with pytest.raises(BadName):
        clean(name)


@given(st.text(max_size=60))
def test_whatever_is_taken_can_be_seen_and_is_stable(name: str) -> None:
    try:
        taken = clean(name)
    except BadName:
        return
    assert clean(taken) == taken
    assert not any(unicodedata.category(character)[0] == "C" for character in taken)
    assert 1 <= sum(unicodedata.category(character)[0] != "M" for character in taken) <= LONGEST
    assert taken == taken.strip()
