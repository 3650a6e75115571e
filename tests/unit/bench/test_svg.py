from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.bench.fairness.svg import Panel, heat, lines
from tests.bench.fairness.tally import Share

PICTURES = sorted(Path("docs/pictures").glob("fairness-*.svg"))


def _texts(svg: str) -> list[str | None]:
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_heat_map_tells_each_value_and_not_only_its_colour() -> None:
    svg = heat("label", "x", "y", (0, 20), [Panel("a & b", [[0.0, 0.2], [50.0, 100.0]])], "#d55e00")
    texts = _texts(svg)
    assert texts[:5] == ["a & b", "0", "<1", "50", "100"]
    assert svg.count("fill-opacity=") == 2


def test_lines_that_end_close_together_have_labels_apart() -> None:
    svg = lines("label", "x", "y", (2, 3), {"one": [Share(1, 9)] * 2, "two": [Share(1, 9)] * 2})
    root = ElementTree.fromstring(svg)
    at = [
        float(text.get("y", "0"))
        for text in root.iter("{http://www.w3.org/2000/svg}text")
        if text.text in ("one", "two")
    ]
    assert abs(at[0] - at[1]) >= 15


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_picture_of_the_documentation_is_small_and_well_formed(path: Path) -> None:
    assert path.stat().st_size < 60_000
    ElementTree.fromstring(path.read_text())
