"""The snapshot frame (docs/protocol.md, "Snapshot"): what everyone may see of a table, from one atomic read."""

from __future__ import annotations

import json
from typing import Any

from services.engine.port import State
from services.engine.stuck import absent
from services.rules.aces_up.state import State as AcesState
from services.rules.foundation import Foundation
from services.rules.layout import Layout, Pile


def frame(state: State) -> bytes:
    """The frame, encoded once for all who ask."""
    hand = state.hand
    said: dict[str, Any] = {
        "t": "snapshot",
        "seq": hand.seq,
        "digest": state.digest,
        "phase": hand.phase,
        "hand": hand.number,
        "match": hand.match,
        "options": json.loads((state.solo.options if state.solo else hand.options).to_json()),
        "commitment": hand.commitment,
        "start_at": hand.start_at,
    }
    said |= _game(state.solo.state) if state.solo else _table(state)
    said["last_n"] = [seat.last_n for seat in hand.seats]
    return json.dumps(said, separators=(",", ":")).encode()


def _game(game: AcesState) -> dict[str, Any]:
    return {
        "piles": [[card.text for card in pile] for pile in game.piles],
        "stock": game.stock_count,
        "undoable": game.undoable,
        "redoable": game.redoable,
    }


def _table(state: State) -> dict[str, Any]:
    hand = state.hand
    return {
        "closes_at": hand.closes_at,
        "progress": hand.progress,
        "callers": hand.callers,
        "votes": {str(seat): vote for seat, vote in enumerate(hand.votes) if vote is not None},
        "asked": hand.asked,
        "away": absent(state),
        "seats": [_seat(layout) for layout in hand.layouts],
        "foundations": [_foundation(foundation) for foundation in hand.foundations],
    }


def _seat(layout: Layout) -> dict[str, Any]:
    """Hidden cards appear as their number only."""
    return {
        "demon": len(layout.demon),
        "top": _top(layout.demon),
        "columns": [[card.text for card in column] for column in layout.columns],
        "stock": len(layout.stock),
        "waste": len(layout.waste),
        "waste_top": _top(layout.waste),
    }


def _foundation(foundation: Foundation) -> dict[str, Any]:
    return {"suit": foundation.suit, "ranks": [slot.seats for slot in foundation.slots]}


def _top(pile: Pile) -> str | None:
    return pile[-1].text if pile else None
