"""Whether a seat, a table, a hand is stuck for good (RD-10 a to e).

*Progress*: a card reaches a foundation, leaves the demon, or leaves stock or waste. A seat is *blocked* when no
sequence of its own moves, turning the stock included, makes progress; tail moves between columns make none by
themselves. A blocked table is *dead* when no shift of the stocks will ever free it.

A seat's own cards and the foundations as they stand decide; other seats can still change those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter

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
    progress possible. Where nothing shifts, that is whether the table is blocked.
    """
    return bool(layouts) and not any(
        _can_progress(layout, _tops_that_count(layout, options), foundations, options) for layout in layouts
    )


def looked_at(layouts: Sequence[Layout], options: Options, away: Collection[int] = ()) -> tuple[tuple[Card, ...], ...]:
    """The cards that :func:`dead` takes as tops, by seat; none for the seats ``away``. The proof that the log keeps."""
    return tuple(
        () if seat in away else tuple(sorted(_tops_that_count(layout, options), key=attrgetter("text")))
        for seat, layout in enumerate(layouts)
    )


def walk_is_dead(layouts: Collection[Layout], foundations: Collection[Foundation], options: Options) -> bool:
    """The same as :func:`dead`, where stocks shift, as the rule says it: a whole cycle of shifts frees nobody.

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

    The current top, those of the rest of this pass, its last card, and, where the waste may be turned over, every k-th
    card after that.
    """
    through = layout.waste + layout.stock[::-1]
    if not through:
        return set()
    this_pass = through[len(layout.waste) + options.draw - 1 :: options.draw]
    next_pass = () if options.passes == 1 else through[options.draw - 1 :: options.draw]
    return {*layout.waste[-1:], *this_pass, *next_pass, through[-1]}


def _tops_that_count(layout: Layout, options: Options) -> set[Card]:
    """The tops that decide whether a seat is stuck for good: with shifts, every card comes on top some time."""
    return {*layout.stock, *layout.waste} if options.stuck == "shift" else reachable_tops(layout, options)


def _can_progress(layout: Layout, tops: set[Card], foundations: Collection[Foundation], options: Options) -> bool:
    """Whether the seat can make progress if just ``tops`` can be had from the waste.

    One tail move may open the place for another, so all arrangements of the columns are looked at; the first gap ends
    the search for a seat with cards in its demon.
    """
    heights = frozenset((f.suit, f.height) for f in foundations)
    demon = layout.demon[-1:]
    if any(_goes_up(card, heights) for card in (*demon, *tops)):
        return True
    gap_takes = {*demon, *tops} if options.gap_fill == "any" else demon
    return any(
        _goes_up_from(columns, heights) or (gap_takes and not all(columns)) or _builds_on(columns, (*demon, *tops))
        for columns in arrangements(layout.columns, options)
    )


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


def _goes_up_from(columns: Columns, heights: _Heights) -> bool:
    """Whether an exposed end goes up."""
    return any(column and _goes_up(column[-1], heights) for column in columns)


def _builds_on(columns: Columns, singles: Collection[Card]) -> bool:
    """Whether one of ``singles`` goes onto a column."""
    return any(column and builds_down(card, column[-1]) for column in columns for card in singles)


def _goes_up(card: Card, heights: _Heights) -> bool:
    """Whether some foundation takes the card now; an ace opens one."""
    return card.rank == ACE or (card.suit, card.rank - 1) in heights
