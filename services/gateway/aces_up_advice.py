"""What the edge says about a game of Aces Up: what could be done next, whether it can be won, and deals that can be.

A numbered deal has no secrets, so what everybody sees is the whole state. All of this may take a while and is thought
about on a thread (``thinking``), within a bound: what isn't decided by then is not known, and never guessed.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from services.gateway import models
from services.rules import hint_texts
from services.rules.aces_up import advice, kernel
from services.rules.aces_up.deal import deal
from services.rules.aces_up.moves import Fill, Move, Remove, Row
from services.rules.aces_up.options import LAST_NUMBER
from services.rules.aces_up.solver import QUICK, can_still_win, numbers
from services.rules.aces_up.state import State
from services.rules.aces_up.view import View
from services.rules.hand import Phase
from services.rules.view import TableView

UNCOMPILED: Final = 3_000
"""Positions for the search without a compiler: about a third of a second."""
DEALS: Final = 40
"""How many random deals are looked at for one that can be won; of ten at least two turn out to be."""
_PER_DEAL: Final = 20_000


def state_of(game: View) -> State:
    """The state behind the view: its number tells which cards are to come."""
    return State(game.piles, deal(game.options.number).stock[: game.stock_count])


def hint(seen: TableView, game: View) -> models.Hint:
    """What the player could do now."""
    if seen.phase is not Phase.PLAYING:
        key = "hint.not_playing"
        return models.Hint(seq=seen.seq, key=key, args={}, text=hint_texts.sentence(key, {}, seen.options), action=None)
    state = state_of(game)
    found = advice.hint(state, budget=_budget(state, QUICK), hasty=game.options.auto_remove)
    return models.Hint(
        seq=seen.seq,
        key=found.key,
        args=found.args,
        text=advice.sentence(found),
        action=None if found.action is None else frame(found.action),
        wins=found.wins,
    )


def outlook(game: View) -> bool | None:
    """Whether the game can still be won; None if that is not decided within the bound."""
    state = state_of(game)
    return can_still_win(state, budget=_budget(state, QUICK), hasty=game.options.auto_remove)


def winnable_number(*, auto_remove: bool) -> int | None:
    """The number of a random deal that can be won, also if all removals go by themselves; None if none was found."""
    for _ in range(DEALS):
        number = secrets.randbelow(LAST_NUMBER) + 1
        state = deal(number)
        if can_still_win(state, budget=_budget(state, _PER_DEAL), hasty=auto_remove):
            return number
    return None


def frame(move: Move) -> dict[str, Any]:
    """The command's own fields of its frame (docs/protocol.md, "Client to server")."""
    match move:
        case Row(stock):
            return {"t": "row", "stock": stock}
        case Remove(pile, card):
            return {"t": "remove", "pile": pile, "card": card.text}
        case Fill(source, card, to):
            return {"t": "fill", "from": source, "card": card.text, "to": to}


def _budget(state: State, compiled: int) -> int:
    return compiled if kernel.fits(*numbers(state)) else UNCOMPILED
