"""Counters and histograms of what happens for every play: plain numbers, made into samples when somebody asks for them.

prometheus_client's own take a lock each time, and its histograms walk through their buckets: 0.6 and 1.6 µs, several
times for a play, where these take 0.1 and 0.3. For that only one thread may write one of them, the event loop's; any
may read. They are made and used as prometheus_client's are.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import inf
from typing import Self

from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString


class _Metric(Collector):
    """A metric and, if it has labels, one like it for each of their values."""

    def __init__(
        self, name: str, documentation: str, labelnames: Sequence[str], registry: CollectorRegistry | None
    ) -> None:
        self._name = name
        self._documentation = documentation
        self._labelnames = tuple(labelnames)
        self._children: dict[tuple[str, ...], Self] = {}
        if registry is not None:
            registry.register(self)

    def labels(self, *values: str) -> Self:
        """The one of these values. Raises ValueError unless there are as many as names of labels."""
        if not values or len(values) != len(self._labelnames):
            raise ValueError(f"{self._name} has the labels {self._labelnames}, not {values}")
        child = self._children.get(values)
        if child is None:
            child = self._children[values] = self._like()
        return child

    def _series(self) -> list[tuple[tuple[str, ...], Self]]:
        return list(self._children.items()) if self._labelnames else [((), self)]

    @abstractmethod
    def _like(self) -> Self:
        """A new one for some values of the labels."""


class Counter(_Metric):
    """How often something has happened."""

    def __init__(
        self,
        name: str,
        documentation: str,
        labelnames: Sequence[str] = (),
        *,
        registry: CollectorRegistry | None = REGISTRY,
    ) -> None:
        self._value = 0.0
        super().__init__(name, documentation, labelnames, registry)

    def inc(self, times: float = 1.0) -> None:
        """It has happened, or so many times."""
        self._value += times

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Called by the registry."""
        family = CounterMetricFamily(self._name, self._documentation, labels=self._labelnames)
        for values, child in self._series():
            family.add_metric(values, child._value)
        yield family

    def _like(self) -> Self:
        return type(self)(self._name, self._documentation, registry=None)


class Histogram(_Metric):
    """How values are spread over ``buckets``, their upper bounds in rising order; one without a bound is added."""

    def __init__(
        self,
        name: str,
        documentation: str,
        labelnames: Sequence[str] = (),
        *,
        buckets: Sequence[float],
        registry: CollectorRegistry | None = REGISTRY,
    ) -> None:
        self._bounds = [*map(float, buckets), inf]
        if self._bounds != sorted(set(self._bounds)):
            raise ValueError(f"{name}: bounds of buckets rise")
        self._counts = [0] * len(self._bounds)
        self._sum = 0.0
        super().__init__(name, documentation, labelnames, registry)

    def observe(self, value: float) -> None:
        """There was this value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Called by the registry."""
        family = HistogramMetricFamily(self._name, self._documentation, labels=self._labelnames)
        bounds = [floatToGoString(bound) for bound in self._bounds]  # type: ignore[no-untyped-call]
        for values, child in self._series():
            family.add_metric(values, list(zip(bounds, accumulate(child._counts), strict=True)), child._sum)
        yield family

    def _like(self) -> Self:
        return type(self)(self._name, self._documentation, buckets=self._bounds[:-1], registry=None)
