"""What the director of a run and its generator processes tell each other, as msgpack on a pipe."""

from __future__ import annotations

from multiprocessing.connection import Connection
from typing import Final

import msgspec
from msgspec import Struct

from services.loadtest.scenario import Scenario


class Addresses(Struct, frozen=True):
    """Where a direct run goes: ``host:port`` of the engines and the lobby, the URL of Redis."""

    engines: list[str]
    lobby: str
    redis_url: str


class Order(Struct, frozen=True, tag=True):
    """The first message: what a process is to do. ``first`` is the number of its first table in the run.

    ``direct``: play is not over the gateways at ``urls``, which then only seat the players and tell the logs.
    """

    process: int
    scenario: Scenario
    urls: list[str]
    first: int
    tables: int
    folder: str
    seed: int
    direct: Addresses | None = None


class Crowd(Struct, frozen=True, tag=True):
    """The table that the spectators watch."""

    table: str


class Begin(Struct, frozen=True, tag=True):
    """Play begins at this time of the machine's monotonic clock, µs."""

    at_us: int


class Stop(Struct, frozen=True, tag=True):
    """Play is over before its time: there is nothing more to find out."""


class Seated(Struct, frozen=True, tag=True):
    """All of a process's tables have their players; ``tables`` are their ids with how many sit there."""

    tables: dict[str, int]


class Attached(Struct, frozen=True, tag=True):
    """All hands are running and all spectators attached."""

    sockets: int


class Second(Struct, frozen=True, tag=True):
    """What was counted and measured (``Measures``) since the last one; ``at_s`` is since the beginning."""

    at_s: float
    counts: dict[str, int]
    samples: dict[str, bytes]


class Finished(Struct, frozen=True, tag=True):
    """A process is done: ``lost`` commands have no verdict; hands whose logs were kept; what should not have been."""

    lost: int
    hands: int
    problems: list[str]


class Failed(Struct, frozen=True, tag=True):
    """A process gave up; the message is for people."""

    why: str


ToGenerator = Order | Crowd | Begin | Stop
ToDirector = Seated | Attached | Second | Finished | Failed

_encoder: Final = msgspec.msgpack.Encoder()
_to_generator: Final = msgspec.msgpack.Decoder(ToGenerator)
_to_director: Final = msgspec.msgpack.Decoder(ToDirector)


def tell(pipe: Connection, message: ToGenerator | ToDirector) -> None:
    """Sends a message. Blocks while the pipe is full."""
    pipe.send_bytes(_encoder.encode(message))


def order(pipe: Connection) -> ToGenerator:
    """The director's next message. Blocks; raises EOFError when the director is gone."""
    return _to_generator.decode(pipe.recv_bytes())


def report(pipe: Connection) -> ToDirector:
    """A generator's next message. Blocks; raises EOFError when it is gone."""
    return _to_director.decode(pipe.recv_bytes())
