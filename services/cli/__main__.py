"""The command line of the platform."""

from __future__ import annotations

import typer

from services.cli.backup import backup, restore
from services.cli.check_command import check
from services.cli.forget import forget
from services.cli.load_command import load
from services.cli.match import match
from services.cli.ops_command import ops
from services.cli.up import up
from services.cli.verify import verify
from services.cli.watch import watch

app = typer.Typer(
    help="Many concurrent online tables of Racing Demon.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (up, match, watch, verify, load, check, forget, backup, restore):
    app.command()(command)
app.add_typer(ops, name="ops")


@app.callback(invoke_without_command=True)
def bare(context: typer.Context) -> None:
    """Many concurrent online tables of Racing Demon."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """The entry point of the command ``pandemonium``."""
    app()


if __name__ == "__main__":
    main()
