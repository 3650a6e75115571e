"""What a generator process counts and measures, handed over second by second.

The process only notes: an integer for each sample, so that measuring costs it next to nothing. Who gets the notes makes
histograms of them (``figures``).
"""

from __future__ import annotations

from array import array
from collections import Counter
from enum import StrEnum
from typing import Final

_CODE: Final = "Q"


class Sample(StrEnum):
    """What is measured, each in µs."""

    PLAY = "play"
    """From a command's scheduled time, less the simulated wire, to its verdict at the socket."""
    HOT = "hot"
    """The same of plays at a hot table; :attr:`PLAY` is of the others then."""
    ACROSS = "across"
    """The same of commands that were under way when their connection broke."""
    DELIVERY = "delivery"
    """From a command's scheduled time, less the simulated wire, to its event at another socket of the table."""
    HOT_DELIVERY = "hot_delivery"
    """The same at a hot table."""
    BACK = "back"
    """From a connection's end to the welcome on the next one."""
    LAG = "lag"
    """How much later than scheduled a frame was given to its socket: the generator's own delay."""
    LOOP = "loop"
    """How much later than asked the generator's event loop woke up."""


RAN: Final = "generator.ran_us"
"""A count: the CPU time of the processes' event loops."""
WAITED: Final = "generator.waited_us"
"""A count: how long those were ready to run and had no core, which others had."""


class Measures:
    """What has been counted and measured since the last :meth:`take`."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._samples: dict[Sample, array[int]] = {}

    def count(self, name: str, by: int = 1) -> None:
        """One more of something."""
        self._counts[name] += by

    def sample(self, name: Sample, value_us: int) -> None:
        """One measurement; what a coarse clock makes negative is 0."""
        samples = self._samples.get(name)
        if samples is None:
            samples = self._samples[name] = array(_CODE)
        samples.append(max(0, value_us))

    def take(self) -> tuple[dict[str, int], dict[str, bytes]]:
        """Everything since the last time; begins anew."""
        counts, samples = dict(self._counts), {name.value: values.tobytes() for name, values in self._samples.items()}
        self._counts.clear()
        self._samples.clear()
        return counts, samples


def unpacked(samples: bytes) -> array[int]:
    """The samples of one name, µs, as :meth:`Measures.take` gave them."""
    values: array[int] = array(_CODE)
    values.frombytes(samples)
    return values
