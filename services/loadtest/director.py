"""A run from the first guest to the last log: starts the generator processes, tells them what to do, adds up.

Its own work is small, because it shares the machine with what it measures.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Final, TypeVar

from services.loadtest import generator, messages
from services.loadtest.figures import Figures, GaveWay
from services.loadtest.harms import AFTERWARDS_S, Harmed
from services.loadtest.history import now_us
from services.loadtest.messages import Addresses, Attached, Begin, Crowd, Failed, Finished, Order, Seated, Second, Stop
from services.loadtest.scenario import Harm, Scenario
from services.loadtest.seating import gathered
from services.loadtest.surroundings import Sampler, Surroundings

FOLDERS: Final = ("histories", "logs", "matches")
MOST_LAG_MS: Final = 5.0
"""A generator that is later than this at its 99th percentile measures itself."""
SUSTAINED_P99_MS: Final = 100.0
"""What counts as answered in time where the scenario has no aim."""
_LEAD_US: Final = 500_000
"""From the order to begin until the first moment."""
_END_S: Final = 5.0

M = TypeVar("M")


class GeneratorFailed(Exception):
    """A generator process gave up, or died."""


@dataclass(slots=True)
class Run:
    """A run as far as it is: what the live view shows, and in the end the whole result."""

    scenario: Scenario
    folder: Path
    seed: int
    direct: Addresses | None = None
    """Where a run goes that leaves the gateways out."""
    stage: str = "starting"
    figures: Figures = field(default_factory=Figures)
    sampler: Sampler | None = None
    metrics: dict[str, float] = field(default_factory=dict)
    seated: dict[str, int] = field(default_factory=dict)
    sockets: int = 0
    elapsed_s: float = 0.0
    stopped_s: float | None = None
    """When play was ended before its time, because something had given way."""
    setup_s: float = 0.0
    engines_killed: int = 0
    harmed: list[Harmed] = field(default_factory=list)
    harms_left: int = 0
    """How many were not done, or not over, when play ended."""
    lost: int = 0
    hands: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def played_s(self) -> float:
        """How long play was, or is to be."""
        return self.scenario.seconds if self.stopped_s is None else self.stopped_s

    @property
    def gave_way(self) -> GaveWay | None:
        """Where the rate became too much, if it has yet."""
        return self.figures.gave_way(self.scenario.aims.p99_ms or SUSTAINED_P99_MS, MOST_LAG_MS)


async def conduct(
    run: Run, urls: Sequence[str], surroundings: Surroundings | None, changed: Callable[[], None]
) -> None:
    """Does the run, over the gateways at ``urls`` or by its direct path.

    ``changed`` is called whenever there is something new to show.

    Raises :class:`GeneratorFailed`. Generator processes never outlive it.
    """
    for name in FOLDERS:
        (run.folder / name).mkdir(parents=True)
    began = time.monotonic()
    async with AsyncExitStack() as stack:
        hands = await stack.enter_async_context(_generators(run.scenario))
        _order(hands, run, urls)
        _stage(run, "seating", changed)
        for seated in await _all(hands, Seated):
            run.seated |= seated.tables
        _stage(run, "attaching", changed)
        first = next(iter(run.seated))
        _tell_all(hands, Crowd(first))
        run.sockets = sum(attached.sockets for attached in await _all(hands, Attached))
        run.setup_s = time.monotonic() - began
        if surroundings is not None:
            run.sampler = Sampler(surroundings, [hand.pid for hand in hands])
            await stack.enter_async_context(_beside(run.sampler.run()))
            await stack.enter_async_context(_beside(_kill_engines(run, surroundings)))
            await stack.enter_async_context(_beside(_harm(run, surroundings)))
        _stage(run, "playing", changed)
        _tell_all(hands, Begin(now_us() + _LEAD_US))
        await gathered(_collect(hand, run, partial(_follow, run, hands, changed)) for hand in hands)
        if run.sampler is not None:
            run.metrics = await run.sampler.metrics()
    _stage(run, "done", changed)


class _Hand:
    """The director's end of one generator process."""

    def __init__(self, process: SpawnProcess, pipe: Connection) -> None:
        self._process = process
        self._pipe = pipe

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid or 0

    def tell(self, message: messages.ToGenerator) -> None:
        """Sends an order."""
        messages.tell(self._pipe, message)

    async def told(self) -> messages.ToDirector:
        """The next message. Raises :class:`GeneratorFailed`."""
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._pipe.fileno(), readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._pipe.fileno())
        try:
            message = messages.report(self._pipe)
        except (EOFError, ConnectionResetError):
            await asyncio.to_thread(self._process.join, _END_S)
            raise GeneratorFailed(f"a generator process died with exit code {self._process.exitcode}") from None
        if isinstance(message, Failed):
            raise GeneratorFailed(message.why)
        return message

    def end(self) -> None:
        """Ends the process, if it has not ended by itself."""
        self._pipe.close()
        self._process.join(_END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


@asynccontextmanager
async def _generators(scenario: Scenario) -> AsyncIterator[list[_Hand]]:
    context = multiprocessing.get_context("spawn")
    hands: list[_Hand] = []
    try:
        for _ in range(scenario.processes):
            ours, theirs = context.Pipe()
            process = context.Process(target=generator.main, args=(theirs,), name="generator", daemon=True)
            process.start()
            theirs.close()
            hands.append(_Hand(process, ours))
        yield hands
    finally:
        await asyncio.gather(*(asyncio.to_thread(hand.end) for hand in hands))


def _order(hands: list[_Hand], run: Run, urls: Sequence[str]) -> None:
    luck, first = random.Random(run.seed), 0
    for i, hand in enumerate(hands):
        tables = run.scenario.tables // len(hands) + (i < run.scenario.tables % len(hands))
        hand.tell(
            Order(
                process=i,
                scenario=run.scenario,
                urls=list(urls),
                first=first,
                tables=tables,
                folder=str(run.folder),
                seed=luck.getrandbits(63),
                direct=run.direct,
            )
        )
        first += tables


def _tell_all(hands: list[_Hand], message: messages.ToGenerator) -> None:
    for hand in hands:
        hand.tell(message)


async def _all(hands: list[_Hand], kind: type[M]) -> list[M]:
    """The next message of every process, which is of this kind."""
    told: list[M] = []
    for message in await gathered(hand.told() for hand in hands):
        if not isinstance(message, kind):
            raise GeneratorFailed(f"a generator process said {type(message).__name__} instead of {kind.__name__}")
        told.append(message)
    return told


async def _collect(hand: _Hand, run: Run, changed: Callable[[], None]) -> None:
    while True:
        message = await hand.told()
        match message:
            case Second():
                run.figures.add(message)
                run.elapsed_s = max(run.elapsed_s, message.at_s)
                if message.at_s > run.played_s:
                    run.stage = "counting"
                changed()
            case Finished(lost, hands, problems):
                run.lost += lost
                run.hands += hands
                run.problems += problems
                return
            case _:
                raise GeneratorFailed(f"a generator process said {type(message).__name__} during play")


def _follow(run: Run, hands: list[_Hand], changed: Callable[[], None]) -> None:
    """Ends play when there is nothing more to find out.

    That is when a rate that rises was too much for something, or some time after the last harm is over.
    """
    if run.stage == "playing" and run.stopped_s is None and (_too_much(run) or _harms_are_over(run)):
        run.stopped_s = run.elapsed_s
        _tell_all(hands, Stop())
    changed()


def _too_much(run: Run) -> bool:
    return run.scenario.pace.rises and run.gave_way is not None


def _harms_are_over(run: Run) -> bool:
    over = bool(run.harmed) and not run.harms_left
    return over and run.elapsed_s > run.harmed[-1].until_s + AFTERWARDS_S


async def _kill_engines(run: Run, surroundings: Surroundings) -> None:
    every_s, until = run.scenario.faults.kill_engine_every_s, time.monotonic() + run.scenario.seconds
    while every_s and time.monotonic() + every_s < until and run.stopped_s is None:
        await asyncio.sleep(every_s)
        await surroundings.kill_engine()
        run.engines_killed += 1


async def _harm(run: Run, surroundings: Surroundings) -> None:
    """Does one harm after another, each at its time, or when the one before is over."""
    faults, began = run.scenario.faults, time.monotonic() + _LEAD_US / 1_000_000
    harms = list(faults.harms)
    if faults.roll_at_s:
        harms += (Harm(faults.roll_at_s, name, "restart") for name in surroundings.services())
    run.harms_left = len(harms)
    for harm in sorted(harms, key=lambda harm: harm.at_s):
        await asyncio.sleep(max(0.0, began + harm.at_s - time.monotonic()))
        from_s = time.monotonic() - began
        await surroundings.harm(harm.process, harm.how, harm.for_s)
        run.harmed.append(Harmed(harm.process, harm.how, round(from_s, 2), round(time.monotonic() - began, 2)))
        if run.stage == "playing":
            run.harms_left -= 1


@asynccontextmanager
async def _beside(work: Any) -> AsyncIterator[None]:
    """Something goes on meanwhile. If it breaks, so does the run, at its end."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _stage(run: Run, stage: str, changed: Callable[[], None]) -> None:
    run.stage = stage
    changed()
