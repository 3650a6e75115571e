"""A benchmark's figures as one SVG: a row for each, every round a dot, on a scale that begins at nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from tests.bench.results import Figure, Samples

_ROW: Final = 38
_LEFT: Final = 16
_WIDTH: Final = 940
_SCALE: Final = 420
"""Pixels from nothing to the largest value of a row."""
_OURS: Final = "#0072b2"
_THEIRS: Final = "#d55e00"
_STYLE: Final = (
    "text{font:12px system-ui,sans-serif;fill:#24292f}.q{font-size:11px;fill-opacity:.7}.e{text-anchor:end}"
    "line{stroke:#8888}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}"
)


def picture(figures: Sequence[Figure], title: str) -> str:
    """The picture; dots are what was measured, rings the yardstick of the same round."""
    high = 44 + _ROW * len(figures)
    rows = [f'<g transform="translate({_LEFT},{52 + _ROW * i})">{_row(f)}</g>' for i, f in enumerate(figures)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {high}" width="{_WIDTH}" height="{high}" '
        f'role="img"><title>{escape(title)}</title><style>{_STYLE}</style>'
        f'<text x="{_LEFT}" y="20">{escape(title)} <tspan fill="{_OURS}">● measured</tspan> '
        f'<tspan fill="{_THEIRS}">○ yardstick</tspan></text>{"".join(rows)}</svg>\n'
    )


def _row(figure: Figure) -> str:
    both = [samples for samples in (figure.measured, figure.yardstick) if samples is not None]
    most = max((max(samples.values) for samples in both), default=0.0) or 1.0
    parts = [f'<line x2="{_SCALE}"/>', f'<text class="q" y="-8">{escape(f"{figure.id} {figure.what}"[:100])}</text>']
    if figure.yardstick is not None:
        parts.append(_dots(figure.yardstick, most, f'r="4.5" fill="none" stroke="{_THEIRS}" stroke-width="1.5"'))
    parts.append(_dots(figure.measured, most, f'r="3" fill="{_OURS}"'))
    told = f"{figure.measured} {figure.unit}"
    if figure.ratio is not None:
        told += f", ratio {figure.ratio}"
    if figure.bar:
        told += f", bar {figure.bar}"
    parts.append(f'<text x="{_SCALE + 14}" y="4">{escape(told)}</text>')
    return "".join(parts)


def _dots(samples: Samples, most: float, look: str) -> str:
    return "".join(f'<circle cx="{_SCALE * max(value, 0.0) / most:.1f}" {look}/>' for value in samples.values)
