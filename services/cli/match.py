"""`pandemonium match`: one match of bots through a platform, every hand of it verified from its log."""

from __future__ import annotations

import asyncio
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from services.cli import house_rules, recount, sheet
from services.cli.failures import told
from services.cli.local_platform import Platform
from services.cli.log_lines import LogLines
from services.cli.ports import Ports
from services.cli.process import Say
from services.cli.progress import Progress
from services.cli.until_signalled import until_signalled
from services.client import Client, TableSession
from services.client.models import Match, Pace, Strength, Table, TableState
from services.rules.options import Options

_NAME: Final = "Match"
_LOG_LINES: Final = 200
_OVER: Final = (TableState.ENDED, TableState.CLOSED)


def match(
    seats: Annotated[int, typer.Option(min=2, max=8, help="How many bots.")] = 4,
    rules: Annotated[str, typer.Option(metavar="PRESET", help=house_rules.PRESET_HELP)] = house_rules.DEFAULT,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help=house_rules.OPTION_HELP)] = None,
    target: Annotated[int | None, typer.Option(help="Points that end the match, where not the rules' own.")] = None,
    pace: Annotated[Pace, typer.Option(help="With a person's pauses, or as fast as it goes.")] = Pace.FAST,
    strength: Annotated[Strength, typer.Option(help="How well they play.")] = Strength.MEDIUM,
    url: Annotated[str | None, typer.Option(help="Of a running platform; without it, one is started for this.")] = None,
) -> None:
    """Play one match of bots, show its sheets, and verify every hand from its log. Exit code 0: all of it holds."""
    confirmed = False

    async def work() -> None:
        nonlocal confirmed
        confirmed = await _match(url, seats, options, pace, strength)

    with told():
        options = house_rules.read(rules, option or (), target)
        options.check_seats(seats)
        asyncio.run(until_signalled(work))
    if not confirmed:
        raise typer.Exit(1)


async def _match(url: str | None, seats: int, options: Options, pace: Pace, strength: Strength) -> bool:
    """Plays it on the platform at ``url``, or on one of its own."""
    console = Console(highlight=False)
    async with AsyncExitStack() as stack:
        if url is None:
            console.print("starting a platform for this match …")
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pandemonium-"))
            platform = Platform(Path(folder), Ports.free(), say=stack.enter_context(_log_if_it_fails()))
            url = (await stack.enter_async_context(platform)).url
        client = await stack.enter_async_context(Client(url))
        table = await begin(client, seats, options, pace, strength)
        console.print(f"table {table.id}: {seats} bots, {house_rules.in_words(options)}")
        return await see_through(client, table, console)


async def begin(client: Client, seats: int, options: Options, pace: Pace, strength: Strength) -> Table:
    """A table of bots, whose match begins by itself."""
    await client.guest(_NAME)
    return await client.create_table(
        seats=seats, public=False, options=options, host_plays=False, bots=seats, strength=strength, pace=pace
    )


async def see_through(client: Client, table: Table, console: Console) -> bool:
    """Shows the match at the table; whether every hand of it, its sheet and its winners are confirmed."""
    async with client.table(table.id, seat=False) as session:
        played = await _follow(client, session, console)
        return played is not None and await _confirmed(client, played, session.table or table, console)


@contextmanager
def _log_if_it_fails() -> Iterator[Say]:
    """Keeps the last lines of the platform's log, and shows them if an error comes through."""
    kept: deque[tuple[str, str]] = deque(maxlen=_LOG_LINES)
    try:
        yield lambda name, line: kept.append((name, line))
    except Exception:
        show = LogLines()
        for name, line in kept:
            show(name, line)
        raise


async def _follow(client: Client, session: TableSession, console: Console) -> Match | None:
    """Shows the match until it is over, with each hand's sheet as it is counted."""
    counted = 0
    played: Match | None = None
    with Progress(session, console) as progress:
        while True:
            table = session.table
            assert table is not None
            if table.match and _counted(table) > counted:
                played = await client.match(table.match)
                for hand in played.hands[counted:]:
                    progress.sheet(hand)
                counted = len(played.hands)
            if table.state in _OVER:
                return played
            progress.update()
            await session.changed()


def _counted(table: Table) -> int:
    """How many hands have been counted by now."""
    running = table.state in (TableState.OPEN, TableState.PLAYING)
    return table.hand - 1 if running else table.hand


async def _confirmed(client: Client, played: Match, table: Table, console: Console) -> bool:
    """Fetches every hand's log, and counts the match again from them alone."""
    logs = [await client.hand_log(played.id, hand.hand) for hand in played.hands]
    problems = await asyncio.to_thread(recount.problems, played, logs)
    console.print(sheet.outcome(played, table.seats))
    for problem in problems:
        console.print(f"[red]{problem}[/red]")
    events = sum(map(len, logs))
    if not problems:
        console.print(f"[green]verified: {len(logs)} hands, {events} events, sheet and winner recounted[/green]")
    return not problems
