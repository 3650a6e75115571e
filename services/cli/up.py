"""`pandemonium up`: the whole platform on this machine until it is told to stop."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from services.cli import demo as demo_table
from services.cli import house_rules
from services.cli.failures import told
from services.cli.local_platform import Platform
from services.cli.log_lines import CLI, LogLines
from services.cli.ops_accounts import LOGIN, first_operator
from services.cli.ports import MOST_ENGINES, Ports
from services.cli.until_signalled import until_signalled
from services.rules.options import Options

_MOST_GATEWAYS: Final = 9


def up(
    data: Annotated[Path, typer.Option(help="Folder of the platform's state; survives a restart.")] = Path("data"),
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Of page, REST and sockets; 0: any free ports for all.")
    ] = 8080,
    engines: Annotated[int, typer.Option(min=1, max=MOST_ENGINES, help="How many engine processes.")] = 1,
    gateways: Annotated[int, typer.Option(min=1, max=_MOST_GATEWAYS, help="How many gateways, on ports in a row.")] = 1,
    demo: Annotated[bool, typer.Option("--demo", help="Keep a public table of four bots going.")] = False,
    rules: Annotated[
        str, typer.Option(metavar="PRESET", help=f"Of the demo table. {house_rules.PRESET_HELP}")
    ] = house_rules.DEFAULT,
    redis_url: Annotated[str | None, typer.Option(help="Use this Redis instead of the embedded one.")] = None,
) -> None:
    """Start every service, an embedded Redis and SQLite; Ctrl-C stops them all."""
    if port == 0:
        ports = Ports.free(gateways=gateways, engines=engines)
    else:
        ports = Ports.fixed(gateway=port, gateways=gateways, engines=engines)
    with told():
        played = house_rules.read(rules, ())
        played.check_seats(demo_table.SEATS)
        asyncio.run(until_signalled(lambda: _run(data, ports, demo=played if demo else None, redis_url=redis_url)))


async def _run(data: Path, ports: Ports, *, demo: Options | None, redis_url: str | None) -> None:
    say = LogLines()
    accounts = first_operator(data)
    async with Platform(data, ports, say=say, redis_url=redis_url, accounts=accounts) as platform:
        Console(soft_wrap=True, highlight=False).print(
            f"Pandemonium is ready at [bold]{platform.url}[/bold] (after {platform.startup_s:.1f} s; Ctrl-C stops it)"
        )
        say(CLI, f"the operators' console is at {platform.ops_url}, its login in {accounts.parent / LOGIN}")
        try:
            if demo is not None:
                await demo_table.keep(platform.url, say, demo)
            else:
                await asyncio.Event().wait()
        finally:
            say(CLI, "stopping")
    say(CLI, "stopped")
