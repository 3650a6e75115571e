"""The sheet of a match, counted again from the logs of its hands with the rules alone (RD-12, RD-13)."""

from __future__ import annotations

from collections.abc import Sequence

from services.client.models import Match
from services.rules.options import Options
from services.rules.replay import replay, verify
from services.rules.scoring import match_result, score_hand

HandLog = Sequence[bytes]


def problems(match: Match, logs: Sequence[HandLog]) -> list[str]:
    """Everything that is wrong with a match that is over: its logs, its sheets, its totals, its winners.

    ``logs`` are those of hands 1, 2, … in order. No problem at all: the match is confirmed.
    """
    found: list[str] = []
    if not match.over:
        found.append("the match is not over")
    if [sheet.hand for sheet in match.hands] != list(range(1, len(logs) + 1)):
        found.append(f"hands on the sheet: {[sheet.hand for sheet in match.hands]}, logs: {len(logs)}")
        return found
    options = Options.from_mapping(match.options)
    totals: list[int] = []
    played = 0
    for sheet, log in zip(match.hands, logs, strict=True):
        faults = [f"hand {sheet.hand}: {problem}" for problem in verify(log).problems]
        if faults:
            found += faults
            continue
        hand = replay(log)
        counted = score_hand(hand.layouts, hand.foundations, hand.callers, options)
        totals = totals or [0] * len(counted)
        if sheet.why != "void":
            played += 1
            totals = [total + seat.points for total, seat in zip(totals, counted, strict=True)]
        for seat, line in zip(counted, sheet.seats, strict=True):
            told = (line.foundation, line.demon, line.points, line.total)
            right = (seat.foundation, seat.demon, seat.points, totals[seat.seat])
            if sheet.why != "void" and told != right:
                found.append(f"hand {sheet.hand}, seat {seat.seat}: the sheet says {told}, the log {right}")
    over, winners = match_result(totals, played, options)
    if not over or tuple(match.winners) != tuple(winners):
        found.append(f"winners: the sheet says {tuple(match.winners)}, the logs {tuple(winners)} (over: {over})")
    return found
