from __future__ import annotations

from xml.etree import ElementTree

from tests.bench.picture import picture
from tests.bench.results import Figure, Samples


def test_every_round_of_every_figure_is_drawn() -> None:
    figures = [
        Figure("B1", "plays & more", "1/s", Samples((2.0, 4.0)), Samples((8.0, 1.0)), Samples((0.25, 4.0)), ">= 1"),
        Figure("B6", "nothing at all", "", Samples((0.0,))),
    ]
    root = ElementTree.fromstring(picture(figures, "a <run>"))
    places = [float(circle.attrib["cx"]) for circle in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert places == [420.0, 52.5, 105.0, 210.0, 0.0]
    said = "".join(root.itertext())
    assert "plays & more" in said
    assert "ratio 2.12 (0.25 to 4), bar >= 1" in said
