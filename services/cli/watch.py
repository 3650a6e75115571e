"""`pandemonium watch`: follows a table in the terminal."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Annotated, Final

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from services.cli.failures import told
from services.cli.table_text import board, describe
from services.cli.until_signalled import until_signalled
from services.client import Client, TableSession

DEFAULT_URL: Final = "http://127.0.0.1:8080"
_LINES: Final = 12
_LONGEST_CODE: Final = 8
"""With a blank or a dash or two; ids are longer."""
_PER_SECOND: Final = 8


def watch(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id, or its short code.")],
    url: Annotated[str, typer.Option(help="Of the platform.")] = DEFAULT_URL,
) -> None:
    """Follow a table live: on a terminal as a picture of it, else one line for each event. Ctrl-C ends it."""
    with told():
        asyncio.run(until_signalled(lambda: _watch(url, table)))


async def _watch(url: str, table: str) -> None:
    console = Console(highlight=False)
    async with Client(url) as client:
        if len(table) <= _LONGEST_CODE:
            table = (await client.find(table)).table
        async with client.table(table, seat=False) as session:
            if console.is_terminal:
                await _picture(session, console)
            else:
                await _lines(session, console)


async def _lines(session: TableSession, console: Console) -> None:
    async for event in session:
        console.print(f"{event.seq} {describe(event, session.table)}", markup=False, soft_wrap=True)


async def _picture(session: TableSession, console: Console) -> None:
    last: deque[str] = deque(maxlen=_LINES)
    with Live(console=console, auto_refresh=False, screen=False) as live:
        drawn = 0.0
        async for event in session:
            last.append(describe(event, session.table))
            now = asyncio.get_running_loop().time()
            if now - drawn >= 1 / _PER_SECOND:
                drawn = now
                live.update(_drawn(session, last), refresh=True)
        live.update(_drawn(session, last), refresh=True)


def _drawn(session: TableSession, last: deque[str]) -> Group:
    picture = board(session.view, session.table) if session.view is not None else Text("No hand yet.")
    return Group(picture, *map(Text, last))
