"""What is tallied reads as if prometheus_client had counted it."""

from __future__ import annotations

import prometheus_client
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, generate_latest

from services.runtime import tally

BUCKETS = (0.001, 0.005, 0.01, 1.0)
VALUES = st.one_of(st.sampled_from([0.0, *BUCKETS, 2.0]), st.floats(0, 10))


def shown(registry: CollectorRegistry) -> list[str]:
    """What Prometheus is told, but for when counting began, which these don't tell."""
    return [line for line in generate_latest(registry).decode().splitlines() if "_created" not in line]


@given(st.lists(st.tuples(st.sampled_from("ab"), VALUES)))
def test_the_same_is_told_of_the_same_observations(observed: list[tuple[str, float]]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    for labels in ((), ("kind",)):
        name = "labelled" if labels else "plain"
        counters = (
            tally.Counter(f"{name}_c", "Meaning.", labels, registry=ours),
            prometheus_client.Counter(f"{name}_c", "Meaning.", labels, registry=theirs),
        )
        histograms = (
            tally.Histogram(f"{name}_h", "Meaning.", labels, buckets=BUCKETS, registry=ours),
            prometheus_client.Histogram(f"{name}_h", "Meaning.", labels, buckets=BUCKETS, registry=theirs),
        )
        for kind, value in observed:
            for counter in counters:
                of_kind = counter.labels(kind) if labels else counter
                of_kind.inc()
                of_kind.inc(value)
            for histogram in histograms:
                (histogram.labels(kind) if labels else histogram).observe(value)
    assert shown(ours) == shown(theirs)


def test_labels_are_as_many_as_their_names() -> None:
    counter = tally.Counter("c", "Meaning.", ("kind",), registry=None)
    with pytest.raises(ValueError, match="kind"):
        counter.labels("a", "b")
    with pytest.raises(ValueError, match="labels"):
        tally.Counter("c", "Meaning.", registry=None).labels("a")


def test_buckets_rise() -> None:
    with pytest.raises(ValueError, match="rise"):
        tally.Histogram("h", "Meaning.", buckets=(1, 1), registry=None)
