"""`pandemonium verify`: whether the log of a hand is what the rules make of it. Needs no running platform."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli import hand_log
from services.rules import replay


def verify(
    file: Annotated[Path, typer.Argument(metavar="HAND.json", help="What GET /matches/…/hands/… answered.")],
) -> None:
    """Replay a hand from its log alone: the same cards, the same verdicts, the same scores."""
    try:
        events = hand_log.read(file)
    except (OSError, hand_log.NotALog) as error:
        typer.secho(f"pandemonium: {error}", err=True, fg=typer.colors.RED)
        raise typer.Exit(1) from None
    report = replay.verify(events)
    if report.problems:
        for problem in report.problems:
            typer.echo(problem)
        typer.secho(f"{file}: {len(report.problems)} problems in {len(events)} events", fg=typer.colors.RED)
        raise typer.Exit(1)
    typer.secho(f"{file}: verified, {len(events)} events", fg=typer.colors.GREEN)
