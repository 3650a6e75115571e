"""Faults in the logs of a run, and in the sheets of its matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec

from services.client.models import HandSheet
from services.rules.events import Dealt, Ended, Moved, Played, Prepared, Recycled, SeatEvent, Turned
from tests.unit.loadtest.altered_run import FIRST_LOG, SECOND_LOG, Records


def command_in_the_log_twice(records: Records) -> None:
    log = records.logs[FIRST_LOG]
    at = records.at(FIRST_LOG, Moved)
    log[at + 1 :] = [replace(event, seq=event.seq + 1) for event in log[at:]]
    _later_hands_follow(records)


def event_left_out(records: Records) -> None:
    del records.logs[FIRST_LOG][records.at(FIRST_LOG, SeatEvent)]


def digest_is_forged(records: Records) -> None:
    at = records.at(FIRST_LOG, Moved)
    records.change(FIRST_LOG, at, seen=0)


def hands_not_linked(records: Records) -> None:
    at = records.at(SECOND_LOG, Prepared)
    records.change(SECOND_LOG, at, at=1)


def another_secret(records: Records) -> None:
    records.change(FIRST_LOG, len(records.logs[FIRST_LOG]) - 1, secret="00" * 32)


def move_that_no_rule_allows(records: Records) -> None:
    at = records.at(FIRST_LOG, Moved)
    moved = records.logs[FIRST_LOG][at]
    assert isinstance(moved, Moved)
    records.change(FIRST_LOG, at, shows=None if moved.shows else moved.card)


def wrong_winner(records: Records) -> None:
    """A second card takes a place as if it were free, though it is not."""
    name, at = _contest(records, lambda event: event.tie)
    records.change(name, at, tie=False)


def shared_though_it_was_seen(records: Records) -> None:
    name, at = _contest(records, lambda event: event.tie)
    tied = records.logs[name][at]
    records.change(name, at, seen=tied.seq - 1)


def judged_as_if_more_was_seen(records: Records) -> None:
    """Nothing hangs on it for a turn of the stock, but a race would be lost by it."""
    at = records.at(FIRST_LOG, Turned, lambda turned: turned.seen < turned.seq - 4)
    records.change(FIRST_LOG, at, seen=records.logs[FIRST_LOG][at].seq - 1)


def card_lost_as_the_waste_is_turned(records: Records) -> None:
    at = records.at(FIRST_LOG, Recycled, lambda recycled: recycled.count > 1)
    recycled = records.logs[FIRST_LOG][at]
    assert isinstance(recycled, Recycled)
    records.change(FIRST_LOG, at, count=recycled.count - 1)


def dealt_without_a_card(records: Records) -> None:
    at = records.at(FIRST_LOG, Dealt)
    dealt = records.logs[FIRST_LOG][at]
    assert isinstance(dealt, Dealt)
    first, *others = dealt.layouts
    records.change(FIRST_LOG, at, layouts=(replace(first, stock=first.stock - 1), *others))


def score_of_the_end(records: Records) -> None:
    at = len(records.logs[FIRST_LOG]) - 1
    end = records.logs[FIRST_LOG][at]
    assert isinstance(end, Ended)
    first, *others = end.scores
    records.change(FIRST_LOG, at, scores=(replace(first, points=first.points + 1), *others))


def _contest(records: Records, condition: Callable[[Played], bool]) -> tuple[str, int]:
    return next(
        (name, i)
        for name, log in sorted(records.logs.items())
        for i, event in enumerate(log)
        if isinstance(event, Played) and condition(event)
    )


def _later_hands_follow(records: Records) -> None:
    """The numbers behind an event that was put in rise by one."""
    for name in records.logs:
        if name != FIRST_LOG:
            records.logs[name] = [replace(event, seq=event.seq + 1) for event in records.logs[name]]


def _line_of_the_sheet(records: Records, **fields: int) -> None:
    sheet = records.sheet.hands[0]
    line = msgspec.structs.replace(sheet.seats[1], **fields)
    seats = (sheet.seats[0], line, *sheet.seats[2:])
    _sheet_of_hand(records, msgspec.structs.replace(sheet, seats=seats))


def _sheet_of_hand(records: Records, sheet: HandSheet) -> None:
    records.sheet = msgspec.structs.replace(records.sheet, hands=(sheet, *records.sheet.hands[1:]))


def points_of_the_sheet(records: Records) -> None:
    _line_of_the_sheet(records, points=99)


def total_of_the_sheet(records: Records) -> None:
    _line_of_the_sheet(records, total=records.sheet.hands[0].seats[1].total + 1)


def winner_of_a_match_that_goes_on(records: Records) -> None:
    records.sheet = msgspec.structs.replace(records.sheet, over=True, winners=(0,))


def log_of_a_counted_hand_is_gone(records: Records) -> None:
    del records.logs[SECOND_LOG]
    (records.folder / "logs" / f"{SECOND_LOG}.json").unlink()
