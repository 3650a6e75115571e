"""B9: the solver of Aces Up over numbered deals: how long it takes to decide one, and how many can be won.

The search in Python takes the same deals as the compiled one, but gives up much sooner: its median is that of all deals
as long as it decides more than half of them. Times are the thread's own: what the processor was busy with it.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal

from services.cli.process import Say
from services.rules.aces_up import kernel
from services.rules.aces_up.deal import deal
from services.rules.aces_up.search import OutOfBudget, Search
from services.rules.aces_up.solver import BUDGET, numbers
from tests.bench.results import Figure, Samples

DEALS: Final = 1_000
TWIN_BUDGET: Final = 10_000


@dataclass(slots=True)
class _Run:
    """What one search made of the deals 1 to ``DEALS``."""

    name: str
    verdicts: Counter[Literal["won", "lost", "undecided"]] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    looked: int = 0

    def at(self, share: float) -> Samples:
        """So many deals of 100 took no longer, ms."""
        return Samples((sorted(self.milliseconds)[min(int(share * DEALS), DEALS - 1)],))

    @property
    def undecided(self) -> Samples:
        """Percent."""
        return Samples((100 * self.verdicts["undecided"] / DEALS,))

    @property
    def rate(self) -> float:
        """Positions a second."""
        return 1000 * self.looked / sum(self.milliseconds)


async def measure(say: Say) -> list[Figure]:
    """The figures; about five minutes."""
    return await asyncio.to_thread(_measure, say)


def _measure(say: Say) -> list[Figure]:
    python = _run("in Python", Search, TWIN_BUDGET, say)
    figures = [
        Figure("B9", "a deal decided in Python, median", "ms", python.at(0.5), bar="50"),
        Figure("B9", f"undecided after {TWIN_BUDGET:,} positions", "%", python.undecided),
    ]
    if not kernel.compiled():
        say("b9", "the search was not compiled here")
        return figures
    compiled = _run("compiled", kernel.Search, BUDGET, say)
    won = 100 * compiled.verdicts["won"] / (DEALS - compiled.verdicts["undecided"])
    rates = Samples((compiled.rate,)), Samples((python.rate,)), Samples((compiled.rate / python.rate,))
    return [
        *figures,
        Figure("B9", "a deal decided by the compiled search, median", "ms", compiled.at(0.5), bar="50"),
        Figure("B9", "the same, 95 of 100", "ms", compiled.at(0.95)),
        Figure("B9", "the same, longest", "ms", compiled.at(1)),
        Figure("B9", f"undecided after {BUDGET:,} positions", "%", compiled.undecided, bar="0"),
        Figure("B9", "of those decided, can be won", "%", Samples((won,))),
        Figure("B9", "positions looked at: compiled, beside Python", "1/s", *rates),
    ]


def _run(name: str, kind: type[Search | kernel.Search], budget: int, say: Say) -> _Run:
    run = _Run(name)
    for number in range(1, DEALS + 1):
        piles, rows = numbers(deal(number))
        search, began = kind(rows, budget), time.thread_time()
        try:
            run.verdicts["won" if search.line(piles) is not None else "lost"] += 1
        except OutOfBudget:
            run.verdicts["undecided"] += 1
        run.milliseconds.append(1000 * (time.thread_time() - began))
        run.looked += search.looked
        if number % 250 == 0:
            told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(run.verdicts.items()))
            say("b9", f"{name}: {number} deals, {told}")
    return run
