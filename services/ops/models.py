"""The bodies of the console's REST calls. Knows nothing of gRPC and Redis."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

LONGEST_NOTICE = 300
"""Characters of a notice in one language."""
LONGEST_MINUTES = 24 * 60

State = Literal["open", "playing", "between", "ended", "closed"]
Language = Literal["en", "es", "pt", "ru"]
Text = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NOTICE, strip_whitespace=True)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True)


class Problem(_Answer):
    """What went wrong (RFC 9457); `code` is stable."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str


class Login(_Body):
    """A name and a password."""

    name: str = Field(max_length=100)
    password: str = Field(max_length=1000)
    token: bool = Field(False, description="Answer with a token for programs instead of a cookie.")


class Me(_Answer):
    """Who is logged in."""

    name: str
    role: Literal["viewer", "operator"]
    csrf: str = Field(description="To be sent as `X-CSRF-Token` with every POST and DELETE of a browser.")
    token: str = Field("", description="Sent as `Authorization: Bearer <token>`, if it was asked for.")


class Brief(_Answer):
    """A table in a list."""

    id: str
    code: str
    state: State
    public: bool
    frozen: bool
    seats: int
    people: int
    present: int = Field(description="How many people have a socket.")
    bots: int
    hand: int
    created_ms: int
    since_ms: int = Field(description="When the present state began.")
    names: list[str]


class Tables(_Answer):
    """One page of a list of tables."""

    tables: list[Brief]
    total: int = Field(description="How many fit the search, on all pages.")
    page: int


class Seat(_Answer):
    """One seat."""

    index: int
    player: str
    name: str
    bot: bool
    ready: bool
    present: bool
    total: int
    host: bool
    rtt_ms: int | None = Field(None, description="Round trip of its socket; null: not known.")
    sockets: int = Field(0, description="How many sockets its player has there.")


class Table(_Answer):
    """One table."""

    id: str
    state: State
    public: bool
    frozen: bool
    options: str
    match: str
    hand: int
    created_ms: int
    seats: list[Seat]
    watchers: int = Field(0, description="Sockets without a seat.")


class Process(_Answer):
    """A process of the platform."""

    name: str
    service: str
    host: str
    port: int
    pid: int
    started: int
    ready: bool
    draining: bool
    checks: dict[str, bool]
    cpu: float | None = Field(None, description="Share of one processor.")
    memory: int | None = Field(None, description="Resident bytes.")


class Point(_Answer):
    """The platform at one moment: rates per second since the moment before, latencies in ms."""

    at: int
    plays: float
    events: float
    contests: float = Field(description="Cards that met another one, per second.")
    ties: float
    seats: int = Field(description="Sockets with a seat.")
    spectators: int
    p50: float | None
    p95: float | None
    p99: float | None


class Notice(_Answer):
    """What all players are told."""

    id: str
    texts: dict[str, str]
    until: int


class Overview(_Answer):
    """The whole platform."""

    now: int
    paused: bool | None = Field(description="Whether no tables are opened; null: the lobby does not answer.")
    notice: Notice | None
    processes: list[Process]
    points: list[Point] = Field(description="After `since`, oldest first; kept while somebody looks.")


class NoticeRequest(_Body):
    """What all players shall be told."""

    texts: dict[Language, Text] = Field(description="English always; other languages if given.")
    minutes: int = Field(30, ge=1, le=LONGEST_MINUTES)


class CreationRequest(_Body):
    """Whether new tables are opened."""

    paused: bool


class Done(_Answer):
    """It was done."""

    done: bool = True


class AuditEntry(_Answer):
    """Who did what."""

    id: str
    at: int
    who: str
    address: str
    what: str
    on: str
    detail: str
    result: str


class Audit(_Answer):
    """Entries, newest first."""

    entries: list[AuditEntry]


class User(_Answer):
    """An account."""

    name: str
    role: Literal["viewer", "operator"]


class Users(_Answer):
    """Every account."""

    users: list[User]
