"""What everybody may see of a table: the only state that players, bots and spectators have.

Built from a snapshot, or from nothing before the first hand, and advanced by events. It never holds a card that was not
shown.

>>> from services.rules.events import Prepared
>>> table = TableView().apply(Prepared(seq=1, at=0, hand=1, match="m1", seats=4, commitment="66…"))
>>> table.seq, table.phase, table.hand
(1, <Phase.PREPARED: 'prepared'>, 1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from services.rules import legal_moves
from services.rules.aces_up.events import AcesDealt, AcesEnded
from services.rules.aces_up.options import GAME
from services.rules.aces_up.view import View as GameView
from services.rules.cards import Card, card
from services.rules.events import (
    Asked,
    Called,
    Dealt,
    Ended,
    Event,
    Moved,
    Played,
    Prepared,
    Recycled,
    Returned,
    SeatEvent,
    Shifted,
    Started,
    Turned,
    Voted,
)
from services.rules.hand import Hand, Phase
from services.rules.layout import Layout, Pile
from services.rules.moves import COLUMN, Action, Choice, Source
from services.rules.options import RACING_DEMON, Options


class SequenceGap(ValueError):
    """An event came before the one that it follows: events between are missing."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat's layout as anybody sees it. In the waste, None is a card that lies there but was never shown."""

    demon_count: int
    demon_top: Card | None
    columns: tuple[Pile, Pile, Pile, Pile]
    stock_count: int
    waste: tuple[Card | None, ...]

    @property
    def waste_top(self) -> Card | None:
        """The waste's only available card."""
        return self.waste[-1] if self.waste else None


@dataclass(frozen=True, slots=True)
class FoundationView:
    """One foundation: the seats whose card lies at each rank, from the ace on."""

    suit: str
    ranks: tuple[tuple[int, ...], ...]

    @property
    def height(self) -> int:
        """The rank on top, 1 to 13."""
        return len(self.ranks)


@dataclass(frozen=True, slots=True)
class TableView:
    """The public state of a table after event ``seq``.

    Before the first hand everything is empty. Seats and votes are by seat number; times are ms. ``asked``: nobody has
    made progress for a while, and the seats were asked what to do. A table of Aces Up has a ``game`` instead of seats,
    foundations and options.
    """

    seq: int = 0
    phase: Phase | None = None
    hand: int = 0
    match: str = ""
    options: Options = RACING_DEMON
    commitment: str = ""
    start_at: int | None = None
    closes_at: int | None = None
    progress: int = 0
    callers: tuple[int, ...] = ()
    votes: tuple[Choice | None, ...] = ()
    asked: bool = False
    seats: tuple[SeatView, ...] = ()
    foundations: tuple[FoundationView, ...] = ()
    game: GameView | None = None

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any]) -> TableView:
        """The view that a snapshot frame holds (docs/protocol.md). Of the waste only the top is known.

        Raises KeyError, TypeError or ValueError for anything else.
        """
        if (snapshot["options"] or {}).get("game") == GAME:
            return cls(
                seq=snapshot["seq"],
                phase=Phase(snapshot["phase"]),
                hand=snapshot["hand"],
                match=snapshot["match"],
                commitment=snapshot["commitment"],
                start_at=snapshot["start_at"],
                game=GameView.from_snapshot(snapshot),
            )
        votes = {int(seat): Choice(choice) for seat, choice in snapshot["votes"].items()}
        return cls(
            seq=snapshot["seq"],
            phase=Phase(snapshot["phase"]),
            hand=snapshot["hand"],
            match=snapshot["match"],
            options=Options.from_mapping(snapshot["options"] or {}),
            commitment=snapshot["commitment"],
            start_at=snapshot["start_at"],
            closes_at=snapshot["closes_at"],
            progress=snapshot["progress"],
            callers=tuple(snapshot["callers"]),
            votes=tuple(votes.get(seat) for seat in range(len(snapshot["seats"]))),
            asked=snapshot["asked"],
            seats=tuple(map(_seat_of_snapshot, snapshot["seats"])),
            foundations=tuple(
                FoundationView(f["suit"], tuple(map(tuple, f["ranks"]))) for f in snapshot["foundations"]
            ),
        )

    def apply(self, event: Event) -> TableView:
        """The view one event later. An event that was applied before changes nothing, so that it may come twice.

        Raises :class:`SequenceGap` if events are missing between.
        """
        if event.seq <= self.seq:
            return self
        if event.seq != self.seq + 1:
            raise SequenceGap(f"event {event.seq} after {self.seq}")
        if isinstance(event, SeatEvent):
            if self.game is not None:
                return replace(self, seq=event.seq, game=self.game.apply(event))
            return self._after_command(event)
        match event:
            case Prepared():
                return TableView(event.seq, Phase.PREPARED, event.hand, event.match, commitment=event.commitment)
            case Dealt():
                return self._dealt(event)
            case AcesDealt(hand=hand, match=match, commitment=commitment, start_at=at):
                game = GameView.dealt(event)
                return TableView(event.seq, Phase.DEALT, hand, match, commitment=commitment, start_at=at, game=game)
            case AcesEnded():
                return replace(self, seq=event.seq, phase=Phase.OVER)
            case Started():
                return replace(self, seq=event.seq, phase=Phase.PLAYING)
            case Shifted():
                seats = tuple(
                    replace(seat, stock_count=seat.stock_count + len(seat.waste), waste=()) for seat in self.seats
                )
                return replace(self, seq=event.seq, seats=seats, votes=(None,) * len(seats), asked=False)
            case Asked():
                return replace(self, seq=event.seq, asked=True)
            case Ended():
                return replace(self, seq=event.seq, phase=Phase.OVER, callers=event.callers)
        raise TypeError(f"no such event: {event!r}")

    def legal_moves(self, seat: int) -> list[Action]:
        """What ``seat`` may do now, votes left out; nothing while no hand of Racing Demon is running."""
        if self.phase is not Phase.PLAYING or self.game is not None:
            return []
        return legal_moves.legal_moves(self.seats[seat], self.foundations, self.options)

    def newcomer(self) -> TableView:
        """The same table as somebody sees it who comes only now: of each waste, the top."""
        return replace(
            self,
            seats=tuple(replace(seat, waste=_waste(len(seat.waste), seat.waste_top)) for seat in self.seats),
        )

    def _dealt(self, event: Dealt) -> TableView:
        seats = tuple(
            SeatView(dealt.demon, dealt.top, _columns([(c,) for c in dealt.columns]), dealt.stock, ())
            for dealt in event.layouts
        )
        return TableView(
            event.seq,
            Phase.DEALT,
            event.hand,
            event.match,
            event.options,
            event.commitment,
            event.start_at,
            seats=seats,
            votes=(None,) * len(seats),
        )

    def _after_command(self, event: SeatEvent) -> TableView:
        seat = self.seats[event.seat]
        match event:
            case Moved(source=source, to=to, count=count, shows=shows):
                tail = _tail(seat, source, event.card, count)
                moved = _put(_without(seat, source, count, shows), COLUMN.index(to), tail)
                return self._with_seat(event, moved, progress=source not in COLUMN)
            case Turned(count=count, shows=shows):
                waste = (*seat.waste, *(None,) * (count - 1), shows)
                return self._with_seat(event, replace(seat, stock_count=seat.stock_count - count, waste=waste))
            case Recycled(count=count):
                return self._with_seat(event, replace(seat, stock_count=count, waste=()))
            case Played(source=source, shows=shows):
                after = self._with_seat(event, _without(seat, source, 1, shows), progress=True)
                return replace(after, foundations=_landed(self.foundations, event))
            case Returned():
                return replace(self, seq=event.seq)
            case Called():
                return replace(
                    self,
                    seq=event.seq,
                    phase=Phase.CLOSING,
                    closes_at=event.closes_at,
                    callers=(*self.callers, event.seat),
                )
            case Voted(choice=choice):
                kept = None if choice is Choice.WITHDRAW else choice
                votes = tuple(kept if i == event.seat else vote for i, vote in enumerate(self.votes))
                return replace(self, seq=event.seq, votes=votes)
        raise TypeError(f"no such event: {event!r}")

    def _with_seat(self, event: SeatEvent, seat: SeatView, *, progress: bool = False) -> TableView:
        return replace(
            self,
            seq=event.seq,
            seats=(*self.seats[: event.seat], seat, *self.seats[event.seat + 1 :]),
            progress=self.progress + progress,
            votes=(None,) * len(self.votes) if progress else self.votes,
            asked=self.asked and not progress,
        )


def view(hand: Hand) -> TableView:
    """What a newcomer may see of a hand."""
    return TableView(
        seq=hand.seq,
        phase=hand.phase,
        hand=hand.number,
        match=hand.match,
        options=hand.options,
        commitment=hand.commitment,
        start_at=hand.start_at,
        closes_at=hand.closes_at,
        progress=hand.progress,
        callers=hand.callers,
        votes=hand.votes,
        asked=hand.asked,
        seats=tuple(map(_seat_of_layout, hand.layouts)),
        foundations=tuple(FoundationView(f.suit, tuple(slot.seats for slot in f.slots)) for f in hand.foundations),
    )


def _seat_of_layout(layout: Layout) -> SeatView:
    waste = _waste(len(layout.waste), layout.waste_top)
    return SeatView(len(layout.demon), layout.demon_top, layout.columns, layout.stock_count, waste)


def _seat_of_snapshot(seat: Mapping[str, Any]) -> SeatView:
    top, waste_top = seat["top"], seat["waste_top"]
    return SeatView(
        demon_count=seat["demon"],
        demon_top=None if top is None else card(top),
        columns=_columns([tuple(map(card, column)) for column in seat["columns"]]),
        stock_count=seat["stock"],
        waste=_waste(seat["waste"], None if waste_top is None else card(waste_top)),
    )


def _waste(count: int, top: Card | None) -> tuple[Card | None, ...]:
    return (*(None,) * (count - 1), top) if count else ()


def _columns(columns: list[Pile]) -> tuple[Pile, Pile, Pile, Pile]:
    c0, c1, c2, c3 = columns
    return c0, c1, c2, c3


def _tail(seat: SeatView, source: Source, moved: Card, count: int) -> Pile:
    return seat.columns[COLUMN.index(source)][-count:] if source in COLUMN else (moved,)


def _put(seat: SeatView, column: int, tail: Pile) -> SeatView:
    columns = list(seat.columns)
    columns[column] += tail
    return replace(seat, columns=_columns(columns))


def _without(seat: SeatView, source: Source, count: int, shows: Card | None) -> SeatView:
    """The seat without the cards that left ``source``, and with the card that this showed."""
    if source is Source.DEMON:
        return replace(seat, demon_count=seat.demon_count - 1, demon_top=shows)
    if source is Source.WASTE:
        rest = seat.waste[:-1]
        return replace(seat, waste=(*rest[:-1], shows) if rest else ())
    columns = list(seat.columns)
    i = COLUMN.index(source)
    columns[i] = columns[i][:-count]
    return replace(seat, columns=_columns(columns))


def _landed(foundations: tuple[FoundationView, ...], event: Played) -> tuple[FoundationView, ...]:
    if event.f == len(foundations):
        return (*foundations, FoundationView(event.card.suit, ((event.seat,),)))
    ranks = foundations[event.f].ranks
    at = event.rank - 1
    beside = ranks[at] if at < len(ranks) else ()
    built = FoundationView(event.card.suit, (*ranks[:at], (*beside, event.seat), *ranks[event.rank :]))
    return (*foundations[: event.f], built, *foundations[event.f + 1 :])
