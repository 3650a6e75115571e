"""`pandemonium forget`: deletes a player's data, for operators. Asks scoring itself, which nobody outside can reach."""

from __future__ import annotations

from typing import Annotated

import grpc
import typer

from services.cli.backend import forget_player
from services.runtime.tls import BadTls


def forget(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="The player's id.")],
    scoring: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where scoring is.")] = "127.0.0.1:7020",
) -> None:
    """Take a player's name and id out of all results, and their figures; results, seats and points stay."""
    try:
        forget_player(scoring, player, lambda: typer.echo("more is left, going on"))
    except BadTls as bad:
        raise typer.BadParameter(str(bad)) from None
    except grpc.RpcError as error:
        typer.secho(f"pandemonium: {scoring}: {error.details()}", err=True, fg=typer.colors.RED)
        raise typer.Exit(1) from None
    typer.echo("deleted")
