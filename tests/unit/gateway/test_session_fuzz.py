"""Whatever a client sends, a session answers it and keeps its promises."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.gateway.bucket import Rate
from services.gateway.commands import Outcome, Snapshot
from services.gateway.events import Run
from services.gateway.hearing import MOST_UNANSWERED
from services.gateway.session import Session
from tests.unit.gateway.fakes import FakeShell, history, table_view

EVENTS = history(60)
_leaf = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["AS", "c1"]),
)
_json = st.recursive(
    _leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)
_types = ["play", "move", "turn", "recycle", "call", "vote", "attach", "ready", "emote", "ping", "pong"]
_small = st.integers(-1, 80)
_frame = st.fixed_dictionaries(
    {"t": st.sampled_from(_types) | _leaf},
    optional={
        "n": _small | _json,
        "hand": _small | _json,
        "seen": _small | _json,
        "digest": st.sampled_from(["d", *(event.digest for event in EVENTS[:8])]) | _json,
        "stock": _small | _json,
        "from": st.sampled_from(["demon", "waste", "c0", "c9"]) | _json,
        "card": st.sampled_from(["AS", "KD", "1S"]) | _json,
        "to": st.none() | st.sampled_from(["c1", "c4"]) | _small | _json,
        "choice": st.sampled_from(["shift", "end", "withdraw", "x"]) | _json,
        "progress": _small | _json,
        "seat": st.booleans() | _json,
        "after": st.none() | st.fixed_dictionaries({"seq": _small, "digest": st.text(max_size=16)}) | _json,
        "ready": st.booleans() | _json,
        "nonce": st.text(max_size=4) | _json,
        "id": _small | _json,
        "emote": st.sampled_from(["nice", "rude"]) | _json,
    },
)
_raw = st.one_of(_frame.map(lambda frame: json.dumps(frame).encode()), st.binary(max_size=60))
_step = st.one_of(
    st.tuples(st.just("frame"), _raw),
    st.tuples(st.just("time"), st.floats(0, 3)),
    st.tuples(st.just("event"), st.integers(1, 3)),
    st.tuples(st.just("verdict"), st.sampled_from([Outcome.APPLIED, Outcome.REFUSED, Outcome.OUT_OF_ORDER])),
    st.tuples(st.just("welcome"), st.booleans()),
    st.tuples(st.just("lost"), st.none()),
    st.tuples(st.just("gone"), st.none()),
)


@settings(max_examples=400)
@given(steps=st.lists(_step, max_size=60), rate=st.sampled_from([Rate(0, 1), Rate(20, 10)]))
def test_no_frame_breaks_a_session_and_no_promise(steps: list[tuple[str, Any]], rate: Rate) -> None:
    shell = FakeShell()
    session = Session(shell, "t1", "ann", rate, 0.0)
    now, told, unanswered, gone = 0.0, 0, 0, False
    for what, value in steps:
        if what == "gone" and not gone:
            session.lost()
            gone = True
        elif what == "frame" and not gone:
            session.receive(value, now, int(now * 1000))
        elif what == "time":
            now += value
            session.drain(now)
            session.tick(now)
        elif what == "event":
            if events := EVENTS[told : told + value]:
                session.told(Run.of(events))
            told = min(told + value, len(EVENTS))
        elif what == "verdict" and len(shell.commands) > unanswered:
            unanswered += 1
            session.verdict(value, b'{"t":"verdict"}', now)
        elif what == "welcome" and shell.attaches:
            snapshot = Snapshot(told, "d", json.dumps({"t": "snapshot", "seq": told}).encode())
            session.welcome(
                view=table_view(),
                seat=0 if value else None,
                epoch=1 if value else None,
                n=0,
                now_ms=0,
                snapshot=snapshot,
            )
        elif what == "lost":
            session.history_lost()
            if session.live:
                session.set_back(0, 1, Snapshot(told, "d", json.dumps({"t": "snapshot", "seq": told}).encode()))
    seqs = _sequences(shell.received)
    assert all(run == list(range(run[0], run[0] + len(run))) for run in seqs if run)
    assert all(command.seen <= told for command in shell.commands)
    assert len(shell.commands) - unanswered <= MOST_UNANSWERED * (1 + shell.recoveries)


def _sequences(frames: list[dict[str, Any]]) -> list[list[int]]:
    """The events' numbers, split at each snapshot."""
    runs: list[list[int]] = [[]]
    for frame in frames:
        if frame.get("t") == "snapshot":
            runs.append([])
        elif "e" in frame:
            runs[-1].append(frame["seq"])
    return runs
