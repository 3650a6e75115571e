"""Events: what happened at a table, in the log's own words (docs/protocol.md, "Events").

The fields of each class, after ``seq``, ``at`` and ``e``, are the wire's keys in the wire's order, so this file is the
one place where that order is written in Python. Knows nothing of why something happened.

An event's *body* is its bytes up to, not including, ``,"digest":`` (so without the closing brace): what the digest
chain is computed over.

>>> body = encode_body(Started(seq=3, at=1700000000000, hand=1))
>>> body
'{"seq":3,"at":1700000000000,"e":"start","hand":1'
>>> text = seal(body, digest("", body))
>>> text
'{"seq":3,"at":1700000000000,"e":"start","hand":1,"digest":"551d44192bc41ac1"}'
>>> parse(text), unseal(text) == (body, digest("", body))
(Started(seq=3, at=1700000000000, hand=1), True)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, get_type_hints

from services.rules import readers
from services.rules.aces_up import events as aces_up
from services.rules.aces_up.options import AcesUpOptions
from services.rules.cards import Card, card
from services.rules.contest import Contest
from services.rules.event import Event as Event
from services.rules.event import Player as Player
from services.rules.event import SeatEvent as SeatEvent
from services.rules.moves import Choice, Source
from services.rules.options import Options
from services.rules.scoring import SeatScore


class BadEvent(ValueError):
    """The text is no event of the protocol."""


class ShiftWhy(StrEnum):
    """Why all stocks were shifted (RD-10)."""

    BLOCKED = "blocked"
    AGREED = "agreed"


class EndWhy(StrEnum):
    """Why a hand ended (RD-10, RD-11).

    It was called; no shift would ever free anybody; all were blocked and there are no shifts; all agreed to end it. The
    last two have no scores: all agreed to deal a disputed hand again; it was given up.
    """

    CALLED = "called"
    DEAD = "dead"
    BLOCKED = "blocked"
    AGREED = "agreed"
    DISPUTED = "disputed"
    VOID = "void"

    @property
    def counts(self) -> bool:
        """Whether the hand is scored."""
        return self not in (EndWhy.DISPUTED, EndWhy.VOID)


@dataclass(frozen=True, slots=True)
class DealtSeat:
    """What everyone sees of a fresh layout (RD-2): how many cards in the demon, its top, the columns, the stock."""

    demon: int
    top: Card
    columns: tuple[Card, ...]
    stock: int


@dataclass(frozen=True, slots=True)
class Prepared(Event):
    """The secret of the next hand is chosen; its hash binds the platform."""

    e: ClassVar[str] = "prepare"
    hand: int
    match: str
    seats: int
    commitment: str


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """The cards lie, face up what everyone may see; the countdown runs until ``start_at``."""

    e: ClassVar[str] = "deal"
    hand: int
    match: str
    options: Options
    commitment: str
    seats: tuple[Player, ...]
    start_at: int
    layouts: tuple[DealtSeat, ...]


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The signal on which everyone begins (RD-3)."""

    e: ClassVar[str] = "start"
    hand: int


@dataclass(frozen=True, slots=True)
class Moved(SeatEvent):
    """``count`` cards, the first of them ``card``, went to a column."""

    e: ClassVar[str] = "move"
    source: Source
    card: Card
    to: Source
    count: int
    shows: Card | None


@dataclass(frozen=True, slots=True)
class Turned(SeatEvent):
    """A packet of ``count`` cards went from the stock to the waste."""

    e: ClassVar[str] = "turn"
    count: int
    shows: Card | None


@dataclass(frozen=True, slots=True)
class Recycled(SeatEvent):
    """The waste's ``count`` cards were turned over and are the stock."""

    e: ClassVar[str] = "recycle"
    count: int


@dataclass(frozen=True, slots=True)
class Played(SeatEvent):
    """A card reached foundation ``f``; ``to`` is what was asked (None: any)."""

    e: ClassVar[str] = "play"
    source: Source
    card: Card
    to: int | None
    shows: Card | None
    f: int
    rank: int
    tie: bool


@dataclass(frozen=True, slots=True)
class Returned(SeatEvent):
    """A card lost its place at foundation ``f`` to the seats ``first``, who had it ``gap`` ms before it arrived."""

    e: ClassVar[str] = "return"
    source: Source
    card: Card
    to: int | None
    f: int
    rank: int
    why: Contest
    first: tuple[int, ...]
    gap: int


@dataclass(frozen=True, slots=True)
class Called(SeatEvent):
    """The hand was called; cards in motion arrive until ``closes_at`` (RD-11)."""

    e: ClassVar[str] = "call"
    closes_at: int


@dataclass(frozen=True, slots=True)
class Voted(SeatEvent):
    """A seat consents to something, or no longer."""

    e: ClassVar[str] = "vote"
    choice: Choice
    progress: int


@dataclass(frozen=True, slots=True)
class Shifted(Event):
    """``away`` lists the seats that were absent and so had no say."""

    e: ClassVar[str] = "shift"
    why: ShiftWhy
    progress: int
    away: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """Nobody has made progress for a while though somebody could: the seats are asked what to do (RD-10)."""

    e: ClassVar[str] = "ask"
    progress: int


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The hand is over; the secret proves the deal. ``away`` as in :class:`Shifted`.

    ``looked`` is the proof of a hand that is dead or blocked: for each seat the cards that were taken as tops and none
    of which makes progress possible (RD-10 c, e). Absent seats have none, and neither have hands that ended otherwise.
    """

    e: ClassVar[str] = "end"
    hand: int
    match: str
    why: EndWhy
    callers: tuple[int, ...]
    away: tuple[int, ...]
    looked: tuple[tuple[Card, ...], ...]
    secret: str
    scores: tuple[SeatScore, ...]


EVENTS: Final[dict[str, type[Event]]] = {
    kind.e: kind
    for kind in (
        Prepared,
        Dealt,
        Started,
        Moved,
        Turned,
        Recycled,
        Played,
        Returned,
        Called,
        Voted,
        Shifted,
        Asked,
        Ended,
    )
} | {kind.e: kind for kind in aces_up.KINDS}

_DIGEST: Final = ',"digest":"'
_DIGEST_LENGTH: Final = 16


def encode_body(event: Event) -> str:
    """The event's bytes up to its digest: ASCII, no blanks, keys in the protocol's order, no closing brace."""
    first = {"seq": event.seq, "at": event.at, "e": event.e}
    pairs = first | {key: getattr(event, name) for name, key, _ in _PLANS[type(event)]}
    return json.dumps(pairs, separators=(",", ":"), default=_plain)[:-1]


def digest(previous: str, body: str) -> str:
    """The event's digest: 16 hex digits that name the whole history up to it.

    ``previous`` is the digest of the event before, "" for a table's first.
    """
    return hashlib.sha1((previous + body).encode(), usedforsecurity=False).hexdigest()[:_DIGEST_LENGTH]


def seal(body: str, digest: str) -> str:
    """The event as clients and the log get it."""
    return f'{body}{_DIGEST}{digest}"}}'


def unseal(text: bytes | str) -> tuple[str, str]:
    """Body and digest of a sealed event. Raises :class:`BadEvent`."""
    if not text.isascii():
        raise BadEvent("not ASCII")
    if isinstance(text, bytes):
        text = text.decode()
    body, found, rest = text.rpartition(_DIGEST)
    if not found or len(rest) != _DIGEST_LENGTH + 2 or not rest.endswith('"}'):
        raise BadEvent(f"no digest at the end: {text[-60:]!r}")
    return body, rest[:-2]


def parse(text: bytes | str) -> Event:
    """The event that a sealed text says (the digest is not looked at). Raises :class:`BadEvent`."""
    try:
        found = json.loads(text)
        kind = EVENTS[found["e"]]
        values = {name: read(found[key]) for name, key, read in _PLANS[kind]}
        return kind(**values)
    except (ValueError, KeyError, TypeError, RecursionError) as wrong:
        raise BadEvent(f"{type(wrong).__name__}: {wrong}") from None


def _plain(value: object) -> object:
    """What ``json`` can't write by itself: cards, and small records of fields."""
    if isinstance(value, Card):
        return value.text
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"no event holds a {type(value).__name__}")


_READ: dict[Any, Callable[[Any], Any]] = {
    int: readers.exactly(int),
    str: readers.exactly(str),
    bool: readers.exactly(bool),
    int | None: readers.optional(readers.exactly(int)),
    tuple[int, ...]: readers.several(readers.exactly(int)),
    Card: card,
    Card | None: readers.optional(card),
    tuple[Card, ...]: readers.several(card),
    tuple[tuple[Card, ...], ...]: readers.several(readers.several(card)),
    Source: Source,
    Choice: Choice,
    Contest: Contest,
    ShiftWhy: ShiftWhy,
    EndWhy: EndWhy,
    Options: Options.from_mapping,
    AcesUpOptions: AcesUpOptions.from_mapping,
    aces_up.AcesEndWhy: aces_up.AcesEndWhy,
}
for _kind in (Player, DealtSeat, SeatScore):
    _READ[tuple[_kind, ...]] = readers.several(readers.record(_kind, _READ))  # type: ignore[valid-type]

_PLANS: Final = {
    kind: [
        (field.name, "from" if field.name == "source" else field.name, _READ[get_type_hints(kind)[field.name]])
        for field in fields(kind)
    ]
    for kind in EVENTS.values()
}
"""For each kind of event: field, wire key and reader, in the wire's order."""
