"""Whether a seat, a table, a hand is stuck for good (RD-10 a to e).

*Progress*: a card reaches a foundation, leaves the demon, or leaves stock or waste. A seat is *blocked* when no
sequence of its own moves, turning the stock included, makes progress; tail moves between columns make none by
themselves. A blocked table is *dead* when no shift of the stocks will ever free it.

A seat's own cards and the foundations as they stand decide; other seats can still change those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from services.rules.cards import ACE, Card, builds_down
from services.rules.foundation import Foundation
from services.rules.layout import Layout, Pile
from services.rules.moves import tail_length, turned_over
from services.rules.options import Options

Columns = tuple[Pile, ...]
_Heights = frozenset[tuple[str, int]]


def seat_blocked(layout: Layout, foundations: Collection[Foundation], options: Options) -> bool:
    """Whether no sequence of the seat's own moves makes progress (RD-10 b). That it may call doesn't count."""
    return not _can_progress(layout, reachable_tops(layout, options), foundations, options)


def table_blocked(layouts: Collection[Layout], foundations: Collection[Foundation], options: Options) -> bool:
    """Whether every seat is blocked; ``layouts`` are those of the seats that count. No seats: not blocked."""
    return bool(layouts) and all(seat_blocked(layout, foundations, options) for layout in layouts)


def dead(layouts: Collection[Layout], foundations: Collection[Foundation], options: Options) -> bool:
    """Whether the table is blocked and stays so through any number of shifts (RD-10 e).

    Proven in one step: k - 1 shifts make every card of stock and waste a top, so none of them, taken as a top, may make
    progress possible.
    """
    return bool(layouts) and not any(
        _can_progress(layout, {*layout.stock, *layout.waste}, foundations, options) for layout in layouts
    )


def walk_is_dead(layouts: Collection[Layout], foundations: Collection[Foundation], options: Options) -> bool:
    """The same as :func:`dead` as the rule says it: a whole cycle of shifts, one by one, frees nobody.

    Slow; the proof of the short way.
    """
    if not table_blocked(layouts, foundations, options):
        return False
    for _ in range(max(len(layout.stock) + len(layout.waste) for layout in layouts)):
        layouts = [turned_over(layout) for layout in layouts]
        if not table_blocked(layouts, foundations, options):
            return False
    return True


def reachable_tops(layout: Layout, options: Options) -> set[Card]:
    """The cards that come on top of the waste by turning alone (RD-10 c).

    The current top, those of the rest of this pass, and after turning the waste over every k-th card and the last one.
    """
    through = layout.waste + layout.stock[::-1]
    if not through:
        return set()
    this_pass = through[len(layout.waste) + options.draw - 1 :: options.draw]
    next_pass = through[options.draw - 1 :: options.draw]
    return {*layout.waste[-1:], *this_pass, *next_pass, through[-1]}


def _can_progress(layout: Layout, tops: set[Card], foundations: Collection[Foundation], options: Options) -> bool:
    """Whether the seat can make progress if just ``tops`` can be had from the waste."""
    heights = frozenset((f.suit, f.height) for f in foundations)
    singles = tops if layout.demon_top is None else tops | {layout.demon_top}
    if any(_goes_up(card, heights) for card in singles):
        return True
    if layout.demon_top is not None:
        return _short_test(layout.columns, layout.demon_top, tops, heights, options)
    return any(
        _uncovered(columns, heights) or _fills(columns, tops, options)
        for columns in arrangements(layout.columns, options)
    )


def _short_test(columns: Columns, demon_top: Card, tops: set[Card], heights: _Heights, options: Options) -> bool:
    """With cards in the demon no arrangement of columns needs to be searched (RD-10 b).

    A gap takes the demon's top, and a tail that moves leaves an exposed end no better for building down than the one
    that it covers.
    """
    return (
        not all(columns)
        or _uncovered(columns, heights)
        or _fills(columns, tops | {demon_top}, options)
        or any(tail == column or _goes_up(column[-len(tail) - 1], heights) for column, tail in _tails_that_fit(columns))
    )


def _tails_that_fit(columns: Columns) -> Iterator[tuple[Pile, Pile]]:
    """Each column with a tail of it that fits onto another column."""
    for column in columns:
        for n in range(1, tail_length(column) + 1):
            if any(other and other is not column and builds_down(column[-n], other[-1]) for other in columns):
                yield column, column[-n:]


def arrangements(columns: Columns, options: Options) -> Iterator[Columns]:
    """Every arrangement of the columns, up to their order, that tail moves reach, this one first."""
    first = _sorted(columns)
    known = {first}
    waiting = [first]
    while waiting:
        current = waiting.pop()
        yield current
        for following in _tail_moves(current, options):
            if following not in known:
                known.add(following)
                waiting.append(following)


def _tail_moves(columns: Columns, options: Options) -> Iterator[Columns]:
    gaps_take_tails = options.gap_fill == "any"
    for i, column in enumerate(columns):
        for n in range(1, tail_length(column) + 1):
            for j, target in enumerate(columns):
                fits = builds_down(column[-n], target[-1]) if target else gaps_take_tails and n < len(column)
                if i != j and fits:
                    changed = list(columns)
                    changed[i], changed[j] = column[:-n], target + column[-n:]
                    yield _sorted(changed)


def _sorted(columns: Collection[Pile]) -> Columns:
    return tuple(sorted(columns, key=lambda column: [card.text for card in column]))


def _uncovered(columns: Columns, heights: _Heights) -> bool:
    """Whether an exposed end goes up."""
    return any(column and _goes_up(column[-1], heights) for column in columns)


def _fills(columns: Columns, singles: Collection[Card], options: Options) -> bool:
    """Whether one of ``singles`` goes to a column or gap.

    A gap takes them all, or the demon's top only, and then the demon is empty here.
    """
    if not singles:
        return False
    if not all(columns) and options.gap_fill == "any":
        return True
    return any(column and builds_down(card, column[-1]) for column in columns for card in singles)


def _goes_up(card: Card, heights: _Heights) -> bool:
    """Whether some foundation takes the card now; an ace opens one."""
    return card.rank == ACE or (card.suit, card.rank - 1) in heights
