"""Faults in what the clients of a run were told: what is changed is a history."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec

from services.loadtest import history
from services.rules.events import Played, SeatEvent
from tests.unit.loadtest.altered_run import FIRST_LOG, Records


def _sent_and_logged(records: Records) -> Callable[[history.Verdict], bool]:
    return lambda verdict: isinstance(records.logged(verdict.seq), SeatEvent)


def event_comes_twice(records: Records) -> None:
    at = records.where(history.Event)
    records.history.insert(at + 1, records.history[at])


def two_events_change_places(records: Records) -> None:
    at = records.where(history.Event)
    event = records.history[at]
    assert isinstance(event, history.Event)
    after = next(
        i
        for i, other in enumerate(records.history)
        if isinstance(other, history.Event) and (other.socket, other.seq) == (event.socket, event.seq + 1)
    )
    records.history[at], records.history[after] = records.history[after], event


def event_never_comes(records: Records) -> None:
    del records.history[records.where(history.Event)]


def resumed_too_late(records: Records) -> None:
    at = records.where(history.Opened, lambda opened: bool(opened.after))
    opened = records.history[at]
    assert isinstance(opened, history.Opened)
    first = next(i for i, r in enumerate(records.history) if isinstance(r, history.Event) and r.socket == opened.socket)
    del records.history[first]


def client_has_another_digest(records: Records) -> None:
    at = records.where(history.Event)
    records.history[at] = msgspec.structs.replace(records.history[at], digest="f" * 16)


def clients_of_an_unlogged_hand_differ(records: Records) -> None:
    last = max(event.seq for log in records.logs.values() for event in log)
    at = records.where(history.Event, lambda event: event.seq > last)
    records.history[at] = msgspec.structs.replace(records.history[at], digest="f" * 16)


def snapshot_of_another_history(records: Records) -> None:
    at = records.where(history.Snapshot)
    records.history[at] = msgspec.structs.replace(records.history[at], digest="f" * 16)


def event_of_another_hand(records: Records) -> None:
    at = records.where(history.Event)
    records.history[at] = msgspec.structs.replace(records.history[at], hand=7)


def acknowledgement_is_lost(records: Records) -> None:
    del records.history[records.where(history.Verdict, _sent_and_logged(records))]


def acknowledged_as_another(records: Records) -> None:
    """The event that the verdict names is none of this command."""
    at = records.where(history.Verdict, _sent_and_logged(records))
    verdict = records.history[at]
    assert isinstance(verdict, history.Verdict)
    assert verdict.seq is not None
    records.history[at] = msgspec.structs.replace(verdict, seq=verdict.seq + 1)


def acknowledged_behind_the_end(records: Records) -> None:
    """A play that the engine acknowledged and then lost, with all that followed, before it was written."""
    at = records.where(history.Verdict, lambda v: v.verdict == "refused" and v.why != "hand_over")
    records.history[at] = msgspec.structs.replace(records.history[at], verdict="applied", seq=99_999, why=None)


def refused_but_it_happened(records: Records) -> None:
    at = records.where(history.Verdict, _sent_and_logged(records))
    records.history[at] = msgspec.structs.replace(records.history[at], verdict="refused", seq=None, why="does_not_fit")


def told_to_be_alone_on_a_shared_place(records: Records) -> None:
    at = records.where(history.Verdict, lambda verdict: verdict.verdict == "tied")
    records.history[at] = msgspec.structs.replace(records.history[at], verdict="applied")


def second_verdict_differs(records: Records) -> None:
    at = records.where(history.Verdict, lambda verdict: verdict.verdict == "applied")
    records.history.insert(at + 1, msgspec.structs.replace(records.history[at], verdict="tied"))


def refused_for_nothing(records: Records) -> None:
    """Nobody had called yet when the command was refused because of a call."""
    at = records.where(history.Verdict, lambda verdict: verdict.why == "stock_changed" and verdict.n < 10)
    records.history[at] = msgspec.structs.replace(records.history[at], why="already_called")


def held_still_between_hands(records: Records) -> None:
    """Its hand did not run any more: whether an operator held the table still did not matter."""
    refused_as_frozen(records, "wrong_hand")


def refused_as_frozen(records: Records, why: str) -> None:
    """All that was refused for that reason."""
    records.history = [
        msgspec.structs.replace(record, why="frozen")
        if isinstance(record, history.Verdict) and record.why == why
        else record
        for record in records.history
    ]


def command_that_nobody_sent(records: Records) -> None:
    at = records.where(history.Verdict, _sent_and_logged(records))
    verdict = records.history[at]
    assert isinstance(verdict, history.Verdict)
    records.history = [
        record
        for record in records.history
        if not (
            isinstance(record, history.Sent | history.Verdict)
            and (record.socket, record.n) == (verdict.socket, verdict.n)
        )
    ]


def another_card_than_was_sent(records: Records) -> None:
    at = _a_play_was_sent(records)
    _say(records, at, card="KD" if _said(records, at)["card"] != "KD" else "QD")


def player_had_seen_more(records: Records) -> None:
    at = _a_play_was_sent(records)
    _say(records, at, seen=_said(records, at)["seen"] + 1)


def log_against_real_time(records: Records) -> None:
    """A command was sent only when the outcome of the next one in the log was known to everybody."""
    log = records.logs[FIRST_LOG]
    pairs = [
        (a, b) for a, b in pairwise(log) if isinstance(a, SeatEvent) and isinstance(b, SeatEvent) and a.seat != b.seat
    ]
    earlier, later = pairs[len(pairs) // 2]
    known = min(r.at_us for r in records.history if isinstance(r, history.Event) and r.seq == later.seq)
    answer = next(r for r in records.history if isinstance(r, history.Verdict) and r.seq == earlier.seq)
    at = records.where(history.Sent, lambda sent: (sent.socket, sent.n) == (answer.socket, answer.n))
    records.history[at] = msgspec.structs.replace(records.history[at], at_us=known + 1)


def welcomed_to_an_older_state(records: Records) -> None:
    at = records.where(history.Welcomed, lambda welcomed: welcomed.resumed)
    records.history[at] = msgspec.structs.replace(records.history[at], n=0)


def told_that_history_was_lost(records: Records) -> None:
    at = records.where(history.Welcomed)
    records.history[at] = msgspec.structs.replace(records.history[at], set_back=True)


def line_that_is_no_record(records: Records) -> None:
    at = records.where(history.Event)
    records.history[at] = ["nonsense", 1]  # type: ignore[call-overload]


def _a_play_was_sent(records: Records) -> int:
    played = {event.n for event in records.logs[FIRST_LOG] if isinstance(event, Played) and event.seat == 1}
    return records.where(history.Sent, lambda sent: sent.socket == 2 and sent.n in played)


def _said(records: Records, at: int) -> dict[str, Any]:
    frame: dict[str, Any] = msgspec.json.decode(bytes(_sent(records, at).frame))
    return frame


def _say(records: Records, at: int, **fields: object) -> None:
    frame = msgspec.Raw(msgspec.json.encode(_said(records, at) | fields))
    records.history[at] = msgspec.structs.replace(records.history[at], frame=frame)


def _sent(records: Records, at: int) -> history.Sent:
    record = records.history[at]
    assert isinstance(record, history.Sent)
    return record
