"""What passes through the edge as bytes that it never reads, as types: events, verdicts and snapshots.

Only the schema is made of them (``schema``); the tests hold them to what the rules and the engine write.
"""

from __future__ import annotations

from dataclasses import fields
from types import GenericAlias, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from services.gateway.frames import CardName
from services.rules.aces_up.moves import Reason as AcesUpReason
from services.rules.cards import Card
from services.rules.contest import Contest
from services.rules.event import Event
from services.rules.events import EVENTS
from services.rules.hand import Phase
from services.rules.moves import Choice, Reason
from services.rules.options import Options

SeatNumber = Annotated[int, Meta(ge=0, le=7)]
Digest = Annotated[str, Meta(min_length=16, max_length=16)]


def _event(kind: type[Event]) -> type[Struct]:
    """The event's frame: its fields under the wire's keys, and the digest."""
    hints = get_type_hints(kind)
    columns = [
        (field.name, _on_the_wire(hints[field.name]), msgspec.field(name="from" if field.name == "source" else None))
        for field in fields(kind)
    ]
    return defstruct(
        kind.__name__,
        [*columns, ("digest", Digest)],
        tag_field="e",
        tag=kind.e,
        frozen=True,
        namespace={"__doc__": (kind.__doc__ or "").partition("\n")[0]},
    )


def _on_the_wire(hint: Any) -> Any:
    """The type of a field's value in JSON: cards are their names."""
    if hint is Card:
        return CardName
    origin, inner = get_origin(hint), get_args(hint)
    if origin is tuple:
        return GenericAlias(tuple, (*(each if each is ... else _on_the_wire(each) for each in inner),))
    if origin in (Union, UnionType):
        return Union[(*map(_on_the_wire, inner),)]
    if isinstance(hint, type) and any(Card in _parts(each) for each in get_type_hints(hint).values()):
        return _record(hint)
    return hint


def _parts(hint: Any) -> set[Any]:
    return {hint}.union(*(_parts(each) for each in get_args(hint)))


def _record(kind: type) -> type[Struct]:
    hints = get_type_hints(kind)
    columns = [(field.name, _on_the_wire(hints[field.name])) for field in fields(kind)]
    return defstruct(kind.__name__, columns, frozen=True)


EVENT_FRAMES: Final[dict[str, type[Struct]]] = {e: _event(kind) for e, kind in EVENTS.items()}
"""The frame of each kind of event, by what its ``e`` says."""


if TYPE_CHECKING:
    Why = str
else:  # every reason that a verdict may have, of both games, as one type
    Why = Literal[tuple(dict.fromkeys(map(str, (*Reason, *AcesUpReason, Contest.LATE, Contest.SEEN))))]


class _Frame(Struct, frozen=True, tag_field="t"):
    """A frame; ``t`` names its type."""


class Verdict(_Frame, frozen=True, tag="verdict"):
    """The answer to the seat's command ``n``; what is there beside ``v`` depends on it (docs/protocol.md)."""

    n: int
    v: Literal["applied", "tied", "returned", "refused", "out_of_order", "taken_over", "set_back"]
    seq: int | UnsetType = UNSET
    f: int | UnsetType = UNSET
    why: Why | UnsetType = UNSET
    last: int | UnsetType = UNSET


class SeatShown(Struct, frozen=True):
    """One seat's layout; of hidden cards the number only."""

    demon: int
    top: CardName | None
    columns: tuple[tuple[CardName, ...], ...]
    stock: int
    waste: int
    waste_top: CardName | None


class FoundationShown(Struct, frozen=True):
    """One foundation: the seats whose card lies at each rank, from the ace on."""

    suit: Literal["C", "D", "H", "S"]
    ranks: tuple[tuple[SeatNumber, ...], ...]


class Snapshot(_Frame, frozen=True, tag="snapshot"):
    """A table of Racing Demon as a newcomer sees it."""

    seq: int
    digest: Digest
    phase: Phase
    hand: int
    match: str
    options: Options
    commitment: str
    start_at: int | None
    closes_at: int | None
    progress: int
    callers: tuple[SeatNumber, ...]
    votes: dict[str, Choice]
    asked: bool
    away: tuple[SeatNumber, ...]
    seats: tuple[SeatShown, ...]
    foundations: tuple[FoundationShown, ...]
    last_n: tuple[int, ...]


class GameOptions(Struct, frozen=True):
    """How a game of Aces Up is played."""

    game: Literal["aces_up"]
    number: int
    practice: bool
    auto_remove: bool


class GameSnapshot(_Frame, frozen=True, tag="snapshot"):
    """A game of Aces Up as a newcomer sees it."""

    seq: int
    digest: Digest
    phase: Phase
    hand: int
    match: str
    options: GameOptions
    commitment: str
    start_at: int | None
    piles: tuple[tuple[CardName, ...], ...]
    stock: int
    undoable: int
    redoable: int
    last_n: tuple[int, ...]
