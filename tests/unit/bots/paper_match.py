"""Hands between bots on paper: the pure referee, a clock that is a number, and no network."""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from services.bots.judgement import Memory, Strength, think
from services.rules import transitions
from services.rules.agreement import agreement
from services.rules.blocked import dead, table_blocked
from services.rules.events import Ended, EndWhy, Event, Player, ShiftWhy, digest, encode_body, seal
from services.rules.hand import Hand, Phase, Seat
from services.rules.moves import Action, Choice
from services.rules.options import RACING_DEMON, Options
from services.rules.referee import Command, judge
from services.rules.view import TableView

NOON = 1_700_000_000_000
STUCK_MS = 1_000
WIRE_MS = 20


@dataclass
class PaperHand:
    """One hand. Bots look every ``gap_ms`` or so; what they decide is judged a moment later."""

    strengths: Sequence[Strength]
    seed: int
    options: Options = RACING_DEMON
    gap_ms: float = 1_600
    events: list[Event] = field(default_factory=list)
    actions: int = 0
    refused: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.now_ms = NOON
        self.view = TableView()
        self.hand: Hand
        self.memories = [Memory() for _ in self.strengths]
        players = [Player(f"p{i}", f"Bot {i}", bot=True, nonce=f"nonce {i}") for i in range(len(self.strengths))]
        self._tell(
            transitions.prepare(
                (Seat(),) * len(players), match="m1", number=1, secret=f"{self.seed:064x}", seq=0, now_ms=NOON
            )
        )
        self._tell(transitions.deal(self.hand, options=self.options, players=players, start_at=NOON, now_ms=NOON))
        self._tell(transitions.start(self.hand, NOON))

    def play(self, most_actions: int = 20_000) -> Ended:
        """To the end. Fails if the hand does not end within so many actions."""
        looks = [(NOON + self._gap(), seat) for seat in range(len(self.strengths))]
        heapq.heapify(looks)
        stuck_at, progress = NOON + STUCK_MS, 0
        while self.hand.phase is not Phase.OVER:
            assert self.actions < most_actions, f"seed {self.seed}: no end after {self.actions} actions"
            self.now_ms, seat = heapq.heappop(looks)
            if self.hand.phase is Phase.CLOSING:
                assert self.hand.closes_at is not None
                self.now_ms = self.hand.closes_at
                self._tell(transitions.end(self.hand, EndWhy.CALLED, now_ms=self.now_ms))
                break
            self._look(seat)
            heapq.heappush(looks, (self.now_ms + self._gap(), seat))
            if self.hand.progress != progress:
                stuck_at, progress = self.now_ms + STUCK_MS, self.hand.progress
            elif self.now_ms >= stuck_at or agreement(self.hand.votes) is not None:
                self._stuck()
                stuck_at = self.now_ms + STUCK_MS
        end = self.events[-1]
        assert isinstance(end, Ended)
        return end

    @property
    def log(self) -> list[bytes]:
        """The hand's sealed log."""
        previous, out = "", []
        for event in self.events:
            body = encode_body(event)
            previous = digest(previous, body)
            out.append(seal(body, previous).encode())
        return out

    def _gap(self) -> int:
        return max(50, round(self.random.lognormvariate(0, 0.6) * self.gap_ms))

    def _look(self, seat: int) -> None:
        thought = think(self.view, seat, self.strengths[seat], self.memories[seat], self.random)
        self.memories[seat] = thought.memory
        if thought.action is not None:
            self._act(seat, thought.action)

    def _act(self, seat: int, action: Action) -> None:
        self.actions += 1
        state = self.hand.seats[seat]
        now_ms = self.now_ms + WIRE_MS
        command = Command(seat, state.epoch, state.last_n + 1, 1, self.hand.seq, self.now_ms, action)
        self.hand, _, event = judge(self.hand, command, now_ms)
        if event is None:
            self.refused += 1
        else:
            self._tell((self.hand, event))

    def _stuck(self) -> None:
        hand = self.hand
        agreed = agreement(hand.votes)
        blocked = table_blocked(hand.layouts, hand.foundations, hand.options)
        if agreed is Choice.END:
            self._tell(transitions.end(hand, EndWhy.AGREED, if_seq=hand.seq, now_ms=self.now_ms))
        elif blocked and dead(hand.layouts, hand.foundations, hand.options):
            self._tell(transitions.end(hand, EndWhy.DEAD, if_seq=hand.seq, now_ms=self.now_ms))
        elif blocked or agreed is Choice.SHIFT:
            why = ShiftWhy.BLOCKED if blocked else ShiftWhy.AGREED
            self._tell(transitions.shift(hand, why, if_seq=hand.seq, away=(), now_ms=self.now_ms))

    def _tell(self, transition: tuple[Hand, Event | None]) -> None:
        self.hand, event = transition
        assert event is not None
        self.events.append(event)
        self.view = self.view.apply(event)
