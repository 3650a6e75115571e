"""A load scenario: who plays where, how fast, over which network, and what goes wrong meanwhile. Read from TOML.

Those that come with the platform are in ``scenarios/``; :func:`load` takes the name of one of them or the path of a
file. Names end in their unit. Everything has a default but ``about``; nothing unknown is taken.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from services.rules.options import OptionError, Options

Count = Annotated[int, Meta(ge=0, le=100_000)]
Share = Annotated[float, Meta(ge=0, le=1)]
Seconds = Annotated[float, Meta(ge=0, le=86_400)]
Milliseconds = Annotated[float, Meta(ge=0, le=60_000)]
Speed = Annotated[float, Meta(gt=0, le=1000)]

DEFAULT: Final = "rush-hour"
DEFAULT_DIRECT: Final = "one-foundation"


class BadScenario(ValueError):
    """The scenario can't be; the message says which field of which file, and why."""


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """When a seat acts: lognormal gaps, drawn beforehand.

    A gap is divided by the speed, which goes from the first to the second number of ``speed`` during the run.
    ``closed_loop``: the gap begins when the verdict of the last command is in, so that a slow platform slows the load.
    """

    median_s: Annotated[float, Meta(gt=0, le=60)] = 1.6
    sigma: Annotated[float, Meta(ge=0, le=2)] = 0.6
    speed: tuple[Speed, Speed] = (1.0, 1.0)
    closed_loop: bool = False

    @property
    def rises(self) -> bool:
        """Whether the run becomes faster and faster."""
        return self.speed[0] < self.speed[1]


class Contention(Struct, frozen=True, forbid_unknown_fields=True):
    """How much seats go for the same places.

    ``share``: of a table's moments, those in which all its seats act, each its reaction after the moment, and go for
    the foundations that others can build on too. At other moments such places are left alone, as far as ``share``
    says. 0: everybody minds their own moves first.
    """

    share: Share = 0.2
    reaction_ms: tuple[Milliseconds, Milliseconds] = (500.0, 1000.0)


class Hot(Struct, frozen=True, forbid_unknown_fields=True):
    """The first tables of the run, so many, that have another number of seats, another pace, another contention.

    Their latencies are kept apart, so that those of the others tell whether they notice. An aim is about the others.
    """

    tables: Count = 0
    seats: Annotated[int, Meta(ge=2, le=8)] = 8
    pace: Pace = Pace(median_s=0.2, sigma=0.3)
    contention: Contention = Contention(share=1.0, reaction_ms=(20.0, 60.0))


class Network(Struct, frozen=True, forbid_unknown_fields=True):
    """Each seat's simulated round trip, drawn once between the two numbers, half of it each way.

    To each way of each frame comes an exponential jitter of this mean; frames never overtake one another.
    """

    rtt_ms: tuple[Milliseconds, Milliseconds] = (20.0, 250.0)
    jitter_ms: Milliseconds = 5.0


class Harm(Struct, frozen=True, forbid_unknown_fields=True):
    """What is done to one process at a time: killed, stopped dead for ``for_s`` and let go on, or ended and started."""

    at_s: Seconds
    process: str
    how: Literal["kill", "pause", "restart"]
    for_s: Annotated[float, Meta(ge=0, le=60)] = 3.0


class Faults(Struct, frozen=True, forbid_unknown_fields=True):
    """What goes wrong. What is done to processes needs a platform that was started for the run.

    ``kill_engine_every_s`` and ``roll_at_s`` 0: never. A roll restarts every service, one process after another.
    """

    disconnects_per_minute: Count = 0
    storm_sockets: Count = 0
    storm_at_s: Seconds = 0.0
    kill_engine_every_s: Seconds = 0.0
    harms: tuple[Harm, ...] = ()
    roll_at_s: Seconds = 0.0

    @property
    def needs_own_platform(self) -> bool:
        """Whether anything is done to processes."""
        return bool(self.kill_engine_every_s or self.harms or self.roll_at_s)


class Audience(Struct, frozen=True, forbid_unknown_fields=True):
    """Who only looks on: ``spectators`` of the first table, and ``slow_readers``, who watch one table each.

    Slow readers stop reading once they are attached.
    """

    spectators: Count = 0
    slow_readers: Count = 0


class Ground(Struct, frozen=True, forbid_unknown_fields=True):
    """The platform that is started for the run if none is named: how many processes, and further settings."""

    engines: Annotated[int, Meta(ge=1, le=9)] = 1
    gateways: Annotated[int, Meta(ge=1, le=9)] = 1
    settings: dict[str, str] = {}


class Aims(Struct, frozen=True, forbid_unknown_fields=True):
    """What a run must reach. ``p99_ms`` is that of plays, from the scheduled time, less the simulated wire."""

    p99_ms: Annotated[float, Meta(gt=0)] | None = None
    lost: Count = 0
    back_s: Annotated[float, Meta(gt=0)] | None = None
    """The longest time from a dropped connection to the next welcome."""
    interrupted_s: Annotated[float, Meta(gt=0)] | None = None
    """The longest that anybody waited for a verdict, or from a broken connection to the next welcome."""
    flat: bool = False
    """Whether memory, descriptors and keys of a platform of the run's own have to stay where they are (``growth``)."""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One load. ``seconds`` is how long seats play, without the setting up before and the counting after.

    ``quick_play``: players ask for any seat, all at once, instead of meeting at tables made for them.
    """

    about: str
    name: str = ""
    tables: Annotated[int, Meta(ge=1, le=10_000)] = 25
    seats: Annotated[int, Meta(ge=2, le=8)] = 4
    seconds: Annotated[float, Meta(ge=1, le=86_400)] = 30.0
    processes: Annotated[int, Meta(ge=1, le=64)] = 2
    quick_play: bool = False
    options: dict[str, Any] = {}
    pace: Pace = Pace()
    contention: Contention = Contention()
    hot: Hot = Hot()
    network: Network = Network()
    faults: Faults = Faults()
    audience: Audience = Audience()
    ground: Ground = Ground()
    aims: Aims = Aims()

    @property
    def players(self) -> int:
        """How many seats there are."""
        return (self.tables - self.hot.tables) * self.seats + self.hot.tables * self.hot.seats

    def is_hot(self, number: int) -> bool:
        """Whether the table of this number in the run, from 0, is one of the hot ones."""
        return number < self.hot.tables

    def of_table(self, number: int) -> Scenario:
        """The scenario as the table of this number in the run plays it."""
        if not self.is_hot(number):
            return self
        hot = self.hot
        return msgspec.structs.replace(self, seats=hot.seats, pace=hot.pace, contention=hot.contention)


def names() -> list[str]:
    """The scenarios that come with the platform."""
    return sorted(entry.name.removesuffix(".toml") for entry in _shipped().iterdir() if entry.name.endswith(".toml"))


def load(name_or_file: str, changes: Mapping[str, object] | None = None, *, closed_loop: bool = False) -> Scenario:
    """The scenario of this name, or of this file, with ``changes`` to its top level, and perhaps a closed loop.

    Raises :class:`BadScenario`.
    """
    file = Path(name_or_file)
    if name_or_file in names():
        text, name = (_shipped() / f"{name_or_file}.toml").read_text(), name_or_file
    elif file.suffix == ".toml":
        try:
            text, name = file.read_text(), file.stem
        except (OSError, UnicodeDecodeError) as error:
            raise BadScenario(f"{file}: {error}") from None
    else:
        raise BadScenario(f"no scenario {name_or_file!r}: there are {', '.join(names())}, or a file that ends in .toml")
    try:
        scenario = parse(text, name, changes or {})
    except BadScenario as error:
        raise BadScenario(f"scenario {name}: {error}") from None
    if closed_loop:
        hot = msgspec.structs.replace(scenario.hot, pace=_waiting(scenario.hot.pace))
        return msgspec.structs.replace(scenario, pace=_waiting(scenario.pace), hot=hot)
    return scenario


def parse(text: str, name: str, changes: Mapping[str, object]) -> Scenario:
    """The scenario that is written in ``text``. Raises :class:`BadScenario`."""
    try:
        given = {"name": name, **tomllib.loads(text), **changes}
        scenario = msgspec.convert(given, Scenario)
        # A match that ends would stop its table, so it is as long as can be where the scenario does not say.
        long = {} if {"hands", "preset"} & scenario.options.keys() else {"target": 1000}
        options = {**long, **scenario.options}
        Options.from_mapping(options).check_seats(scenario.seats)
        if scenario.hot.tables:
            Options.from_mapping(options).check_seats(scenario.hot.seats)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, OptionError) as error:
        raise BadScenario(str(error)) from None
    for field, (low, high) in (
        ("contention.reaction_ms", scenario.contention.reaction_ms),
        ("hot.contention.reaction_ms", scenario.hot.contention.reaction_ms),
        ("network.rtt_ms", scenario.network.rtt_ms),
    ):
        if low > high:
            raise BadScenario(f"{field}: the first number is the lower one, not {low:g} of {low:g} and {high:g}")
    if scenario.hot.tables >= scenario.tables:
        raise BadScenario(f"hot.tables: of {scenario.tables} tables at least one has to be another one")
    if scenario.hot.tables and scenario.hot.pace.closed_loop != scenario.pace.closed_loop:
        raise BadScenario("hot.pace.closed_loop: it holds for the whole run, see pace.closed_loop")
    if scenario.hot.tables and scenario.quick_play:
        raise BadScenario("hot.tables: in quick play nobody knows which table is which")
    if scenario.faults.storm_sockets > scenario.players:
        raise BadScenario(f"faults.storm_sockets: there are only {scenario.players} seats")
    if scenario.faults.storm_sockets and not scenario.faults.storm_at_s < scenario.seconds:
        raise BadScenario(f"faults.storm_at_s: the run is over after {scenario.seconds:g} s")
    faults = scenario.faults
    if any(at_s >= scenario.seconds for at_s in (faults.roll_at_s, *(harm.at_s for harm in faults.harms))):
        raise BadScenario(f"faults: the run is over after {scenario.seconds:g} s")
    processes_there = {f"engine-{i + 1}" for i in range(scenario.ground.engines)}
    processes_there |= {f"gateway-{i + 1}" for i in range(scenario.ground.gateways)} | {"lobby", "scoring", "redis"}
    if unknown := {harm.process for harm in faults.harms} - processes_there:
        raise BadScenario(f"faults.harms: there is no process {', '.join(sorted(unknown))}")
    # Whom quick play brings together is not known before, so one process has all of them.
    processes = 1 if scenario.quick_play else scenario.processes
    return msgspec.structs.replace(scenario, options=options, processes=min(processes, scenario.tables))


def check_direct(scenario: Scenario) -> None:
    """Raises :class:`BadScenario` for what a run without gateways and sockets can't have; names the field."""
    faults, audience = scenario.faults, scenario.audience
    for field, given in (
        ("faults.disconnects_per_minute", faults.disconnects_per_minute),
        ("faults.storm_sockets", faults.storm_sockets),
        ("faults.harms", faults.harms),
        ("faults.roll_at_s", faults.roll_at_s),
        ("audience.spectators", audience.spectators),
        ("audience.slow_readers", audience.slow_readers),
        ("aims.back_s", scenario.aims.back_s),
        ("ground.gateways", scenario.ground.gateways > 1),
    ):
        if given:
            raise BadScenario(f"scenario {scenario.name}: {field}: a direct run has no gateways and no sockets")


def _waiting(pace: Pace) -> Pace:
    return msgspec.structs.replace(pace, closed_loop=True)


def _shipped() -> Any:
    return resources.files("services.loadtest") / "scenarios"
