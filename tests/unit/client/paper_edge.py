"""An edge and an engine on paper: one table, judged by the pure referee, spoken to in the protocol's frames."""

from __future__ import annotations

import json
from typing import Any

from services.loadtest import check_actions
from services.rules import transitions
from services.rules.events import Event, Player, digest, encode_body, seal
from services.rules.hand import Hand, Seat
from services.rules.moves import (
    Action,
)
from services.rules.options import RACING_DEMON
from services.rules.referee import Command, judge
from services.rules.view import view

NOON = 1_700_000_000_000


class PaperEdge:
    """A table of some seats whose first hand runs. ``log`` is every event as clients get it."""

    def __init__(self, seats: int = 2, secret: str = "5e" * 32) -> None:
        self.now_ms = NOON
        self.hand: Hand
        self.log: list[bytes] = []
        self.digest = ""
        self.verdicts: dict[int, dict[int, bytes]] = {seat: {} for seat in range(seats)}
        players = [Player(f"p{i}", f"Player {i}", bot=False, nonce=f"nonce {i}") for i in range(seats)]
        hand, prepared = transitions.prepare((Seat(),) * seats, match="m1", number=1, secret=secret, seq=0, now_ms=NOON)
        self._tell(hand, prepared)
        self._tell(*transitions.deal(self.hand, options=RACING_DEMON, players=players, start_at=NOON, now_ms=NOON))
        self._tell(*transitions.start(self.hand, NOON))

    def attach(self, frame: bytes, seat: int | None) -> list[bytes]:
        """Everything that the edge answers to an attach."""
        asked = json.loads(frame)
        assert asked["t"] == "attach"
        after = asked["after"]
        resumed = after is not None and self._knows(after["seq"], after["digest"])
        set_back = after is not None and not resumed
        out = [self.welcome(seat, resumed=resumed, set_back=set_back)]
        if not resumed:
            out.append(self.snapshot())
        if seat is not None:
            out += [kept for n, kept in self.verdicts[seat].items() if n > asked["n"]]
        if resumed:
            out += self.log[after["seq"] :]
        return out

    def command(self, frame: bytes, seat: int = 0) -> tuple[bytes, bytes | None]:
        """The verdict, and the event if there is one."""
        asked, action = json.loads(frame), check_actions.asked(frame)
        assert isinstance(action, Action)
        state = self.hand.seats[seat]
        command = Command(seat, state.epoch, asked["n"], asked["hand"], asked["seen"], self.now_ms, action)
        self.hand, verdict, events = judge(self.hand, command, self.now_ms)
        told = verdict.frame().encode()
        if asked["n"] == self.hand.seats[seat].last_n:
            self.verdicts[seat][asked["n"]] = told
        return told, self._append(events[0]) if events else None

    def lose_history(self, seq: int) -> None:
        """What came after ``seq`` is lost with a machine; the hand's state is that of then, roughly: its numbers."""
        self.log = self.log[:seq]
        self.digest = json.loads(self.log[-1])["digest"]
        fields = {f: getattr(self.hand, f) for f in self.hand.__slots__}
        self.hand = Hand(**fields | {"seq": seq, "seats": tuple(Seat() for _ in self.hand.seats)})

    def welcome(self, seat: int | None, *, resumed: bool, set_back: bool) -> bytes:
        n = 0 if seat is None else self.hand.seats[seat].last_n
        table = {"id": "t1", "version": 1, "state": "playing", "seats": [{"index": 0, "player": "p0"}]}
        return _frame(
            t="welcome", v=1, player="p0", seat=seat, n=n, resumed=resumed, set_back=set_back, table=table, now=NOON
        )

    def snapshot(self) -> bytes:
        seen = view(self.hand)
        return _frame(
            t="snapshot",
            seq=seen.seq,
            digest=self.digest,
            phase=seen.phase,
            hand=seen.hand,
            match=seen.match,
            options=json.loads(seen.options.to_json()),
            commitment=seen.commitment,
            start_at=seen.start_at,
            closes_at=seen.closes_at,
            progress=seen.progress,
            callers=seen.callers,
            votes={str(i): vote for i, vote in enumerate(seen.votes) if vote},
            asked=seen.asked,
            away=[],
            seats=[
                {
                    "demon": s.demon_count,
                    "top": s.demon_top and s.demon_top.text,
                    "columns": [[c.text for c in column] for column in s.columns],
                    "stock": s.stock_count,
                    "waste": len(s.waste),
                    "waste_top": s.waste_top and s.waste_top.text,
                }
                for s in seen.seats
            ],
            foundations=[{"suit": f.suit, "ranks": f.ranks} for f in seen.foundations],
            last_n=[s.last_n for s in self.hand.seats],
        )

    def _knows(self, seq: int, digest: str) -> bool:
        return 0 < seq <= len(self.log) and json.loads(self.log[seq - 1])["digest"] == digest

    def _tell(self, hand: Hand, event: Event | None) -> None:
        assert event is not None
        self.hand = hand
        self._append(event)

    def _append(self, event: Event) -> bytes:
        body = encode_body(event)
        self.digest = digest(self.digest, body)
        self.log.append(seal(body, self.digest).encode())
        return self.log[-1]


def _frame(**fields: Any) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode()
