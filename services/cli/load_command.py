"""`pandemonium load`: players by the hundred on a platform, measured, recorded and checked."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from services.cli import check_command
from services.cli.failures import told
from services.cli.harming import Harming
from services.cli.local_platform import START_S, Platform
from services.cli.ports import LOOPBACK, Ports
from services.cli.until_signalled import until_signalled
from services.loadtest import check, outcome, run_folder, scenario
from services.loadtest.check_report import Report
from services.loadtest.director import Run, conduct
from services.loadtest.live import LiveView, percentiles
from services.loadtest.messages import Addresses
from services.loadtest.outcome import Judgement, Outcome
from services.loadtest.scenario import BadScenario, Ground
from services.loadtest.surroundings import Surroundings

RUNS: Final = Path("runs")
_QUOTAS: Final = (
    "GATEWAY_GUESTS_PER_MINUTE",
    "GATEWAY_TABLES_PER_MINUTE",
    "GATEWAY_REQUESTS_PER_SECOND",
    "GATEWAY_ADDRESS_PER_SECOND",
    "LOBBY_MOST_HOSTED",
)
"""What keeps one address from being a crowd: off for a crowd that comes from one address."""
_COLOURS: Final = {Outcome.PASSED: "green", Outcome.FAILED: "red", Outcome.VOID: "yellow"}


def load(
    scenario_: Annotated[
        str | None,
        typer.Option(
            "--scenario",
            metavar="NAME|FILE",
            help=f"One of {', '.join(scenario.names())}, or a TOML; without it {scenario.DEFAULT},"
            f" with --direct {scenario.DEFAULT_DIRECT}.",
        ),
    ] = None,
    url: Annotated[
        list[str] | None,
        typer.Option(help="Of a running platform's gateway (may be repeated); without it, a platform is started."),
    ] = None,
    tables: Annotated[int | None, typer.Option(help="Instead of the scenario's.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Instead of the scenario's.")] = None,
    processes: Annotated[int | None, typer.Option(help="Generator processes, instead of the scenario's.")] = None,
    closed_loop: Annotated[bool, typer.Option("--closed-loop", help="Seats wait for each verdict.")] = False,
    direct: Annotated[
        bool, typer.Option("--direct", help="Straight at the engines of a platform of its own, past the gateways.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Of all that is drawn; a new one without it.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; must not exist.")] = None,
) -> None:
    """Play a scenario, write a report, and prove from the records that nothing went wrong.

    Exit code 0: all aims were reached; 1: not; 3: void, since the generator itself was too slow to measure anything.
    """
    judgement: Judgement | None = None

    async def work() -> None:
        nonlocal judgement
        folder = out or _new_folder(played.name)
        run = Run(played, folder, seed if seed is not None else random.getrandbits(32))
        judgement = await _load(run, url or [], direct=direct)

    changes = {
        name: value
        for name, value in (("tables", tables), ("seconds", seconds), ("processes", processes))
        if value is not None
    }
    with told():
        name = scenario_ or (scenario.DEFAULT_DIRECT if direct else scenario.DEFAULT)
        played = scenario.load(name, changes, closed_loop=closed_loop)
        if direct:
            scenario.check_direct(played)
        if url and direct:
            raise BadScenario("--url: a direct run needs a platform that is started for it")
        if url and played.faults.needs_own_platform:
            raise BadScenario("faults: processes are harmed only on a platform that was started for it")
        asyncio.run(until_signalled(work))
    if judgement is None:
        typer.secho("pandemonium: interrupted; what was recorded by then was not checked", err=True)
        raise typer.Exit(1)
    raise typer.Exit(judgement.outcome.value)


async def _load(run: Run, urls: list[str], *, direct: bool) -> Judgement:
    console, played = Console(highlight=False), run.scenario
    run.folder.mkdir(parents=True)
    console.print(f"{played.name}: {played.about}", soft_wrap=True)
    async with AsyncExitStack() as stack:
        surroundings = None
        if not urls:
            console.print("starting a platform for this run …")
            platform = await stack.enter_async_context(_platform(played.ground, run.folder / "platform.log"))
            urls, surroundings = platform.urls, _surroundings(platform)
            if direct:
                run.direct = _addresses(platform)
        with LiveView(run, console) as view:
            await conduct(run, urls, surroundings, view.changed)
    console.print(percentiles(run))
    proof = await _proven(run, console)
    judgement = outcome.judge(run, proof_failed=not proof.holds)
    run_folder.write(run, judgement, proof)
    _say(run, judgement, console)
    return judgement


async def _proven(run: Run, console: Console) -> Report:
    """Checks what the run recorded, and says what came of it."""
    console.print("checking the records …")
    began = time.monotonic()
    proof = await asyncio.to_thread(check.check, run.folder, os.cpu_count() or 1)
    check_command.show(proof, console, time.monotonic() - began)
    return proof


def _say(run: Run, judgement: Judgement, console: Console) -> None:
    for problem in run.problems:
        console.print(f"  {problem}", style="dim", markup=False, soft_wrap=True)
    for sentence in outcome.found(run):
        console.print(sentence, markup=False, soft_wrap=True)
    for sentence in (*judgement.missed, *judgement.void):
        console.print(sentence, style="red" if sentence in judgement.missed else "yellow", markup=False, soft_wrap=True)
    verdict = {Outcome.PASSED: "passed", Outcome.FAILED: "failed", Outcome.VOID: "void: measure on a quieter machine"}
    console.print(
        f"{verdict[judgement.outcome]}; report: {run.folder / 'report.html'}",
        style=_COLOURS[judgement.outcome],
        markup=False,
        soft_wrap=True,
    )


@asynccontextmanager
async def _platform(ground: Ground, log: Path) -> AsyncIterator[Platform]:
    """A platform without quotas; what its processes say goes to ``log``."""
    settings = {**dict.fromkeys(_QUOTAS, "0"), "LOG_LEVEL": "WARNING", **ground.settings}
    with tempfile.TemporaryDirectory(prefix="pandemonium-") as folder, log.open("w", buffering=1) as lines:
        ports = Ports.free(gateways=ground.gateways, engines=ground.engines)

        def say(name: str, line: str) -> None:
            lines.write(f"{name} {line}\n")

        async with Platform(Path(folder), ports, say=say, bots=False, env=settings) as platform:
            yield platform


def _surroundings(platform: Platform) -> Surroundings:
    harming = Harming(platform)
    return Surroundings(
        pids=lambda: {process.name: process.pid for process in platform.processes},
        metrics={name: f"http://{LOOPBACK}:{port}/metrics" for name, port in platform.ports.metrics if name != "bots"},
        redis_url=platform.redis_url,
        kill_engine=_in_turn(platform),
        harm=harming.harm,
        services=harming.services,
    )


def _addresses(platform: Platform) -> Addresses:
    ports = platform.ports
    engines = [f"{LOOPBACK}:{port}" for port in ports.engines]
    return Addresses(engines, f"{LOOPBACK}:{ports.lobby}", platform.redis_url)


def _in_turn(platform: Platform) -> Callable[[], Awaitable[None]]:
    """Kills the engines one after another, each when all are there: what is down can't be killed."""
    engines = [process for process in platform.processes if process.name.startswith("engine")]
    turns = count()

    async def kill() -> None:
        for engine in engines:
            await engine.ready(START_S)
        engines[next(turns) % len(engines)].kill()

    return kill


def _new_folder(name: str) -> Path:
    return RUNS / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
