"""RD-10: the short tests of ``services/rules/blocked.py`` against everything that could be done, case by case."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from services.rules.blocked import dead, seat_blocked, table_blocked, walk_is_dead
from services.rules.layout import Layout
from services.rules.options import RACING_DEMON, Options
from tests.proofs.full_search import can_progress
from tests.proofs.positions import HOUSES, Foundations, made_up, quiet, stuck_together
from tests.proofs.size import size
from tests.unit.rules.hands import built
from tests.unit.rules.positions import blocked_layout, random_foundations

SHIFTING = tuple(options for options in HOUSES if options.stuck == "shift")
PARTS = range(4)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", PARTS)
def test_a_seat_is_blocked_exactly_when_no_sequence_of_its_own_moves_makes_progress(part: int) -> None:
    """RD-10 (a), (b), (c): 60,000 positions in full, two thirds of them from hands, the others made up."""
    rng = random.Random(part)
    found: Counter[tuple[str, bool]] = Counter()
    sources = {"played": (quiet(rng), size(500, 10_000)), "made up": (made_up(rng), size(250, 5_000))}
    for kind, (positions, count) in sources.items():
        for layout, foundations, options in islice(positions, count):
            blocked = not can_progress(layout, foundations, options)
            assert seat_blocked(layout, foundations, options) is blocked, (layout.encode(), foundations, options)
            found[kind, blocked] += 1
    print(f"positions, part {part}:", dict(found))
    assert min(found[kind, blocked] for kind in sources for blocked in (True, False)) > size(20, 500)


def test_the_position_where_a_simpler_test_is_wrong() -> None:
    """RD-10 (b): TS to JH, then the QC tail to the gap, then K♦ goes up. With a demon, the gap itself is progress."""
    up = tuple(built(suit, height) for suit, height in (("S", 7), ("H", 8), ("D", 12), ("C", 2)))
    example = Layout.decode("|KDQCJH|TS|KS|5C||")
    assert not seat_blocked(example, up, RACING_DEMON)
    assert can_progress(example, up, RACING_DEMON)
    for options, layout in (
        (Options(gap_fill="demon_only"), example),
        (RACING_DEMON, Layout.decode("|KDQCJH|TD|KS|5C||")),
    ):
        assert seat_blocked(layout, up, options)
        assert not can_progress(layout, up, options)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", PARTS)
def test_a_table_is_dead_exactly_when_a_whole_cycle_of_shifts_frees_nobody(part: int) -> None:
    """RD-10 (e): 12,000 blocked tables in full, half of them made up, half of seats that were stuck in hands."""
    rng = random.Random(part)
    found: Counter[tuple[str, int, bool]] = Counter()
    sizes: set[int] = set()
    sources = {"played": stuck_together(rng), "made up": _made_up_tables(rng)}
    for kind, tables in sources.items():
        for layouts, foundations, options in islice(tables, size(75, 1_500)):
            assert table_blocked(layouts, foundations, options)
            expected = walk_is_dead(layouts, foundations, options)
            assert dead(layouts, foundations, options) is expected, (
                [x.encode() for x in layouts],
                foundations,
                options,
            )
            found[kind, options.draw, expected] += 1
            sizes.add(len(layouts))
    print(f"tables, part {part}:", dict(found))
    assert sizes == set(range(2, 9))
    assert all(found["made up", 3, expected] > size(4, 100) for expected in (True, False))
    assert all(found["played", 3, expected] > size(-1, 20) for expected in (True, False))  # few hands may have none
    assert not any(found[kind, 1, False] for kind in sources), "with draw 1 turning shows every card"


def _made_up_tables(rng: random.Random) -> Iterator[tuple[list[Layout], Foundations, Options]]:
    """Tables of 2 to 8 seats, all of them stuck."""
    while True:
        options, foundations = rng.choice(SHIFTING), random_foundations(rng)
        layouts = [found for _ in range(rng.randint(2, 8)) if (found := blocked_layout(rng, foundations, options))]
        if len(layouts) > 1:
            yield layouts, foundations, options
