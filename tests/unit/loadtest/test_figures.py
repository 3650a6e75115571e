from __future__ import annotations

import random

import pytest

from services.loadtest.figures import Figures, Latency
from services.loadtest.measures import Measures, Sample
from services.loadtest.messages import Second


def second(at_s: float, measures: Measures) -> Second:
    counts, samples = measures.take()
    return Second(at_s, counts, samples)


def test_percentiles_are_exact_to_three_digits() -> None:
    latency, luck = Latency(), random.Random(1)
    values = sorted(round(luck.lognormvariate(8, 1)) for _ in range(10_000))
    latency.add(values)
    for percentile in (50, 90, 99, 99.9):
        exact = values[int(len(values) * percentile / 100) - 1]
        assert latency.ms(percentile) == pytest.approx(exact / 1000, rel=0.005)
    assert latency.count == 10_000


def test_seconds_of_several_processes_add_up() -> None:
    figures = Figures()
    for late in (1_000, 3_000):
        measures = Measures()
        measures.count("sent", 2)
        measures.count("verdict.applied")
        measures.count("verdict.refused.no_place")
        measures.sample(Sample.PLAY, late)
        figures.add(second(1.0, measures))
        measures.count("sent")
        figures.add(second(2.01, measures))
    assert figures.counts["sent"] == 6
    assert [part.counts["sent"] for part in figures.slices] == [4, 2]
    assert figures.judged == 4
    assert figures.verdicts("refused") == 2
    assert figures.latencies[Sample.PLAY].count == 2
    assert figures.slices[0].ms(Sample.PLAY, 99) == 3.0
    assert figures.slices[1].ms(Sample.PLAY, 99) is None


def test_what_was_taken_is_not_told_again() -> None:
    measures = Measures()
    measures.count("sent")
    measures.take()
    assert measures.take() == ({}, {})
