"""Strict readers of decoded JSON: each takes a value and gives what it says, or raises an error.

Errors are TypeError, KeyError or ValueError; who reads turns them into its own.

>>> several(exactly(int))([1, 2])
(1, 2)
>>> exactly(int)(True)
Traceback (most recent call last):
TypeError: True is no int
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

_T = TypeVar("_T")


def exactly(kind: type[_T]) -> Callable[[Any], _T]:
    """A plain value: a bool is no int, a float neither."""

    def read(value: Any) -> _T:
        if type(value) is not kind:
            raise TypeError(f"{value!r} is no {kind.__name__}")
        return value

    return read


def optional(read: Callable[[Any], _T]) -> Callable[[Any], _T | None]:
    """What ``read`` takes, or null."""
    return lambda value: None if value is None else read(value)


def several(read: Callable[[Any], _T]) -> Callable[[Any], tuple[_T, ...]]:
    """An array of what ``read`` takes."""
    return lambda value: tuple(map(read, exactly(list)(value)))


def record(kind: type[_T], by_type: Mapping[Any, Callable[[Any], Any]]) -> Callable[[Any], _T]:
    """A dataclass from the object with its fields' names; ``by_type`` has the reader of each field's type."""
    plan = [(name, by_type[hint]) for name, hint in get_type_hints(kind).items()]
    return lambda value: kind(**{name: read(value[name]) for name, read in plan})
