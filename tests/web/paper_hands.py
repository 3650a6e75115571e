"""Hands that the page's unit tests follow: events as the log has them, and what the rules make of them.

The page mirrors a part of the rules (``src/game``); these hands hold it to them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from services.bots.judgement import Strength
from services.rules.events import digest, encode_body, seal
from services.rules.moves import COLUMN, Action, Call, MoveToColumn, PlayToFoundation, Recycle, Turn
from services.rules.options import PRESETS, RACING_DEMON, Options
from services.rules.view import SeatView, TableView
from tests.unit.bots.paper_match import PaperHand

LOOK_EVERY = 9
"""Between looks at the whole table there are so many events."""
HANDS = (
    (2, RACING_DEMON, 1_600),
    (4, RACING_DEMON, 1_600),
    (8, Options(demon_size=7), 1_600),
    (3, PRESETS["turn_one"], 1_600),
    (3, Options(gap_fill="demon_only", demon_penalty=1), 1_600),
    (7, RACING_DEMON, 120),
)
"""Seats, rules, and how often each looks, ms: the last ones go for the same places again and again."""


def write(path: Path) -> None:
    """Writes the hands as JSON."""
    path.write_text(json.dumps([_hand(seed, *hand) for seed, hand in enumerate(HANDS)]))


def _hand(seed: int, seats: int, options: Options, gap_ms: int) -> dict[str, Any]:
    hand = PaperHand([Strength.MEDIUM] * seats, seed=seed, options=options, gap_ms=gap_ms)
    hand.play()
    view, previous, events, looks = TableView(), "", [], []
    for event in hand.events:
        body = encode_body(event)
        previous = digest(previous, body)
        view = view.apply(event)
        events.append(seal(body, previous))
        if event.seq % LOOK_EVERY == 0 or event is hand.events[-1]:
            looks.append(_look(view))
    return {"events": events, "looks": looks}


def _look(view: TableView) -> dict[str, Any]:
    return {
        "seq": view.seq,
        "phase": view.phase,
        "progress": view.progress,
        "callers": view.callers,
        "votes": view.votes,
        "asked": view.asked,
        "seats": [_seat(seat) for seat in view.seats],
        "foundations": [{"suit": f.suit, "ranks": f.ranks} for f in view.foundations],
        "legal": [[_action(action) for action in view.legal_moves(seat)] for seat in range(len(view.seats))],
    }


def _seat(seat: SeatView) -> dict[str, Any]:
    return {
        "demon": seat.demon_count,
        "top": seat.demon_top and seat.demon_top.text,
        "columns": [[card.text for card in column] for column in seat.columns],
        "stock": seat.stock_count,
        "waste": [card and card.text for card in seat.waste],
    }


def _action(action: Action) -> dict[str, Any]:
    """The action as its frame has it, without number, hand and what was seen."""
    match action:
        case PlayToFoundation(source, card, foundation):
            return {"t": "play", "from": source, "card": card.text, "to": foundation}
        case MoveToColumn(source, card, column):
            return {"t": "move", "from": source, "card": card.text, "to": COLUMN[column]}
        case Turn(stock):
            return {"t": "turn", "stock": stock}
        case Recycle():
            return {"t": "recycle"}
        case Call():
            return {"t": "call"}
        case _:
            raise TypeError(f"no legal move: {action!r}")
