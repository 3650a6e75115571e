"""B9: the solver of Aces Up over numbered deals: how long it takes to decide one, and how many can be won.

The compiled search and its twin in Python take the same deals in turn; the twin only the first few, with less to look
at, for it is slow. Times are the thread's own: what the processor was busy with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Final

from services.cli.process import Say
from services.rules.aces_up import kernel
from services.rules.aces_up.deal import deal
from services.rules.aces_up.search import OutOfBudget, Search
from services.rules.aces_up.solver import BUDGET, Undecided, Won, numbers, solve
from tests.bench.results import Figure, Samples

DEALS: Final = 1_000
TWIN_DEALS: Final = 20
TWIN_BUDGET: Final = 20_000


async def measure(say: Say) -> list[Figure]:
    """The figures; about ten minutes."""
    return await asyncio.to_thread(_measure, say)


def _measure(say: Say) -> list[Figure]:
    if not kernel.compiled():
        say("b9", "the search was not compiled here: the figures would be those of its twin")
        return []
    seconds, won, undecided = [], 0, 0
    for number in range(1, DEALS + 1):
        state, began = deal(number), time.thread_time()
        verdict = solve(state)
        seconds.append(time.thread_time() - began)
        won += isinstance(verdict, Won)
        undecided += isinstance(verdict, Undecided)
        if number % 100 == 0:
            say("b9", f"{number} deals, {won} can be won, {undecided} undecided")
    ordered = sorted(value * 1000 for value in seconds)
    decided = DEALS - undecided
    return [
        Figure("B9", "a deal decided, median", "ms", Samples((ordered[DEALS // 2],)), bar="50"),
        Figure("B9", "a deal decided, 95 of 100", "ms", Samples((ordered[DEALS * 95 // 100],))),
        Figure("B9", "a deal decided, longest", "ms", Samples((ordered[-1],))),
        Figure("B9", f"undecided after {BUDGET:,} positions", "%", Samples((100 * undecided / DEALS,)), bar="0"),
        Figure("B9", "of those decided, can be won", "%", Samples((100 * won / decided,))),
        _beside_its_twin(),
    ]


def _beside_its_twin() -> Figure:
    """Positions a second of both searches, on the same deals."""
    rates: list[tuple[float, float]] = []
    for number in range(1, TWIN_DEALS + 1):
        piles, rows = numbers(deal(number))
        twin = Search(rows, TWIN_BUDGET)
        began = time.thread_time()
        with contextlib.suppress(OutOfBudget):
            twin.line(piles)
        between = time.thread_time()
        with contextlib.suppress(OutOfBudget):
            kernel.line(piles, rows, twin.looked)
        ended = time.thread_time()
        rates.append((twin.looked / (ended - between), twin.looked / (between - began)))
    fast, slow = (Samples(tuple(values)) for values in zip(*rates, strict=True))
    ratio = Samples(tuple(one / other for one, other in rates))
    return Figure("B9", "positions looked at: compiled, beside Python", "1/s", fast, slow, ratio)
