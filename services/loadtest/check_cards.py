"""Each seat's 52 cards, counted through a hand from what its events say (RD-14), and the points that follow.

A ledger of how many cards lie where, and of the cards that reached a foundation. It needs neither the secret nor the
rules of moves, so it shares no mistake with the replay, which follows each card by its face.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from services.loadtest.check_log import LoggedHand
from services.loadtest.check_report import Fault, Report
from services.rules.cards import DECK
from services.rules.events import Dealt, DealtSeat, Ended, Event, Moved, Played, Recycled, SeatEvent, Shifted, Turned
from services.rules.moves import Source


@dataclass(slots=True)
class _Seat:
    """How many cards lie in each pile, and which ones left for a foundation."""

    piles: dict[str, int]
    landed: set[str] = field(default_factory=set)

    @classmethod
    def dealt(cls, seat: DealtSeat) -> _Seat:
        columns = {f"c{i}": 1 for i, _ in enumerate(seat.columns)}
        return cls({"demon": seat.demon, "stock": seat.stock, "waste": 0} | columns)

    @property
    def total(self) -> int:
        return sum(self.piles.values()) + len(self.landed)


def check(log: LoggedHand, dealt: Dealt, report: Report) -> None:
    """Checks the seats' cards after each event, and the ``end``'s count of them."""
    seats = [_Seat.dealt(layout) for layout in dealt.layouts]
    for number, seat in enumerate(seats):
        if seat.total != len(DECK):
            report.add(log.fault(Fault.CARDS_LOST, f"seat {number} is dealt {seat.total} cards", dealt.seq))
    for event in log.events:
        if isinstance(event, SeatEvent) and 0 <= event.seat < len(seats):
            if wrong := _after(seats[event.seat], event):
                report.add(log.fault(Fault.CARDS_LOST, f"seat {event.seat}: {wrong}", event.seq))
                return
        elif isinstance(event, Shifted):
            for seat in seats:
                seat.piles["stock"], seat.piles["waste"] = seat.piles["stock"] + seat.piles["waste"], 0
    report.checked["decks conserved"] += len(seats)
    end = log.events[-1]
    if isinstance(end, Ended) and end.why.counts:
        _counted(log, end, seats, report)


def _after(seat: _Seat, event: Event) -> str | None:
    """Moves the cards of an event; what is wrong with them."""
    match event:
        case Moved(source=source, to=to, count=count):
            return _carried(seat, source, to, count)
        case Turned(count=count):
            return _carried(seat, "stock", "waste", count)
        case Recycled(count=count) if count != seat.piles["waste"] or seat.piles["stock"]:
            return f"{count} cards are turned over, {seat.piles['waste']} lay in the waste"
        case Recycled(count=count):
            return _carried(seat, "waste", "stock", count)
        case Played(source=source, card=card):
            if card.text in seat.landed:
                return f"its {card} lies on two foundations"
            seat.landed.add(card.text)
            return _taken(seat, source, 1)
    return None


def _carried(seat: _Seat, source: str, to: str, count: int) -> str | None:
    wrong = _taken(seat, source, count)
    if wrong is None and to not in seat.piles:
        return f"there is no {to}"
    if wrong is None:
        seat.piles[to] += count
    return wrong


def _taken(seat: _Seat, source: str, count: int) -> str | None:
    there = seat.piles.get(source, 0)
    if not 0 < count <= there:
        return f"{count} cards leave {source}, which has {there}"
    seat.piles[source] -= count
    return None


def _counted(log: LoggedHand, end: Ended, seats: list[_Seat], report: Report) -> None:
    for score in end.scores:
        if not 0 <= score.seat < len(seats):
            continue  # the replay names it
        seat = seats[score.seat]
        lying = (len(seat.landed), seat.piles[Source.DEMON])
        if (score.foundation, score.demon) != lying:
            told = f"{score.foundation} on foundations and {score.demon} in the demon"
            report.add(log.fault(Fault.SCORE_WRONG, f"seat {score.seat}: told {told}, the ledger has {lying}", end.seq))
