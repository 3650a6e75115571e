"""The ports in memory, for tests: the pure referee of ``rules`` behind the script's manners. Time is what is set."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from services.engine.port import Judged, Refusal, Ruling, Seated, Solo, State, Status, Timer
from services.rules import events, referee, transitions
from services.rules.aces_up import moves as aces_up
from services.rules.aces_up.events import AcesDealt, AcesEnded, AcesEndWhy, told
from services.rules.contest import Contest
from services.rules.events import EndWhy, Event, Player, ShiftWhy
from services.rules.hand import Hand, Phase, Seat
from services.rules.layout import Layout
from services.rules.moves import Action, Illegal, Reason
from services.rules.options import Options
from services.rules.verdict import Outcome, Verdict
from services.runtime.errors import Unavailable

_RUNNING = (Phase.DEALT, Phase.PLAYING, Phase.CLOSING)
_LOOK_MS = (1000, 2000, 4000, 5000)


@dataclass(slots=True)
class _Table:
    hand: Hand
    digest: str = ""
    dealt_seq: int | None = None
    away: dict[int, int] = field(default_factory=dict)
    sockets: dict[int, str] = field(default_factory=dict)
    log: list[bytes] = field(default_factory=list)
    due: dict[Timer, int] = field(default_factory=dict)
    held: dict[Timer, int] = field(default_factory=dict)
    frozen_ms: int = 0
    looks: int = 0
    solo: Solo | None = None


class MemoryReferee:
    """``port.Referee``, ``port.Log`` and ``port.TimerIndex`` for any number of engines in one process.

    ``now`` is the clock (ms). While ``reached`` is false everything raises ``Unavailable``. ``finished`` lists tables
    whose hands ended.
    """

    def __init__(self, now: int = 1_700_000_000_000) -> None:
        self.now = now
        self.reached = True
        self.finished: list[str] = []
        self.calls = 0
        self._tables: dict[str, _Table] = {}
        self._events = 0
        self._grown = asyncio.Event()

    async def judge(self, calls: Sequence[tuple[str, Sequence[Judged]]]) -> list[list[Ruling]]:
        """Judges in order; what is behind a stale command of its seat is stale too."""
        await self._reach()
        self.calls += 1
        return [self._judge_table(table, judged) for table, judged in calls]

    async def prepare(
        self, table: str, *, match: str, hand: int, seats: int, secret: str, commitment: str
    ) -> str | Refusal:
        """See the port."""
        await self._reach()
        here = self._tables.get(table)
        if here is not None:
            if (here.hand.match, here.hand.number) == (match, hand):
                return here.hand.commitment
            if here.hand.phase in _RUNNING:
                return Refusal.HAND_RUNNING
        kept = here.hand.seats if here is not None else (Seat(),) * seats
        seq = here.hand.seq if here is not None else 0
        prepared, event = transitions.prepare(kept, match=match, number=hand, secret=secret, seq=seq, now_ms=self.now)
        if here is not None:
            prepared = replace(prepared, frozen=here.hand.frozen)
        if here is None:
            here = self._tables[table] = _Table(prepared, away=dict.fromkeys(range(seats), self.now))
        here.dealt_seq = None
        self._write(here, prepared, event)
        return commitment

    async def deal(
        self,
        table: str,
        *,
        match: str,
        hand: int,
        options: Options,
        commitment: str,
        players: Sequence[Player],
        layouts: Sequence[Layout],
        countdown_ms: int,
    ) -> int | Refusal:
        """See the port; the layouts are taken as given."""
        await self._reach()
        here = self._tables.get(table)
        if here is None:
            return Refusal.UNKNOWN_TABLE
        if (here.hand.match, here.hand.number) != (match, hand):
            return Refusal.HAND_RUNNING if here.hand.phase in _RUNNING else Refusal.NOT_PREPARED
        if here.dealt_seq is None:
            start_at = self.now + countdown_ms
            dealt, event = transitions.deal(
                here.hand, options=options, players=players, start_at=start_at, now_ms=self.now
            )
            here.dealt_seq = dealt.seq
            here.due[Timer.START] = start_at
            self._write(here, replace(dealt, layouts=tuple(layouts)), event)
        return here.dealt_seq

    async def deal_solo(
        self, table: str, *, match: str, hand: int, solo: Solo, commitment: str, player: Player, countdown_ms: int
    ) -> int | Refusal:
        """See the port."""
        await self._reach()
        here = self._tables.get(table)
        if here is None:
            return Refusal.UNKNOWN_TABLE
        if (here.hand.match, here.hand.number) != (match, hand):
            return Refusal.HAND_RUNNING if here.hand.phase in _RUNNING else Refusal.NOT_PREPARED
        if here.dealt_seq is None:
            options, state = solo
            start_at, seq = self.now + countdown_ms, here.hand.seq + 1
            tops = tuple(pile[-1] for pile in state.piles)
            event = AcesDealt(
                seq, self.now, hand, match, options, commitment, (player,), start_at, tops, state.stock_count
            )
            here.solo, here.dealt_seq, here.due[Timer.START] = solo, seq, start_at
            self._write(here, replace(here.hand, seq=seq, phase=Phase.DEALT, start_at=start_at), event)
        return here.dealt_seq

    async def start(self, table: str) -> bool:
        """See the port."""
        await self._reach()
        here = self._tables[table]
        started = self._write(here, *transitions.start(here.hand, self.now))
        if started:
            here.due = {} if here.solo else {Timer.STUCK: self.now + _LOOK_MS[0]}
        return started

    async def shift(self, state: State, *, why: ShiftWhy, away: Sequence[int]) -> bool:
        """See the port."""
        await self._reach()
        here = self._tables[state.table]
        shifted = transitions.shift(here.hand, why, if_seq=state.hand.seq, away=away, now_ms=self.now)
        here.due[Timer.STUCK] = self.now + _LOOK_MS[0]
        return self._write(here, *shifted)

    async def ask(self, state: State) -> bool:
        """See the port."""
        await self._reach()
        here = self._tables[state.table]
        return self._write(here, *transitions.ask(here.hand, progress=state.hand.progress, now_ms=self.now))

    async def end(self, state: State, *, why: EndWhy | AcesEndWhy, away: Sequence[int]) -> bool:
        """See the port."""
        await self._reach()
        here = self._tables[state.table]
        hand = here.hand
        if state.hand.seq != hand.seq:
            return False
        if isinstance(why, EndWhy):
            done = self._write(here, *transitions.end(hand, why, now_ms=self.now, if_seq=state.hand.seq, away=away))
        else:
            assert here.solo is not None
            seq, removed = hand.seq + 1, here.solo.state.removed_count
            event = AcesEnded(seq, self.now, hand.number, hand.match, why, removed, hand.secret)
            done = self._write(here, replace(hand, seq=seq, phase=Phase.OVER), event)
        if done:
            here.due = {}
            self.finished.append(state.table)
        return done

    async def freeze(self, table: str, frozen: bool) -> bool:
        """See the port. What is due waits beside the table meanwhile."""
        await self._reach()
        here = self._tables.get(table)
        if here is None:
            return False
        if here.hand.frozen is not frozen:
            if frozen:
                here.held, here.due = here.due, {}
                here.frozen_ms = self.now
            else:
                stood_ms = self.now - here.frozen_ms
                here.due = {timer: at + stood_ms for timer, at in here.held.items()}
            here.hand = replace(here.hand, frozen=frozen)
        return True

    async def attach(self, table: str, seat: int, after_n: int, socket: str = "") -> Seated | Refusal:
        """See the port."""
        await self._reach()
        here = self._tables.get(table)
        if here is None:
            return Refusal.UNKNOWN_TABLE
        if seat >= len(here.hand.seats):
            return Refusal.UNKNOWN_SEAT
        here.hand = transitions.attach(here.hand, seat)
        here.sockets[seat] = socket
        here.away.pop(seat, None)
        taken = here.hand.seats[seat]
        kept = tuple(v.frame().encode() for v in taken.verdicts if v.n > after_n)
        return Seated(taken.epoch, taken.last_n, kept)

    async def detach(self, table: str, seat: int, epoch: int, *, left: bool, socket: str = "") -> bool | None:
        """See the port."""
        await self._reach()
        here = self._tables.get(table)
        if here is None or seat >= len(here.hand.seats):
            return None
        has_it = here.hand.seats[seat].epoch
        if epoch == 0 and here.sockets.get(seat, "") == socket != "":
            epoch = has_it
        if has_it == epoch and here.away.get(seat) != 0:
            here.away[seat] = 0 if left else self.now
        if has_it == epoch == 0:
            return None
        return has_it <= epoch or seat in here.away

    async def look(self, table: str, timer: Timer | None = None) -> State | None:
        """See the port."""
        await self._reach()
        here = self._tables.get(table)
        if here is None or (timer is not None and here.due.get(timer, self.now + 1) > self.now):
            return None
        if timer is Timer.STUCK:
            here.due[timer] = self.now + _LOOK_MS[min(here.looks, len(_LOOK_MS) - 1)]
            here.looks += 1
        return State(table, self.now, here.digest, here.hand, dict(here.away), here.dealt_seq, here.looks, here.solo)

    async def forget(self, table: str) -> Refusal | None:
        """See the port. Nobody counts here: a hand that ended is taken for counted."""
        await self._reach()
        here = self._tables.get(table)
        if here is not None and here.hand.phase in _RUNNING:
            return Refusal.HAND_RUNNING
        self._tables.pop(table, None)
        return None

    async def read(self, table: str, after_seq: int, limit: int) -> list[tuple[int, bytes]]:
        """See the port; everything is kept."""
        await self._reach()
        here = self._tables.get(table)
        numbered = enumerate(here.log if here is not None else (), start=1)
        return [entry for entry in numbered if entry[0] > after_seq][:limit]

    @asynccontextmanager
    async def news(self, table: str) -> AsyncIterator[AsyncIterator[None]]:
        """A sign for whatever any table's log has got."""
        seen = self._events

        async def signs() -> AsyncIterator[None]:
            nonlocal seen
            while True:
                if seen == self._events:
                    await self._grown.wait()
                seen = self._events
                yield

        await self._reach()
        yield signs()

    async def due(self, limit: int) -> list[tuple[str, Timer]]:
        """See the port."""
        await self._reach()
        return [(name, timer) for name, t in self._tables.items() for timer, at in t.due.items() if at <= self.now]

    async def rebuild(self) -> int:
        """There is nothing to mend."""
        await self._reach()
        return len(self._tables)

    async def _reach(self) -> None:
        await asyncio.sleep(0)
        if not self.reached:
            raise Unavailable("REDIS_UNAVAILABLE", "the log cannot be reached")

    def _judge_table(self, table: str, judged: Sequence[Judged]) -> list[Ruling]:
        here = self._tables.get(table)
        if here is None:
            return [Ruling(Status.UNKNOWN)] * len(judged)
        behind: dict[int, Ruling] = {}
        rulings = []
        for one in judged:
            ruling = behind.get(one.command.seat) or self._judge(here, one)
            if ruling.status is Status.STALE:
                behind[one.command.seat] = ruling
            rulings.append(ruling)
        return rulings

    def _judge(self, here: _Table, judged: Judged) -> Ruling:
        command, hand = judged.command, here.hand
        seat = hand.seats[command.seat]
        layout = here.solo.state.encode() if here.solo else hand.layouts[command.seat].encode() if hand.layouts else ""
        again = command.epoch == seat.epoch and command.n <= seat.last_n
        current = command.epoch == seat.epoch and command.n == seat.last_n + 1
        if current and judged.before != layout:
            options = here.solo.options if here.solo else hand.options
            return Ruling(Status.STALE, layout=layout, options=options.to_json())
        if current and hand.frozen and command.hand == hand.number and hand.phase in (Phase.PLAYING, Phase.CLOSING):
            verdict = Verdict(command.n, Outcome.REFUSED, why=Reason.FROZEN)
            here.hand = _answered(hand, command.seat, verdict)
            return Ruling(Status.REFUSED, verdict.frame().encode())
        if here.solo and current and isinstance(judged.opinion, aces_up.Applied):
            return self._judge_solo(here, here.solo, judged, judged.opinion)
        if not isinstance(command.action, Action):
            # The pure referee knows only actions of its own game that name something: this is its refusal of others.
            assert isinstance(judged.opinion, Illegal | aces_up.Illegal)
            verdict = Verdict(command.n, Outcome.REFUSED, why=judged.opinion.reason)
            here.hand = _answered(hand, command.seat, verdict)
            return Ruling(Status.REFUSED, verdict.frame().encode())
        asked = referee.Command(*command[1:-1], command.action)
        before = here.hand
        here.hand, verdict, happened = referee.judge(before, asked, self.now)
        for event in happened:
            self._log(here, event)
        voted = any(isinstance(event, events.Voted) for event in happened)
        if here.hand.progress != before.progress or voted:
            here.looks = 0
            if here.hand.phase is Phase.PLAYING:
                here.due[Timer.STUCK] = self.now + (0 if voted else _LOOK_MS[0])
        if before.phase is Phase.PLAYING and here.hand.closes_at is not None:
            here.due = {Timer.CLOSES: here.hand.closes_at}
        return Ruling(_status(verdict), verdict.frame().encode(), again)

    def _judge_solo(self, here: _Table, solo: Solo, judged: Judged, applied: aces_up.Applied) -> Ruling:
        command, hand = judged.command, here.hand
        if hand.phase is not Phase.PLAYING:
            over = hand.phase in (Phase.CLOSING, Phase.OVER)
            verdict = Verdict(command.n, Outcome.REFUSED, why=Reason.HAND_OVER if over else Reason.NOT_STARTED)
            here.hand = _answered(hand, command.seat, verdict)
            return Ruling(Status.REFUSED, verdict.frame().encode())
        assert isinstance(command.action, aces_up.Action)
        seq = hand.seq + 1
        stamp = (seq, self.now, command.seat, command.n, command.seen, command.arrived_ms)
        self._log(here, told(command.action, applied, stamp))
        here.solo = Solo(solo.options, applied.state)
        verdict = Verdict(command.n, Outcome.APPLIED, seq)
        hand = replace(hand, seq=seq, phase=Phase.CLOSING if judged.last else hand.phase)
        here.hand = _answered(hand, command.seat, verdict)
        if judged.last:
            here.due = {Timer.CLOSES: self.now}
        return Ruling(Status.APPLIED, verdict.frame().encode())

    def _write(self, here: _Table, hand: Hand, event: Event | None) -> bool:
        here.hand = hand
        if event is None:
            return False
        self._log(here, event)
        return True

    def _log(self, here: _Table, event: Event) -> None:
        body = events.encode_body(event)
        here.digest = events.digest(here.digest, body)
        here.log.append(events.seal(body, here.digest).encode())
        self._events += 1
        self._grown.set()
        self._grown = asyncio.Event()


def _answered(hand: Hand, seat: int, verdict: Verdict) -> Hand:
    judged = hand.seats[seat].judged(verdict)
    return replace(hand, seats=(*hand.seats[:seat], judged, *hand.seats[seat + 1 :]))


def _status(verdict: Verdict) -> Status:
    if verdict.outcome is Outcome.RETURNED:
        return Status.LATE if verdict.why is Contest.LATE else Status.SEEN
    return Status(verdict.outcome.value)
