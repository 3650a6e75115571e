"""The bodies of the REST calls (docs/protocol.md). Knows nothing of gRPC."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt

Strength = Literal["easy", "medium", "hard"]
Pace = Literal["human", "fast"]
TableState = Literal["open", "playing", "between", "ended", "closed"]
SeatIndex = Annotated[int, Field(ge=0, le=7)]


class _Body(BaseModel):
    """What a client sends: unknown fields are refused, so that a misspelt one is noticed, and "4" is no 4."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


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
    dispute: bool = Field(description="Asks to have the last hand void and dealt again.")


class Team(_Answer):
    """Seats that play together."""

    seats: list[int]
    total: int = Field(description="Points of the match so far, of all its seats.")


class Table(_Answer):
    """A table."""

    id: str
    version: int = Field(description="Rises with every change.")
    state: TableState
    public: bool
    invite: str = Field(description="Empty for everyone but the host and those seated.")
    code: str = Field("", description="Short, to be told and typed; given as the invite is.")
    host: str
    options: dict[str, Any] = Field(description="All house rules.")
    preset: str | None = Field(description="The preset that the house rules are, if they are one.")
    seats: list[Seat]
    teams: list[Team] = Field(description="Empty where every seat plays for itself.")
    match: str
    hand: int = Field(description="Number of the hand in the match, from 1; 0 before the first.")
    commitment: str = Field(description="Hash of the next hand's secret, once prepared.")
    winners: list[int] = Field(description="All seats that won; of teams all their seats.")
    playoff: bool = Field(description="Whether the running hand, or else the next one, is the playoff.")
    disputable: bool = Field(description="Whether the last hand may be disputed now.")
    created_ms: int
    frozen: bool = Field(False, description="Whether an operator holds it still: no play counts and nothing falls due.")


class Notice(_Answer):
    """What the operators tell all players."""

    id: str = Field(description="Empty: there is nothing to be told.")
    texts: dict[str, str] = Field(description="By language: en, and others if given.")
    until: int = Field(description="When it is no news any more, ms since 1970.")


class Tables(_Answer):
    """Public tables, newest first."""

    tables: list[Table]
    watchers: dict[str, int] = Field(
        default_factory=dict, description="How many watch, by table; only those that somebody watches."
    )


class Invitation(_Answer):
    """The table that has a code, and what lets its bearer join."""

    table: str
    invite: str = Field(description="Empty at a public table.")


class TableRequest(_Body):
    """A new table."""

    seats: int = Field(4, ge=2, le=8)
    public: bool = True
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="House rules; those left out are the default, or those of the `preset` that is named here.",
        examples=[{"preset": "nerts", "target": 50}],
    )
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


class DisputeRequest(_Body):
    """Has the last hand dealt again."""

    withdraw: bool = Field(False, description="Takes back what was asked for.")


class QuickPlayRequest(_Body):
    """A seat somewhere."""

    seats: int = Field(4, ge=2, le=8)


class SeatTaken(_Answer):
    """A seat at a table."""

    table: Table
    seat: int


class Hint(_Answer):
    """What a seat could do now."""

    seq: int = Field(description="The event up to which the table was looked at.")
    key: str = Field(description="What to say; every key is in docs/protocol.md.")
    args: dict[str, str | int] = Field(description="The cards, places and numbers of the sentence.")
    text: str = Field(description="The sentence in English, in the table's own words.")
    action: dict[str, Any] | None = Field(
        description="The command's frame without `n`, `hand`, `seen` and `digest`, if any."
    )
    wins: bool = Field(False, description="Of Aces Up: it begins a line that wins. False: none is known.")


class Outlook(_Answer):
    """Whether a game of Aces Up can still be won."""

    winnable: bool | None = Field(description="Null: not decided within the time that a question has.")


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


class TeamScore(_Answer):
    """One team's line of a hand's sheet."""

    seats: list[int]
    points: int
    total: int = Field(description="After this hand.")


class HandSheet(_Answer):
    """How a hand ended."""

    hand: int
    why: str = Field(
        description="`called`, `dead`, `blocked` or `agreed`; or, counting for nobody, `disputed` (to be dealt again, "
        "as all agreed in the hand or after it) or `void`."
    )
    seats: list[SeatScore]
    teams: list[TeamScore] = Field(description="Empty where every seat plays for itself.")
    ended_ms: int


class Match(_Answer):
    """A match."""

    id: str
    table: str = Field(description="Empty for everyone but who played there.")
    options: dict[str, Any]
    preset: str | None = Field(description="The preset that the house rules are, if they are one.")
    hands: list[HandSheet] = Field(description="Empty in lists.")
    teams: list[Team] = Field(description="Empty in lists, and where every seat plays for itself.")
    over: bool
    winners: list[int] = Field(description="All seats that won; of teams all their seats.")
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


class Option(_Answer):
    """A house rule: one of `choices`, or a number from `lowest` to `highest`."""

    name: str
    default: int | str
    choices: list[int | str] | None
    lowest: int | None
    highest: int | None
    per_seat: bool = Field(description="May also be a list of numbers, one for each seat: a handicap.")


class Words(_Answer):
    """What is shouted at a call, and what the pile is called: words, no rule."""

    call: str
    pile: str


class HouseRules(_Answer):
    """Everything that a table's `options` may be."""

    options: list[Option]
    presets: dict[str, dict[str, Any]] = Field(description="All options of each preset, by its name.")
    pairs_seats: list[int] = Field(description="How many seats a table with `teams` pairs may have.")
    words: dict[str, Words] = Field(description="What the values of the option `names` stand for.")


class AcesUpRequest(_Body):
    """A game of Aces Up; `number`, `daily` and `winnable` exclude each other, without any it is a random deal."""

    number: StrictInt | None = Field(None, description="Of the deal: 1 to 2147483648.", examples=[7])
    daily: bool = Field(False, description="The deal of this day (UTC).")
    winnable: bool = Field(False, description="A random deal that can be won.")
    practice: bool = Field(False, description="Steps can be taken back; counts nowhere.")
    auto_remove: bool = Field(False, description="Whatever may be removed is, after each action.")


class AcesUpGame(_Answer):
    """A game that is over. Its log is that of hand `hand` of match `match`."""

    match: str
    hand: int
    table: str
    number: int = Field(description="Of the deal.")
    practice: bool
    auto_remove: bool
    why: str = Field(description="`won`, `lost`, `given_up`; `void` counts nowhere.")
    removed: int = Field(description="How many cards were removed; 48 of a game that was won.")
    started_ms: int
    ended_ms: int
    counts: bool = Field(description="Whether it is the one of its deal that is in the statistics.")


class AcesUpGames(_Answer):
    """A player's games, newest first."""

    games: list[AcesUpGame]
    next_page_token: str = Field(description="Empty: these were the last.")


class AcesUpStatistics(_Answer):
    """A player's figures over one game of each deal: the first attempt."""

    played: int
    won: int
    win_rate: float = Field(description="0 to 1; 0 as long as nothing was played.")
    streak: int = Field(description="Games won in a row, up to the last one.")
    longest_streak: int
    removed: int = Field(description="Cards in all games.")
    average: float = Field(description="Cards in a game.")
    best: int = Field(description="Cards in the best game.")


class AcesUpDaily(_Answer):
    """The deal of the day."""

    date: str = Field(description="UTC, as YYYY-MM-DD.")
    number: int
    game: AcesUpGame | None = Field(description="The player's first attempt, once it is over.")


class Problem(_Answer):
    """What went wrong (RFC 9457). Programs look at `code`."""

    type: str = Field("about:blank", description="Always `about:blank`: `code` says which problem it is.")
    title: str
    status: int
    detail: str
    code: str
    option: str | None = Field(None, description="The refused option, where that is what was wrong.")
