"""What the edge's REST answers and the socket's ``table`` frames say, typed. Shapes are docs/protocol.md's.

Unknown fields are ignored, so that a newer edge can serve an older client.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct


class TableState(StrEnum):
    """Where a table is in its life."""

    OPEN = "open"
    PLAYING = "playing"
    BETWEEN = "between"
    ENDED = "ended"
    CLOSED = "closed"


class Strength(StrEnum):
    """How well a bot plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Pace(StrEnum):
    """How fast a bot plays: with a person's pauses, or as soon as it may."""

    HUMAN = "human"
    FAST = "fast"


class Emote(StrEnum):
    """What a seat can say to everyone at the table."""

    HELLO = "hello"
    GOOD_LUCK = "good_luck"
    WELL_PLAYED = "well_played"
    NICE = "nice"
    OOPS = "oops"
    WOW = "wow"
    THINKING = "thinking"
    THANKS = "thanks"


class Guest(Struct, frozen=True):
    """A new player and the token of its session."""

    player: str
    name: str
    token: str


class Me(Struct, frozen=True):
    """Who a token belongs to; ``table`` is where the player sits."""

    player: str
    name: str
    table: str | None = None


class TableSeat(Struct, frozen=True):
    """A seat as the lobby knows it. ``player`` empty: free, or waiting for a bot."""

    index: int
    player: str = ""
    name: str = ""
    bot: bool = False
    strength: Strength | None = None
    pace: Pace | None = None
    ready: bool = False
    present: bool = False
    total: int = 0
    dispute: bool = False


class Team(Struct, frozen=True):
    """Seats that play together, and the sum of their points in the match."""

    seats: tuple[int, ...]
    total: int = 0


class Hint(Struct, frozen=True):
    """What a seat could do now, looked at after event ``seq``: a sentence by key, its arguments, and in English.

    ``action`` is the command's frame without ``n``, ``hand`` and ``seen``; None: there is nothing to do. ``wins``: it
    begins a line that wins a game of Aces Up.
    """

    seq: int
    key: str
    args: dict[str, str | int]
    text: str
    action: dict[str, Any] | None = None
    wins: bool = False


class Table(Struct, frozen=True):
    """A table as the lobby knows it; ``version`` rises with every change.

    ``options`` are all house rules, ``preset`` their name if they are one; there are ``teams`` only where partners play
    together. ``playoff``: the running hand, or else the next one, decides the match. ``disputable``: the last hand may
    be disputed now. ``code`` is short, to be told, and given as the ``invite`` is. ``frozen``: an operator holds it
    still, and no play counts.
    """

    id: str
    version: int
    state: TableState
    seats: tuple[TableSeat, ...]
    public: bool = False
    invite: str = ""
    code: str = ""
    host: str = ""
    options: dict[str, Any] = {}
    match: str = ""
    hand: int = 0
    commitment: str = ""
    winners: tuple[int, ...] = ()
    created_ms: int = 0
    preset: str | None = None
    teams: tuple[Team, ...] = ()
    playoff: bool = False
    disputable: bool = False
    frozen: bool = False

    def awaits(self, seat: int) -> bool:
        """Whether the next hand waits for this seat to be ready: its commitment is published, so a nonce counts."""
        between = self.state is TableState.OPEN or self.state is TableState.BETWEEN
        return between and bool(self.commitment) and not self.seats[seat].ready


class Invitation(Struct, frozen=True):
    """The table that has a code, and what lets one join it."""

    table: str
    invite: str = ""


class Seated(Struct, frozen=True):
    """A seat that was taken."""

    table: Table
    seat: int


class SeatScore(Struct, frozen=True):
    """A seat's line on the sheet of a hand (RD-12). ``total`` is after the hand."""

    seat: int
    points: int
    foundation: int = 0
    demon: int = 0
    player: str = ""
    name: str = ""
    bot: bool = False
    called: bool = False
    total: int = 0


class TeamScore(Struct, frozen=True):
    """A team's line on the sheet of a hand: the sums of its seats. ``total`` is after the hand."""

    seats: tuple[int, ...]
    points: int
    total: int = 0


class HandSheet(Struct, frozen=True):
    """A finished hand. ``why`` is ``called``, ``dead``, ``blocked`` or ``agreed``; else it counts for nobody.

    That is ``disputed`` (to be dealt again, as all agreed in it or after it) or ``void``.
    """

    hand: int
    why: str
    seats: tuple[SeatScore, ...] = ()
    ended_ms: int = 0
    teams: tuple[TeamScore, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it is in the totals."""
        return self.why not in ("disputed", "void")


class Match(Struct, frozen=True):
    """A match, with its hands, and how its teams stand, if it was asked for by id. ``winners`` are seats."""

    id: str
    table: str
    over: bool = False
    hands: tuple[HandSheet, ...] = ()
    winners: tuple[int, ...] = ()
    options: dict[str, Any] = {}
    started_ms: int = 0
    preset: str | None = None
    teams: tuple[Team, ...] = ()


class MatchPage(Struct, frozen=True):
    """Matches, newest first; an empty ``next_page_token`` is the end."""

    matches: tuple[Match, ...]
    next_page_token: str = ""


class LeaderboardEntry(Struct, frozen=True):
    """A player's standing."""

    player: str
    name: str
    matches: int = 0
    won: int = 0
    hands: int = 0
    points_per_hand: float = 0.0


class AcesUpGame(Struct, frozen=True):
    """A game of Aces Up that is over; its log is that of ``hand`` of ``match``.

    ``why`` is ``won``, ``lost`` or ``given_up``. ``counts``: it is the one of its deal that is in the statistics.
    """

    match: str
    hand: int
    table: str
    number: int
    why: str
    removed: int
    practice: bool = False
    auto_remove: bool = False
    started_ms: int = 0
    ended_ms: int = 0
    counts: bool = False


class AcesUpGamePage(Struct, frozen=True):
    """A player's games, newest first; an empty ``next_page_token`` is the end."""

    games: tuple[AcesUpGame, ...]
    next_page_token: str = ""


class AcesUpStatistics(Struct, frozen=True):
    """A player's figures over the first attempts at each deal; ``removed``, ``average`` and ``best`` are cards."""

    played: int
    won: int
    win_rate: float = 0.0
    streak: int = 0
    longest_streak: int = 0
    removed: int = 0
    average: float = 0.0
    best: int = 0


class AcesUpDaily(Struct, frozen=True):
    """The deal of a day (UTC), and the player's first attempt at it, once it is over."""

    date: str
    number: int
    game: AcesUpGame | None = None


class HouseRule(Struct, frozen=True):
    """An option of a table: one of ``choices``, or a number from ``lowest`` to ``highest``.

    ``per_seat``: it may also be a list of numbers, one for each seat.
    """

    name: str
    default: int | str
    choices: tuple[int | str, ...] | None = None
    lowest: int | None = None
    highest: int | None = None
    per_seat: bool = False


class Words(Struct, frozen=True):
    """What is shouted at a call, and what the pile is called."""

    call: str
    pile: str


class HouseRules(Struct, frozen=True):
    """What a table's options may be: each of them, and all options of each preset by its name."""

    options: tuple[HouseRule, ...]
    presets: dict[str, dict[str, Any]]
    pairs_seats: tuple[int, ...] = ()
    words: dict[str, Words] = {}
