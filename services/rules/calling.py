"""Whether it pays to end the hand now, or to go on scoring first (RD-11). From what everybody sees.

A call ends the hand for all. So as long as there is something to score at once, and the others have less in sight,
whoever may call gains by going on. Where calls are automatic, the demon's last card is the call. In pairs it is the
side that counts: a partner's cards left in the demon cost as much as one's own.
"""

from __future__ import annotations

from statistics import fmean
from typing import Final

from services.rules.cards import Card, builds_down
from services.rules.moves import Action, Call, MoveToColumn, PlayToFoundation, Source
from services.rules.options import Options
from services.rules.teams import Team, teams
from services.rules.useful import Place, goes_up, open_places
from services.rules.view import SeatView, TableView

TURNING: Final = 0.3
"""Points that a move brings on average if nothing is in sight."""
SOON: Final = 2
"""Who has so few cards in the demon may take the bonus before us."""


def ends_hand(view: TableView, seat: int, action: Action) -> bool:
    """Whether the hand ends by this action of the seat: by its call, or by the card that empties its demon."""
    if view.options.call == "optional":
        return isinstance(action, Call)
    last = view.seats[seat].demon_count == 1
    return last and isinstance(action, PlayToFoundation | MoveToColumn) and action.source is Source.DEMON


def pays_to_end(view: TableView, seat: int) -> bool:
    """Whether the seat, which can end the hand, should do so now."""
    options, places = view.options, open_places(view)
    sides = teams(len(view.seats), options)
    own = next(side for side in sides if seat in side)
    rivals = [side for side in sides if side != own]
    if options.out_bonus and any(view.seats[i].demon_count <= SOON for side in rivals for i in side):
        return True
    ready = [card for card in _tops(view.seats[seat]) if goes_up(card, places)]
    if not ready:
        return True
    partner = sum(_in_sight(view.seats[i], places, options) for i in own if i != seat)
    return 1 + partner <= fmean(_side_in_sight(view, side, places) for side in rivals)


def _side_in_sight(view: TableView, side: Team, places: set[Place]) -> float:
    return sum(_in_sight(view.seats[i], places, view.options) for i in side)


def _in_sight(seat: SeatView, places: set[Place], options: Options) -> float:
    """The points that the seat's next move brings, by what lies open."""
    top = seat.demon_top
    if top is not None and goes_up(top, places):
        return 1.0 + options.demon_penalty
    if top is not None and any(not column or builds_down(top, column[-1]) for column in seat.columns):
        return max(TURNING, options.demon_penalty)
    return 1.0 if any(goes_up(card, places) for card in _tops(seat)) else TURNING


def _tops(seat: SeatView) -> list[Card]:
    """The available cards outside the demon."""
    return [card for card in (seat.waste_top, *(column[-1] for column in seat.columns if column)) if card is not None]
