"""The sheets of a table's matches, counted again from the logs of their hands (RD-12, RD-13)."""

from __future__ import annotations

from collections.abc import Mapping

from services.client.models import HandSheet, Match
from services.loadtest.check_log import LoggedHand
from services.loadtest.check_report import Fault, Finding, Report
from services.rules.events import Ended, EndWhy
from services.rules.options import OptionError, Options
from services.rules.scoring import MatchResult, SeatScore, match_result
from services.rules.teams import Team, teams


def check(sheet: Match, hands: Mapping[int, LoggedHand], report: Report) -> None:
    """Checks each hand's lines, the totals, and the winners. ``hands`` are the logs by number, each judged already.

    A hand whose log is missing can't be counted, so neither can the totals from it on.
    """
    try:
        options = Options.from_mapping(sheet.options)
    except OptionError as impossible:
        report.unchecked[f"sheets of matches with options that are not Racing Demon's ({impossible})"] += 1
        return
    totals: list[int] = []
    after: list[list[int]] = []
    for line in sheet.hands:
        log = hands.get(line.hand)
        end = log.events[-1] if log else None
        if log is None or not isinstance(end, Ended):
            report.unchecked["sheets from a hand on whose log is missing"] += 1
            return
        totals = totals or [0] * len(line.seats)
        scores = _scores(line, end)
        seats = list(range(len(totals)))
        if [told.seat for told in line.seats] != seats or (scores and [score.seat for score in scores] != seats):
            detail = (
                f"lines of seats {[told.seat for told in line.seats]}, scores of {[score.seat for score in scores]}"
            )
            report.add(log.fault(Fault.SHEET_WRONG, detail))
            return
        for score in scores:
            totals[score.seat] += score.points
        for wrong in _of_hand(line, end, scores, totals, teams(len(totals), options)):
            report.add(log.fault(Fault.SHEET_WRONG, wrong, log.last))
        if scores:
            after.append(list(totals))
        report.checked["sheets of hands"] += 1
    _result(sheet, after, options, report)


def _scores(line: HandSheet, end: Ended) -> tuple[SeatScore, ...]:
    """What counts. That a hand was taken back after it had ended is in no log: all at the table have said so."""
    taken_back = line.why == EndWhy.DISPUTED and end.why is not EndWhy.DISPUTED
    return () if taken_back else tuple(sorted(end.scores, key=lambda score: score.seat))


def _of_hand(
    line: HandSheet, end: Ended, scores: tuple[SeatScore, ...], totals: list[int], together: tuple[Team, ...]
) -> list[str]:
    """What the sheet of a hand says otherwise; ``totals`` are those after it."""
    found = []
    if line.why not in (end.why, EndWhy.DISPUTED):
        found.append(f"ended as {line.why} by the sheet, as {end.why} by the log")
    for told in line.seats:
        if told.total != totals[told.seat]:
            found.append(f"seat {told.seat}: the total is {told.total} by the sheet, {totals[told.seat]} by the logs")
        if scores:
            right = scores[told.seat]
            by_sheet = (told.foundation, told.demon, told.points, told.called)
            by_log = (right.foundation, right.demon, right.points, told.seat in end.callers)
            if by_sheet != by_log:
                found.append(f"seat {told.seat}: {by_sheet} by the sheet, {by_log} by the log")
    return found + [
        f"team {team.seats}: its total is {team.total} by the sheet"
        for team in line.teams
        if team.seats not in together or team.total != sum(totals[seat] for seat in team.seats)
    ]


def _result(sheet: Match, after: list[list[int]], options: Options, report: Report) -> None:
    report.checked["matches"] += 1
    over, winners, _ = match_result(after, options) if after else MatchResult(False, ())
    if (sheet.over, tuple(sheet.winners)) != (over, winners):
        by_sheet = f"over: {sheet.over}, winners: {list(sheet.winners)}"
        detail = f"{by_sheet} by the sheet; over: {over}, winners: {list(winners)} by the logs"
        report.add(Finding(Fault.SHEET_WRONG, detail, sheet.table, sheet.id))
