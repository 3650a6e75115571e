"""The bodies of the REST calls (docs/protocol.md). Knows nothing of gRPC."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Strength = Literal["easy", "medium", "hard"]
Pace = Literal["human", "fast"]
TableState = Literal["open", "playing", "between", "ended", "closed"]
SeatIndex = Annotated[int, Field(ge=0, le=7)]


class _Body(BaseModel):
    """What a client sends: unknown fields are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Answer(BaseModel):
    """What a client gets."""

    model_config = ConfigDict(frozen=True)


class GuestRequest(_Body):
    """A new guest."""

    name: str = Field(max_length=200, description="1 to 20 visible characters.", examples=["Ada"])


class Guest(_Answer):
    """A guest and its session."""

    player: str
    name: str
    token: str = Field(description="Sent as `Authorization: Bearer <token>`; lives 30 days after its last use.")


class Me(_Answer):
    """Who the token belongs to."""

    player: str
    name: str
    table: str | None = Field(description="The table where the player sits.")


class Seat(_Answer):
    """One seat of a table."""

    index: int
    player: str = Field(description="Empty: free, or a bot that has not come yet.")
    name: str
    bot: bool
    strength: Strength | None = Field(description="Of a bot.")
    pace: Pace | None = Field(description="Of a bot.")
    ready: bool
    present: bool
    total: int = Field(description="Points of the match so far.")


class Table(_Answer):
    """A table."""

    id: str
    version: int = Field(description="Rises with every change.")
    state: TableState
    public: bool
    invite: str = Field(description="Empty for everyone but the host and those seated.")
    host: str
    options: dict[str, Any]
    seats: list[Seat]
    match: str
    hand: int = Field(description="Number of the hand in the match, from 1; 0 before the first.")
    commitment: str = Field(description="Hash of the next hand's secret, once prepared.")
    winners: list[int]
    created_ms: int


class Tables(_Answer):
    """Public tables, newest first."""

    tables: list[Table]


class TableRequest(_Body):
    """A new table."""

    seats: int = Field(4, ge=2, le=8)
    public: bool = True
    options: dict[str, Any] = Field(default_factory=dict, description="House rules; those left out are the default.")
    host_plays: bool = Field(True, description="The host takes seat 0. False: a table to watch.")
    bots: int = Field(0, ge=0, le=8, description="Seats for bots, at once.")
    strength: Strength = "medium"
    pace: Pace = "human"


class JoinRequest(_Body):
    """Takes a seat; a table that is not public asks for its invite."""

    invite: str = Field("", max_length=200)


class BotRequest(_Body):
    """A bot for a free seat."""

    strength: Strength = "medium"
    pace: Pace = "human"


class QuickPlayRequest(_Body):
    """A seat somewhere."""

    seats: int = Field(4, ge=2, le=8)


class SeatTaken(_Answer):
    """A seat at a table."""

    table: Table
    seat: int


class SeatScore(_Answer):
    """One seat's line of a hand's sheet."""

    seat: int
    player: str
    name: str
    bot: bool
    foundation: int = Field(description="Own cards on the foundations.")
    demon: int = Field(description="Cards left in the demon.")
    called: bool
    points: int
    total: int = Field(description="After this hand.")


class HandSheet(_Answer):
    """How a hand ended."""

    hand: int
    why: str = Field(description="`called`, `dead`, `agreed` or `void`.")
    seats: list[SeatScore]
    ended_ms: int


class Match(_Answer):
    """A match."""

    id: str
    table: str
    options: dict[str, Any]
    hands: list[HandSheet] = Field(description="Empty in lists.")
    over: bool
    winners: list[int]
    started_ms: int


class Matches(_Answer):
    """Matches, newest first."""

    matches: list[Match]
    next_page_token: str = Field(description="Empty: these were the last.")


class HandLog(_Answer):
    """A hand's full log, as it was published."""

    events: list[dict[str, Any]]


class LeaderboardEntry(_Answer):
    """One player's line."""

    player: str
    name: str
    matches: int
    won: int
    hands: int
    points_per_hand: float


class Leaderboard(_Answer):
    """Players by matches won, then by average points of a hand."""

    entries: list[LeaderboardEntry]


class Problem(_Answer):
    """What went wrong (RFC 9457). Programs look at `code`."""

    type: str = Field("about:blank", description="Always `about:blank`: `code` says which problem it is.")
    title: str
    status: int
    detail: str
    code: str
    option: str | None = Field(None, description="The refused option, where that is what was wrong.")
