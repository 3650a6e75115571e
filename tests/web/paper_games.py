"""Games of Aces Up that the page's unit tests follow: events as the log has them, and what the rules make of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import Action, Fill, GiveUp, Redo, Remove, Row, Undo
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.outcome import Outcome, outcome
from services.rules.aces_up.state import State
from services.rules.aces_up.view import View
from services.rules.events import digest, encode_body, seal
from services.rules.view import TableView
from tests.unit.rules.aces_up.games import log_of, random_actions
from tests.unit.scoring.games import LOSES, WINS, straight

RANDOM = (
    AcesUpOptions(1),
    AcesUpOptions(2, auto_remove=True),
    AcesUpOptions(3, practice=True),
    AcesUpOptions(4, practice=True, auto_remove=True),
)


def write(path: Path) -> None:
    """Writes the games as JSON: some played straight on, which are won or lost, and some by chance."""
    games = [_game(straight(number), AcesUpOptions(number), AcesEndWhy.WON) for number in WINS[:2]]
    games += [_game(straight(number), AcesUpOptions(number), AcesEndWhy.GIVEN_UP) for number in LOSES[:2]]
    games += [_game(random_actions(7, options)[0], options, None) for options in RANDOM]
    path.write_text(json.dumps(games))


def frame(action: Action) -> dict[str, Any]:
    """The action as its frame has it, without number, hand and what was seen."""
    match action:
        case Row(stock):
            return {"t": "row", "stock": stock}
        case Remove(pile, card):
            return {"t": "remove", "pile": pile, "card": card.text}
        case Fill(source, card, to):
            return {"t": "fill", "from": source, "card": card.text, "to": to}
        case Undo():
            return {"t": "undo"}
        case Redo():
            return {"t": "redo"}
        case GiveUp():
            return {"t": "give_up"}


def _game(actions: list[Action], options: AcesUpOptions, why: AcesEndWhy | None) -> dict[str, Any]:
    view, previous, events, looks = TableView(), "", [], []
    for event in log_of(actions, options, why):
        body = encode_body(event)
        previous = digest(previous, body)
        view = view.apply(event)
        events.append(seal(body, previous))
        if view.game is not None:
            looks.append(_look(view.seq, view.game))
    return {"events": events, "actions": list(map(frame, actions)), "looks": looks}


def _look(seq: int, game: View) -> dict[str, Any]:
    return {
        "seq": seq,
        "piles": [[card.text for card in pile] for pile in game.piles],
        "stock": game.stock_count,
        "undoable": game.undoable,
        "redoable": game.redoable,
        "removed": game.removed_count,
        "lost": not game.stock_count and outcome(State(game.piles, ())) is Outcome.LOST,
        "legal": list(map(frame, legal_moves(game))),
    }
