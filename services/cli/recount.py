"""The sheet of a match, counted again from the logs of its hands (RD-12, RD-13).

Counted the plain way, card by card as they went, so that it does not share a mistake with ``rules.scoring``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from services.client.models import HandSheet, Match
from services.rules.events import Dealt, Ended, EndWhy, Event, Moved, Played, parse
from services.rules.moves import Source
from services.rules.options import Options
from services.rules.replay import verify
from services.rules.scoring import match_result

HandLog = Sequence[bytes]
Counted = tuple[int, int, int]
"""A seat's cards on foundations, cards left in the demon, points."""


def problems(match: Match, logs: Sequence[HandLog]) -> list[str]:
    """Everything that is wrong with a match that is over: its logs, its sheets, its totals, its winners.

    ``logs`` are those of hands 1, 2, … in order. No problem at all: the match is confirmed.
    """
    found = [] if match.over else ["the match is not over"]
    totals, wrong = so_far(match, logs)
    if wrong:
        return [*found, *wrong]
    over, winners, _ = match_result(totals, Options.from_mapping(match.options))
    if not over or tuple(match.winners) != winners:
        found.append(f"winners: the sheet says {match.winners}, the logs {winners} (over: {over})")
    return found


def so_far(match: Match, logs: Sequence[HandLog]) -> tuple[list[list[int]], list[str]]:
    """The totals by seat after each hand that was counted so far, and what is wrong with their logs and sheets."""
    if not logs or [sheet.hand for sheet in match.hands] != list(range(1, len(logs) + 1)):
        return [], [f"hands on the sheet: {[sheet.hand for sheet in match.hands]}, logs: {len(logs)}"]
    options = Options.from_mapping(match.options)
    totals: Counter[int] = Counter()
    after: list[list[int]] = []
    found: list[str] = []
    for sheet, log in zip(match.hands, logs, strict=True):
        faults = verify(log).problems
        if faults:
            return [], [f"hand {sheet.hand}: {fault}" for fault in faults]
        # That a hand was taken back after it had ended is in no log: all at the table have said so.
        taken_back = sheet.why == EndWhy.DISPUTED
        if taken_back and options.dispute == "off":
            found.append(f"hand {sheet.hand}: disputed, at a table without disputes")
        points = () if taken_back else count([parse(event) for event in log], options)
        found += _of_hand(sheet, points, totals)
        if points:
            after.append([totals[seat] for seat in range(max(totals) + 1)])
    return after, found


def count(events: Sequence[Event], options: Options) -> list[Counted]:
    """What each seat has at the end of a hand; nothing for one that counts for nobody.

    That is a card on a foundation for each play that stayed, and a card less in the demon for each that left it.
    """
    end = events[-1]
    if not isinstance(end, Ended) or not end.why.counts:
        return []
    dealt = next(event for event in events if isinstance(event, Dealt))
    foundation = [0] * len(dealt.seats)
    demon = [layout.demon for layout in dealt.layouts]
    for event in events:
        if isinstance(event, Played):
            foundation[event.seat] += 1
        if isinstance(event, Played | Moved) and event.source is Source.DEMON:
            demon[event.seat] -= 1
    return [
        (up, left, up - options.demon_penalty * left + (options.out_bonus if seat in end.callers else 0))
        for seat, (up, left) in enumerate(zip(foundation, demon, strict=True))
    ]


def _of_hand(sheet: HandSheet, counted: Sequence[Counted], totals: Counter[int]) -> list[str]:
    """Adds the hand to ``totals``; what the sheet says otherwise. A hand that doesn't count changes none of them."""
    if not counted:
        return [
            f"hand {sheet.hand}, seat {line.seat}: a hand that doesn't count has changed the total to {line.total}"
            for line in sheet.seats
            if line.total != totals[line.seat]
        ]
    found = []
    for seat, (up, left, points) in enumerate(counted):
        totals[seat] += points
        line = next((line for line in sheet.seats if line.seat == seat), None)
        told = None if line is None else (line.foundation, line.demon, line.points, line.total)
        right = (up, left, points, totals[seat])
        if told != right:
            found.append(f"hand {sheet.hand}, seat {seat}: the sheet says {told}, the log {right}")
    return found
