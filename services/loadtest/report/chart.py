"""Line charts as the template draws them: what lies where, in SVG units. Pure; knows nothing of what the lines mean.

>>> chart = Chart("a", "s", "ms", [Line("x", [(0, 1.0), (1, 3.0)])])
>>> [tick.text for tick in chart.y_ticks]
['0', '1', '2', '3']
>>> chart.paths[0].d
'M44 137.3L552 12'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 560
HEIGHT: Final = 220
LEFT, RIGHT, TOP, BOTTOM = 44, 552, 12, 200
_TICKS: Final = 5
_NICE: Final = (1, 2, 2.5, 5, 10)

Point = tuple[float, float | None]


@dataclass(frozen=True, slots=True)
class Line:
    """A named line; a point without a value is a gap in it."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis, and where."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Path:
    """A line as SVG, the number of its colour, and what the legend says of it."""

    name: str
    d: str
    colour: int
    last: str
    most: str


class Chart:
    """Lines over one another. ``log`` draws values, ``tail`` percentiles, so that the last ones are seen best."""

    def __init__(
        self,
        title: str,
        x_unit: str,
        unit: str,
        lines: Sequence[Line],
        *,
        log: bool = False,
        tail: bool = False,
        note: str = "",
    ) -> None:
        self.title = title
        self.unit = unit
        self.x_unit = x_unit
        self.note = note
        lines = [line for line in lines if any(y is not None for _, y in line.points)]
        self.empty = not lines
        xs = [x for line in lines for x, _ in line.points]
        ys = [y for line in lines for _, y in line.points if y is not None]
        self._x = _tail_scale() if tail else _linear(min(xs, default=0.0), max(xs, default=1.0), LEFT, RIGHT)
        self._y, self.y_ticks = (_log_axis if log else _linear_axis)(ys)
        self.x_ticks = _tail_ticks(self._x) if tail else _plain_ticks(xs, self._x)
        self.paths = [
            Path(line.name, self._path(line.points), i, *_said([y for _, y in line.points if y is not None]))
            for i, line in enumerate(lines)
        ]

    def _path(self, points: Sequence[Point]) -> str:
        parts, drawing = [], False
        for x, y in points:
            if y is None:
                drawing = False
                continue
            parts.append(f"{'L' if drawing else 'M'}{_short(self._x(x))} {_short(self._y(y))}")
            drawing = True
        return "".join(parts)


def number(value: float) -> str:
    """A figure in as few characters as still say it.

    >>> [number(n) for n in (0, 0.034, 4.25, 18.0, 1234.5, 2500000)]
    ['0', '0.034', '4.2', '18', '1,234', '2.5 M']
    """
    if abs(value) >= 1_000_000:
        return f"{value / 1_000_000:.3g} M"
    if abs(value) >= 100 or value == round(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 1 else f"{value:.2g}"


def _said(values: Sequence[float]) -> tuple[str, str]:
    return number(values[-1]), number(max(values))


def _linear(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def _linear_axis(values: Sequence[float]) -> tuple[Callable[[float], float], list[Tick]]:
    step = _step(max(values, default=1.0) or 1.0)
    most = step * math.ceil((max(values, default=1.0) or 1.0) / step)
    scale = _linear(0, most, BOTTOM, TOP)
    return scale, [Tick(scale(step * i), number(step * i)) for i in range(round(most / step) + 1)]


def _log_axis(values: Sequence[float]) -> tuple[Callable[[float], float], list[Tick]]:
    low = 10.0 ** math.floor(math.log10(max(0.01, min(values, default=1.0))))
    high = max(low * 10, 10.0 ** math.ceil(math.log10(max(0.01, max(values, default=1.0)))))
    plain = _linear(math.log10(low), math.log10(high), BOTTOM, TOP)

    def scale(value: float) -> float:
        return plain(math.log10(max(low, value)))

    decades = round(math.log10(high / low))
    return scale, [Tick(scale(low * 10**i), number(low * 10**i)) for i in range(decades + 1)]


def _plain_ticks(xs: Sequence[float], scale: Callable[[float], float]) -> list[Tick]:
    if not xs:
        return []
    step = _step(max(xs) - min(xs) or 1.0)
    first = math.ceil(min(xs) / step)
    return [Tick(scale(step * i), number(step * i)) for i in range(first, math.floor(max(xs) / step) + 1)]


_TAIL: Final = (0.0, 50.0, 90.0, 99.0, 99.9, 99.99)


def _tail_scale() -> Callable[[float], float]:
    """Percentiles by how many nines they have; the most (100) lies at the end."""
    plain = _linear(0, 4, LEFT, RIGHT)
    return lambda percentile: plain(min(4.0, -math.log10(max(1e-4, 1 - percentile / 100))))


def _tail_ticks(scale: Callable[[float], float]) -> list[Tick]:
    return [Tick(scale(percentile), f"{percentile:g} %") for percentile in _TAIL]


def _step(span: float) -> float:
    rough = span / _TICKS
    unit = 10.0 ** math.floor(math.log10(rough))
    return next(nice * unit for nice in _NICE if nice * unit >= rough)


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
