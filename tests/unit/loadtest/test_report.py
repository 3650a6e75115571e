from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from services.loadtest import run_folder
from services.loadtest.check_report import Fault, Finding, Report
from services.loadtest.director import Run
from services.loadtest.measures import Measures, Sample
from services.loadtest.messages import Second
from services.loadtest.outcome import judge
from services.loadtest.report import chart
from services.loadtest.report.chart import Chart, Line
from services.loadtest.scenario import Scenario


def page(tmp_path: Path, about: str = "x", proof: Report | None = None) -> str:
    run = Run(Scenario(about=about, name="small"), tmp_path, seed=1, problems=["a <problem>"])
    measures = Measures()
    for second in (1.0, 2.0, 3.0):
        measures.count("verdict.applied", 10)
        measures.sample(Sample.PLAY, 4_000)
        measures.sample(Sample.LAG, 300)
        run.figures.add(Second(second, *measures.take()))
    run_folder.write(run, judge(run), proof)
    return (tmp_path / "report.html").read_text()


def test_the_examples_hold() -> None:
    assert doctest.testmod(chart).attempted
    assert not doctest.testmod(chart).failed


def test_the_page_tells_the_outcome_and_loads_nothing(tmp_path: Path) -> None:
    told = page(tmp_path)
    assert '<span class="outcome">passed</span>' in told
    assert "Latency over time" in told
    assert not re.search(r"""(src|href)\s*=|url\(|@import|<script""", told)


def test_charts_of_which_there_is_nothing_are_left_out(tmp_path: Path) -> None:
    assert "Redis" not in page(tmp_path)


def test_what_others_wrote_is_text_and_nothing_else(tmp_path: Path) -> None:
    told = page(tmp_path, about="<b>bold</b>")
    assert "<b>bold</b>" not in told
    assert "a &lt;problem&gt;" in told


def test_a_fault_that_the_proof_found_is_on_the_page(tmp_path: Path) -> None:
    proof = Report()
    proof.add(Finding(Fault.SCORE_WRONG, "two points too many"))
    told = page(tmp_path, proof=proof)
    assert "score_wrong" in told
    assert "nothing wrong was found" not in told


def test_a_second_without_a_value_is_a_gap_in_the_line() -> None:
    drawn = Chart("t", "s", "ms", [Line("a", [(0, 1.0), (1, 2.0), (2, None), (3, 1.0), (4, 1.0)])])
    assert drawn.paths[0].d.count("M") == 2


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("values", [[0.0], [0.0, 0.0], [0.004, 9.0], [1.0, 1e7], [3.0] * 5])
def test_every_point_lies_within_the_frame(values: list[float], log: bool) -> None:
    drawn = Chart("t", "s", "ms", [Line("a", list(enumerate(values)))], log=log)
    points = re.findall(r"[ML]([\d.]+) ([\d.]+)", drawn.paths[0].d)
    assert len(points) == len(values)
    assert all(chart.LEFT <= float(x) <= chart.RIGHT and chart.TOP <= float(y) <= chart.BOTTOM for x, y in points)


def test_percentiles_are_drawn_by_how_many_nines_they_have() -> None:
    drawn = Chart("t", "", "ms", [Line("a", [(90.0, 1.0), (99.0, 2.0), (99.9, 3.0), (100.0, 4.0)])], tail=True)
    xs = [float(x) for x in re.findall(r"[ML]([\d.]+) ", drawn.paths[0].d)]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2) == pytest.approx(xs[3] - xs[2], abs=0.2)
