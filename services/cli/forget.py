"""`pandemonium forget`: deletes a player's data, for operators. Asks scoring itself, which nobody outside can reach."""

from __future__ import annotations

from typing import Annotated, Final

import grpc
import typer
from pandemonium.scoring.v1 import scoring_pb2, scoring_pb2_grpc

from services.runtime.tls import BadTls, from_environment

_DEADLINE_S: Final = 10.0


def forget(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="The player's id.")],
    scoring: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where scoring is.")] = "127.0.0.1:7020",
) -> None:
    """Take a player's name and id out of all results, and their figures; results, seats and points stay."""
    try:
        tls = from_environment()
    except BadTls as bad:
        raise typer.BadParameter(str(bad)) from None
    with grpc.secure_channel(scoring, tls.of_client()) if tls else grpc.insecure_channel(scoring) as channel:
        stub = scoring_pb2_grpc.ScoringServiceStub(channel)
        try:
            while not stub.ForgetPlayer(
                scoring_pb2.ForgetPlayerRequest(player=player), timeout=_DEADLINE_S, wait_for_ready=False
            ).done:
                typer.echo("more is left, going on")
        except grpc.RpcError as error:
            typer.secho(f"pandemonium: {scoring}: {error.details()}", err=True, fg=typer.colors.RED)
            raise typer.Exit(1) from None
    typer.echo("deleted")
