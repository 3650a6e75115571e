from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from services.rules.readers import exactly, optional, record, several


@dataclass(frozen=True)
class Pair:
    left: int
    right: str


pair = record(Pair, {int: exactly(int), str: exactly(str)})


def test_a_value_is_what_it_says() -> None:
    assert several(optional(exactly(int)))([1, None]) == (1, None)
    assert pair({"left": 1, "right": "x", "more": True}) == Pair(1, "x")


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (exactly(int), True),
        (exactly(int), 1.0),
        (exactly(int), None),
        (exactly(bool), 1),
        (exactly(str), b"x"),
        (several(exactly(int)), (1, 2)),
        (several(exactly(str)), "xy"),
        (pair, {"left": 1}),
        (pair, {"left": "1", "right": "x"}),
        (pair, [1, "x"]),
    ],
)
def test_anything_else_is_an_error(read: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises((TypeError, KeyError)):
        read(value)
