"""What a search for a winning line has learnt from states that can't be won, kept so that it is found again.

A *lesson* says: a state whose piles agree with these upper cards can't be won, and why. Lessons are kept in a tree.
Each of its nodes asks for one card, so many cards below the top of a pile; lessons for which that card doesn't matter
hang on a branch of their own. What a lesson means, and why it holds: docs/aces-up.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

Cards = tuple[int, ...]
"""A card is its suit's number times 16 plus its strength, 2 to 14; 0 is the mark of a pile's bottom."""
Piles = tuple[Cards, Cards, Cards, Cards]


class Why(NamedTuple):
    """Why a state can't be won.

    ``depth``: how much of each pile matters, so many cards from its top, the mark of its bottom counted as one.
    ``missed[i][k]``: the cards (as bits) that nothing removed although they were tops of other piles, while ``k`` or
    more of the upper cards of pile ``i`` were gone and no new ones lay there. ``in_gaps``: those that were tops while a
    pile was empty.
    """

    depth: tuple[int, ...]
    missed: tuple[tuple[int, ...], ...]
    in_gaps: int


class _Lesson(NamedTuple):
    upper: tuple[Cards, ...]
    why: Why


@dataclass(slots=True)
class _Question:
    """The card at ``at`` of ``pile`` decides, counted from the top; ``any``: lessons for which it doesn't matter."""

    pile: int
    at: int
    by_card: dict[int, _Tree] = field(default_factory=dict)
    any: _Tree | None = None


_Tree = _Lesson | _Question


class Lessons:
    """The lessons of one point of the game: so many rows dealt, these removable cards kept."""

    def __init__(self) -> None:
        self._tree: _Tree | None = None

    def recall(self, piles: Piles) -> Why | None:
        """Why the state can't be won, if that was learnt. A pile's first card is its top, its last one the mark."""
        if self._tree is None:
            return None
        waiting = [self._tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, _Lesson):
                (u0, u1, u2, u3), (p0, p1, p2, p3) = node.upper, piles
                if p0[: len(u0)] == u0 and p1[: len(u1)] == u1 and p2[: len(u2)] == u2 and p3[: len(u3)] == u3:
                    return node.why
                continue
            if node.any is not None:
                waiting.append(node.any)
            pile = piles[node.pile]
            if node.at < len(pile) and (further := node.by_card.get(pile[node.at])) is not None:
                waiting.append(further)
        return None

    def learn(self, piles: Piles, why: Why) -> None:
        """Keeps what is not known yet: that such a state can't be won."""
        lesson = _Lesson(tuple(pile[:deep] for pile, deep in zip(piles, why.depth, strict=True)), why)
        if self._tree is None:
            self._tree = lesson
        elif isinstance(self._tree, _Lesson):
            self._tree = _told_apart(self._tree, lesson)
        else:
            _hang(self._tree, lesson)


def _hang(tree: _Question, lesson: _Lesson) -> None:
    while True:
        upper = lesson.upper[tree.pile]
        card = upper[tree.at] if tree.at < len(upper) else None
        further = tree.any if card is None else tree.by_card.get(card)
        if isinstance(further, _Question):
            tree = further
            continue
        hung = lesson if further is None else _told_apart(further, lesson)
        if card is None:
            tree.any = hung
        else:
            tree.by_card[card] = hung
        return


def _told_apart(old: _Lesson, new: _Lesson) -> _Question:
    """A question that the old lesson answers and the new one doesn't, or otherwise.

    There is one: else the state of the new lesson would have been known by the old one.
    """
    for i, (there, here) in enumerate(zip(old.upper, new.upper, strict=True)):
        for at, card in enumerate(there):
            if at >= len(here):
                return _Question(i, at, {card: old}, new)
            if here[at] != card:
                return _Question(i, at, {card: old, here[at]: new})
    raise ValueError("the lesson was known")
