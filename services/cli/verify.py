"""`pandemonium verify`: whether the log of a hand is what the rules make of it. Needs no running platform."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from services.cli import game_text, sheet
from services.client import hand_log
from services.client.models import HandSheet, SeatScore, TeamScore
from services.rules import replay
from services.rules.aces_up.events import AcesDealt, AcesEnded
from services.rules.events import Dealt, Ended, parse
from services.rules.teams import teams
from services.rules.words import words


def verify(
    file: Annotated[Path, typer.Argument(metavar="HAND.json", help="What GET /matches/…/hands/… answered.")],
) -> None:
    """Replay a hand, or a game of Aces Up, from its log alone: the same cards, the same verdicts, the same scores."""
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
    for line in told(events):
        typer.echo(line)
    typer.secho(f"{file}: verified, {len(events)} events", fg=typer.colors.GREEN)


def told(log: Sequence[bytes]) -> list[str]:
    """What a verified log tells of its hand, in the words of its table; nothing of one that was never dealt."""
    events = [parse(event) for event in log]
    dealt = next((event for event in events if isinstance(event, Dealt | AcesDealt)), None)
    end = events[-1]
    if isinstance(dealt, AcesDealt) and isinstance(end, AcesEnded):
        return [game_text.told(dealt, end)]
    if not isinstance(dealt, Dealt) or not isinstance(end, Ended):
        return []
    scores = [
        SeatScore(
            seat=score.seat,
            points=score.points,
            foundation=score.foundation,
            demon=score.demon,
            name=dealt.seats[score.seat].name,
            called=score.seat in end.callers,
        )
        for score in end.scores
    ]
    together = [
        TeamScore(seats=team, points=sum(scores[seat].points for seat in team))
        for team in (teams(len(scores), dealt.options) if scores else ())
        if len(team) > 1
    ]
    counted = HandSheet(end.hand, end.why.value, tuple(scores), teams=tuple(together))
    return sheet.lines(counted, words(dealt.options), with_totals=False)
