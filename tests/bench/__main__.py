"""``make bench``: the short benchmarks, or those named: ``python -m tests.bench b1 b9``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from services.cli.process import Say
from tests.bench import aces_up, footprint, growth, load, page, referee, round_trip, rules, whole_path
from tests.bench.fairness import study
from tests.bench.picture import picture
from tests.bench.results import Figure, machine, save, show

RESULTS: Final = Path("results")
BENCHMARKS: Final[dict[str, Callable[[Say], Awaitable[list[Figure]]]]] = {
    "b1": referee.measure,
    "b2": whole_path.measure,
    "b3": whole_path.measure,
    "b2-short": whole_path.measure_shortly,
    "b4": round_trip.measure,
    "b5": load.measure_many,
    "b6": footprint.measure,
    "b7": study.measure,
    "b8": rules.measure,
    "b9": aces_up.measure,
    "b10": load.measure_rough,
    "growth": growth.measure,
    "page": page.measure,
}

BY_NAME: Final = ("b2-short", "b4", "b6", "b8", "b9", "b10", "growth", "page")
"""Those that run only when named."""


async def _measure(names: list[str]) -> list[Figure]:
    figures = []
    for benchmark in dict.fromkeys(BENCHMARKS[name] for name in names):  # some measure for two
        figures += await benchmark(_say)
    return figures


def _say(name: str, line: str) -> None:
    print(f"{name:<8} {line}", file=sys.stderr, flush=True)


def main() -> None:
    """Measures, prints, saves, draws."""
    names = sys.argv[1:] or [name for name in BENCHMARKS if name not in BY_NAME]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    figures = asyncio.run(_measure(names))
    show(figures)
    kept = save(figures, RESULTS)
    drawn = kept.with_suffix(".svg")
    drawn.write_text(picture(figures, f"{kept.stem}, {machine()}."))
    print(f"kept in {kept}, drawn in {drawn}")


if __name__ == "__main__":
    main()
