"""Hands and matches between bots on paper: the pure referee, a clock that is a number, and no network."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from services.bots.judgement import Memory, Strength, Thought, think
from services.rules import transitions
from services.rules.agreement import agreement
from services.rules.blocked import dead, table_blocked
from services.rules.events import Ended, EndWhy, Event, Player, ShiftWhy, digest, encode_body, seal
from services.rules.hand import Hand, Phase, Seat
from services.rules.moves import Choice, Reason
from services.rules.options import RACING_DEMON, Options
from services.rules.referee import Command, judge
from services.rules.scoring import MatchResult, match_result
from services.rules.verdict import Outcome
from services.rules.view import TableView

NOON = 1_700_000_000_000
STUCK_MS = 1_000
WIRE_MS = 10, 150
JUDGED_MS = 1, 10
NOT_OVER = MatchResult(over=False, winners=())
LONGEST_MS = 10 * 3_600 * 1_000

Thinker = Callable[[TableView, int, Strength, Memory, random.Random], Thought]


@dataclass
class PaperHand:
    """One hand. Bots look every ``gap_ms`` or so; what they decide is judged a moment later, others may come between.

    ``thinks`` is how the bots decide, by seat; ``number`` and ``seq`` continue a match; ``watch`` is told of the hand
    after every event.
    """

    strengths: Sequence[Strength]
    seed: int
    options: Options = RACING_DEMON
    gap_ms: float = 1_600
    number: int = 1
    seq: int = 0
    thinks: Sequence[Thinker] = ()
    watch: Callable[[Hand], None] | None = None
    events: list[Event] = field(default_factory=list)
    actions: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.now_ms = NOON
        self.view = TableView(seq=self.seq)
        self.hand: Hand
        self.memories = [Memory() for _ in self.strengths]
        self.verdicts: Counter[Outcome] = Counter()
        self.refusals: Counter[Reason] = Counter()
        self._agenda: list[tuple[int, int, int, Command | None]] = []
        self._order = count()
        players = [Player(f"p{i}", f"Bot {i}", bot=True, nonce=f"nonce {i}") for i in range(len(self.strengths))]
        secret, seats = f"{self.seed:064x}", (Seat(),) * len(players)
        self._tell(transitions.prepare(seats, match="m1", number=self.number, secret=secret, seq=self.seq, now_ms=NOON))
        self._tell(transitions.deal(self.hand, options=self.options, players=players, start_at=NOON, now_ms=NOON))
        self._tell(transitions.start(self.hand, NOON))

    def play(self, most_actions: int = 20_000) -> Ended:
        """To the end. Fails if the hand does not end within so many actions."""
        for seat in range(len(self.strengths)):
            self._later(self._gap(), seat, None)
        stuck_at, progress = NOON + STUCK_MS, 0
        while self.hand.phase is not Phase.OVER:
            assert self.actions < most_actions, f"seed {self.seed}: no end after {self.actions} actions"
            assert self.now_ms < NOON + LONGEST_MS, f"seed {self.seed}: nobody does anything"
            at_ms, _, seat, command = heapq.heappop(self._agenda)
            if self.hand.closes_at is not None and at_ms >= self.hand.closes_at:
                self.now_ms = self.hand.closes_at
                self._tell(transitions.end(self.hand, EndWhy.CALLED, now_ms=self.now_ms))
                break
            self.now_ms = at_ms
            if command is None:
                self._look(seat)
            else:
                self._judge(command)
            if self.hand.phase is not Phase.PLAYING:
                continue
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

    def _later(self, after_ms: int, seat: int, command: Command | None) -> None:
        """The seat looks, or its command is judged, in so many ms."""
        heapq.heappush(self._agenda, (self.now_ms + after_ms, next(self._order), seat, command))

    def _look(self, seat: int) -> None:
        thinks = self.thinks[seat] if self.thinks else think
        thought = thinks(self.view, seat, self.strengths[seat], self.memories[seat], self.random)
        self.memories[seat] = thought.memory
        if thought.action is None:
            self._later(self._gap(), seat, None)
            return
        state = self.hand.seats[seat]
        wire = self.random.randint(*WIRE_MS)
        arrives = self.now_ms + wire
        command = Command(seat, state.epoch, state.last_n + 1, self.number, self.view.seq, arrives, thought.action)
        self._later(wire + self.random.randint(*JUDGED_MS), seat, command)

    def _judge(self, command: Command) -> None:
        self.actions += 1
        self.hand, verdict, events = judge(self.hand, command, self.now_ms)
        self.verdicts[verdict.outcome] += 1
        if isinstance(verdict.why, Reason):
            self.refusals[verdict.why] += 1
        for event in events:
            self._tell((self.hand, event))
        self._later(self._gap(), command.seat, None)

    def _stuck(self) -> None:
        hand = self.hand
        agreed = agreement(hand.votes)
        if agreed is Choice.END:
            return self._end(EndWhy.AGREED)
        if table_blocked(hand.layouts, hand.foundations, hand.options):
            if hand.options.stuck == "end":
                return self._end(EndWhy.BLOCKED)
            if dead(hand.layouts, hand.foundations, hand.options):
                return self._end(EndWhy.DEAD)
            return self._shift(ShiftWhy.BLOCKED)
        return self._shift(ShiftWhy.AGREED) if agreed is Choice.SHIFT else None

    def _end(self, why: EndWhy) -> None:
        self._tell(transitions.end(self.hand, why, if_seq=self.hand.seq, now_ms=self.now_ms))

    def _shift(self, why: ShiftWhy) -> None:
        self._tell(transitions.shift(self.hand, why, if_seq=self.hand.seq, away=(), now_ms=self.now_ms))

    def _tell(self, transition: tuple[Hand, Event | None]) -> None:
        self.hand, event = transition
        assert event is not None
        self.events.append(event)
        self.view = self.view.apply(event)
        if self.watch is not None:
            self.watch(self.hand)


@dataclass
class PaperMatch:
    """A match of hands, each dealt to the same bots, as long as the rules say. ``hands`` are those played."""

    strengths: Sequence[Strength]
    seed: int
    options: Options = RACING_DEMON
    hands: list[PaperHand] = field(default_factory=list)
    totals: list[tuple[int, ...]] = field(default_factory=list)
    result: MatchResult = NOT_OVER

    def play(self) -> MatchResult:
        """To the end (RD-13)."""
        while not self.result.over:
            seq = self.hands[-1].hand.seq if self.hands else 0
            number = len(self.hands) + 1
            hand = PaperHand(self.strengths, self.seed * 1_000 + number, self.options, number=number, seq=seq)
            self.hands.append(hand)
            before = self.totals[-1] if self.totals else (0,) * len(self.strengths)
            scores = hand.play().scores
            self.totals.append(tuple(total + score.points for total, score in zip(before, scores, strict=True)))
            self.result = match_result(self.totals, self.options)
        return self.result
