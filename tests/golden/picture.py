"""Layouts, foundations, events and scores as a line of text each, for people to read.

>>> from services.rules.layout import Layout
>>> seat_line(0, Layout.decode("5C4D|KS|9H|TS||3C4C5S|"))
'0: demon 5C 4D | c0 KS | c1 9H | c2 TS | c3 - | stock 3C 4C 5S | waste -'
>>> seat_of("0: demon 5C 4D | c0 KS | c1 9H | c2 TS | stock 3C 4C 5S")[1].encode()
'5C4D|KS|9H|TS||3C4C5S|'
>>> foundation_line(0, foundation_of("f0 S: 0*5 1+0"))
'f0 S: 0*5 1+0'
"""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import groupby
from typing import Final

from services.rules.cards import cards
from services.rules.events import Event
from services.rules.foundation import Foundation, Slot
from services.rules.layout import Layout, Pile

FEW: Final = 6
"""So many cards of a pile that isn't a column are listed; of more, the number and the last three."""
_PILES: Final = ("demon", "c0", "c1", "c2", "c3", "stock", "waste")
_HEAD: Final = {"seq", "at", "seat", "n", "seen", "arrived"}
_KEPT_BACK: Final = {"hand", "match", "secret", "scores", "commitment", "seats", "options", "layouts"}
"""What the picture of an event leaves out: it is said elsewhere in the file."""
_NAMES: Final = {"source": "from", "gap": "gap_ms"}


def pile_text(pile: Pile, most: int = FEW) -> str:
    """The cards of a pile, bottom first."""
    if len(pile) > most:
        return f"{len(pile)} cards .. " + " ".join(card.text for card in pile[-3:])
    return " ".join(card.text for card in pile) or "-"


def seat_line(seat: int, layout: Layout) -> str:
    """One seat's layout."""
    columns = [f"c{i} {pile_text(column, 13)}" for i, column in enumerate(layout.columns)]
    piles = [f"demon {pile_text(layout.demon)}", *columns]
    return f"{seat}: " + " | ".join([*piles, f"stock {pile_text(layout.stock)}", f"waste {pile_text(layout.waste)}"])


def seat_of(line: str) -> tuple[int, Layout]:
    """The inverse of :func:`seat_line`; piles that are not named are empty. Raises ValueError."""
    seat, _, rest = line.partition(": ")
    said = dict(part.strip().split(" ", 1) for part in rest.split("|"))
    if not said.keys() <= set(_PILES):
        raise ValueError(f"no such pile: {said.keys()}")
    piles = [cards(said.get(name, "-").replace("-", "")) for name in _PILES]
    demon, c0, c1, c2, c3, stock, waste = piles
    return int(seat), Layout(demon, (c0, c1, c2, c3), stock, waste)


def foundation_line(number: int, foundation: Foundation) -> str:
    """One foundation: whose cards lie on each rank, from the ace on; "2*5" is one seat's on five ranks in a row."""
    alike = [(who, len(list(ranks))) for who, ranks in groupby("+".join(map(str, s.seats)) for s in foundation.slots)]
    ranks = " ".join(f"{who}*{count}" if count > 2 else " ".join([who] * count) for who, count in alike)
    return f"f{number} {foundation.suit}: {ranks}" + (" complete" if foundation.complete else "")


def foundation_of(line: str, at_ms: int = 0) -> Foundation:
    """The inverse of :func:`foundation_line`. Its cards were event 2."""
    match = re.fullmatch(r"f\d+ ([CDHS]): ([\d+* ]+)", line)
    if match is None:
        raise ValueError("not a foundation")
    ranks: list[str] = []
    for word in match[2].split():
        who, _, times = word.partition("*")
        ranks += [who] * int(times or 1)
    return Foundation(match[1], tuple(Slot(tuple(map(int, who.split("+"))), 2, at_ms) for who in ranks))


def event_line(event: Event, noon_ms: int) -> str:
    """What an event says, but for who did it and when."""
    said = [f"#{event.seq} {event.e}"]
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in _HEAD | _KEPT_BACK or value == () or (field.name == "shows" and value is None):
            continue
        value = value - noon_ms if field.name.endswith("_at") else value
        said.append(f"{_NAMES.get(field.name, field.name)} {_text(value)}")
    return ", ".join(said)


def _text(value: object) -> str:
    if value is None:
        return "any"
    if value == ():
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        between = " / " if any(isinstance(part, tuple) for part in value) else " "
        return between.join(map(_text, value))
    return str(value)
