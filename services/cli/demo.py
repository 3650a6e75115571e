"""The public demo table: four bots at human pace, from one match to the next, for as long as the platform runs."""

from __future__ import annotations

import asyncio
from typing import Final

from services.cli import house_rules
from services.cli.log_lines import CLI
from services.cli.process import Say
from services.client import Client
from services.client.errors import ClientError
from services.client.models import Pace, TableState
from services.rules.options import Options

SEATS: Final = 4
NAME: Final = "Demo"
_RETRY_S: Final = 2.0
_PAUSE_S: Final = 20.0
"""How long a result can be looked at before the next match."""


async def keep(url: str, say: Say, rules: Options) -> None:
    """Keeps one demo table, played by these rules, alive until cancelled. What goes wrong is said and tried again."""
    while True:
        try:
            async with Client(url) as client:
                await client.guest(NAME)
                while True:
                    await _one_match(client, say, rules)
        except ClientError as error:
            say(CLI, f"the demo table: {error}; trying again")
        await asyncio.sleep(_RETRY_S)


async def _one_match(client: Client, say: Say, rules: Options) -> None:
    """A table, its match, and its end."""
    table = await client.create_table(seats=SEATS, options=rules, host_plays=False, bots=SEATS, pace=Pace.HUMAN)
    say(CLI, f"demo table {table.id} ({house_rules.in_words(rules)}): `pandemonium watch {table.id}`")
    async with client.table(table.id, seat=False) as session:
        await session.until(
            lambda: session.table is not None and session.table.state in (TableState.ENDED, TableState.CLOSED)
        )
        ended = session.table is not None and session.table.state is TableState.ENDED
    if ended:
        await asyncio.sleep(_PAUSE_S)
        await client.close_table(table.id)
