"""The study's figures as SVG: readable on light and on dark ground, without a script or a font of their own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from tests.bench.fairness.tally import Share

_CELL: Final = 22
_LEFT: Final = 44
_TOP: Final = 44
_PANEL_GAP: Final = 34
_GRID_LINES: Final = 5
_STYLE: Final = (
    "text{font:11px system-ui,sans-serif;fill:#24292f}.t{font-weight:600}.m{text-anchor:middle}.e{text-anchor:end}"
    ".n{font-size:9px;text-anchor:middle}.q{fill-opacity:.55}.w{fill:#fff}.g{stroke:#8888;stroke-width:.5;fill:none}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}}"
)
_INKS: Final = ("#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7")
"""Okabe and Ito's, told apart by everyone."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One field of a picture: percent by row and column, the first row at the bottom."""

    title: str
    rows: Sequence[Sequence[float]]


def heat(label: str, across: str, up: str, steps: Sequence[int], panels: Sequence[Panel], ink: str) -> str:
    """Panels side by side, three in a row; ``steps`` (ms) of both axes."""
    side = _CELL * len(steps)
    columns = min(3, len(panels))
    lines = -(-len(panels) // columns)
    width = columns * (side + _LEFT + _PANEL_GAP) - _PANEL_GAP + 10
    high = side + _TOP + 40
    parts = []
    for i, panel in enumerate(panels):
        x, y = (i % columns) * (side + _LEFT + _PANEL_GAP) + _LEFT, (i // columns) * high + _TOP
        parts.append(f'<g transform="translate({x},{y})">{_panel(panel, across, up, steps, ink)}</g>')
    return _svg(width, lines * high, label, parts)


def _panel(panel: Panel, across: str, up: str, steps: Sequence[int], ink: str) -> str:
    side = _CELL * len(steps)
    parts = [f'<text class="t" y="-12">{escape(panel.title)}</text>']
    for row, values in enumerate(panel.rows):
        y = side - (row + 1) * _CELL
        for column, value in enumerate(values):
            x = column * _CELL
            if value >= 0.5:
                box = f'x="{x}" y="{y}" width="{_CELL}" height="{_CELL}"'
                parts.append(f'<rect {box} fill="{ink}" fill-opacity="{value / 100:.2f}"/>')
            kind = "n w" if value > 60 else "n" if value >= 0.5 else "n q"
            told = "<1" if 0 < value < 0.5 else f"{value:.0f}"
            parts.append(f'<text class="{kind}" x="{x + _CELL // 2}" y="{y + 14}">{escape(told)}</text>')
    parts.append(f'<rect class="g" width="{side}" height="{side}"/>')
    for i, step in enumerate(steps):
        if i % 2 == 0:
            middle = i * _CELL + _CELL // 2
            parts.append(f'<text class="n" x="{middle}" y="{side + 12}">{step}</text>')
            parts.append(f'<text class="n" x="-12" y="{side - middle + 3}">{step}</text>')
    parts.append(f'<text class="m" x="{side // 2}" y="{side + 27}">{escape(across)}</text>')
    parts.append(f'<text class="m" transform="translate(-28,{side // 2}) rotate(-90)">{escape(up)}</text>')
    return "".join(parts)


def lines(label: str, across: str, up: str, at: Sequence[int], series: Mapping[str, Sequence[Share]]) -> str:
    """One line for each name over ``at``, with whiskers of confidence; percent upwards."""
    width, high, right = 420, 240, 120
    most = max(share.interval[1] for shares in series.values() for share in shares)
    step = math.ceil(most / _GRID_LINES)
    top = step * math.ceil(most / step)

    def x(i: int) -> float:
        return i * width / (len(at) - 1)

    def y(percent: float) -> float:
        return high - percent * high / top

    parts = [f'<g transform="translate({_LEFT + 10},20)">']
    for value in range(0, top + 1, step):
        parts.append(f'<path class="g" d="M0 {y(value):.0f}H{width}"/>')
        parts.append(f'<text class="e" x="-6" y="{y(value) + 4:.0f}">{value}</text>')
    parts += [f'<text class="m" x="{x(i):.0f}" y="{high + 16}">{value}</text>' for i, value in enumerate(at)]
    parts.append(f'<text class="m" x="{width // 2}" y="{high + 34}">{escape(across)}</text>')
    parts.append(f'<text class="m" transform="translate(-36,{high // 2}) rotate(-90)">{escape(up)}</text>')
    ends = _apart({name: y(shares[-1].percent) for name, shares in series.items()})
    for (name, shares), ink in zip(series.items(), _INKS[: len(series)], strict=True):
        path = "L".join(f"{x(i):.1f} {y(share.percent):.1f}" for i, share in enumerate(shares))
        parts.append(f'<path d="M{path}" stroke="{ink}" stroke-width="2" fill="none"/>')
        for i, share in enumerate(shares):
            low, up_ = share.interval
            parts.append(f'<path d="M{x(i):.1f} {y(low):.1f}V{y(up_):.1f}" stroke="{ink}" stroke-opacity=".6"/>')
            parts.append(f'<circle cx="{x(i):.1f}" cy="{y(share.percent):.1f}" r="3" fill="{ink}"/>')
        end = ends[name]
        parts.append(f'<rect x="{width + 10}" y="{end - 4:.0f}" width="8" height="8" fill="{ink}"/>')
        parts.append(f'<text x="{width + 22}" y="{end + 4:.0f}">{escape(name)}</text>')
    parts.append("</g>")
    return _svg(_LEFT + 10 + width + right, high + 62, label, parts)


def _apart(heights: Mapping[str, float], least: float = 15.0) -> dict[str, float]:
    """Moved upwards as little as needed for no two labels to touch."""
    placed: dict[str, float] = {}
    above = float("inf")
    for name, height in sorted(heights.items(), key=lambda item: -item[1]):
        above = placed[name] = min(height, above - least)
    return placed


def _svg(width: int, high: int, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {high}" role="img" aria-label="{escape(label)}">'
        f"<style>{_STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )
