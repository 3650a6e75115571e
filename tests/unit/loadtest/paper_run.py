"""A small run, played on paper: tables, clients with slow wires between, and the folder that it leaves.

The referee is the real one of the rules, and the records are written by the real recorder; only the wires are made up,
by a clock of µs that moves from one thing to the next. Clients race for what they see, so some of what they send is
shared, returned or refused. One breaks its connection and resumes, one watches from the middle of a hand on, and the
run ends in the middle of each table's last hand.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from services.client import frames
from services.client.models import HandSheet, Match, SeatScore
from services.loadtest.history import Recorder
from services.rules import transitions
from services.rules.events import Ended, EndWhy, Event, Player, digest, encode_body, seal
from services.rules.hand import Hand, Phase, Seat
from services.rules.legal_moves import legal_moves
from services.rules.moves import Action, Call, MoveToColumn, PlayToFoundation, Recycle, Source, Turn
from services.rules.options import Options
from services.rules.referee import Command, judge
from services.rules.scoring import SeatScore as Counted
from services.rules.verdict import Verdict

OPTIONS = Options(demon_size=5, target=1000)
SEATS = 4
NOON_MS = 1_700_000_000_000
HAND_US = 20_000_000
LAST_US = 1_500_000


def write(folder: Path, tables: int = 2, seed: int = 1, hands: int = 2) -> None:
    """Plays a run and leaves its folder. Each table has a process of its own, and one hand more that is only begun."""
    for name in ("histories", "logs", "matches"):
        (folder / name).mkdir(parents=True)
    for number in range(tables):
        recorder = Recorder(folder / "histories" / f"p{number}.jsonl.gz")
        table = _Table(f"t{number}", f"m{number}", recorder, Random(seed * 1000 + number), hands)
        table.play()
        recorder.close()
        for hand, log in table.logs.items():
            text = b'{"events":[' + b",".join(log) + b"]}"
            (folder / "logs" / f"{table.match}-{hand}.json").write_bytes(text)
        sheet = Match(table.match, table.name, False, tuple(table.sheets), (), asdict(OPTIONS))
        (folder / "matches" / f"{table.match}.json").write_bytes(msgspec.json.encode(sheet))


class _Client:
    """A seat's client, or a watcher: what it has seen, and what it waits for."""

    def __init__(self, table: _Table, seat: int | None) -> None:
        self.table, self.seat = table, seat
        self.up_us, self.down_us = (table.luck.randrange(5_000, 120_000) for _ in range(2))
        self.seen = 0
        self.n = 0
        self.hand = 0
        self.waiting = False
        self.away = False
        self.delivered = 0
        """Where in the log its wire is: what was sent to it, in order, arrived or not."""
        self.open(0)

    def open(self, after: int | None) -> None:
        record, self.socket = self.table.recorder, next(self.table.sockets)
        player = None if self.seat is None else f"{self.table.name}p{self.seat}"
        record.opened(self.socket, self.table.name, self.seat, player, self.table.now_us, after)
        record.welcomed(self.socket, self.table.now_us, self.n, after is not None and after > 0, False)
        self.away = False

    def act(self) -> None:
        table = self.table
        if self.seat is not None and not self.waiting and not self.away and table.hand.phase is Phase.PLAYING:
            action = _choose(table.hand, self.seat, table.luck)
            self.n += 1
            self.waiting = True
            frame = frames.command(self.n, self.hand, self.seen, "", action)
            table.recorder.sent(self.socket, table.now_us, self.n, self.hand, frame)
            command = Command(self.seat, 1, self.n, self.hand, self.seen, 0, action)
            table.later(self.up_us, lambda: table.judge(self, command))
        table.later(table.luck.randrange(10_000, 60_000), self.act)

    def answered(self, verdict: Verdict) -> None:
        self.waiting = False
        if not self.away:
            table = self.table
            table.recorder.verdict(self.socket, table.now_us, verdict.n, verdict.outcome, verdict.seq, verdict.why)

    def got(self, seq: int, hand: int, sealed: str) -> None:
        if self.away:
            return
        self.seen, self.hand = seq, hand
        self.table.recorder.event(self.socket, self.table.now_us, hand, seq, sealed)

    def drop(self) -> None:
        """The connection breaks between two commands; a second later another one resumes."""
        if self.waiting:
            self.table.later(1_000, self.drop)
            return
        self.away = True
        self.table.recorder.closed(self.socket, self.table.now_us, 1001)
        self.table.later(1_000_000, self.resume)

    def resume(self) -> None:
        self.open(self.seen)
        self.delivered = self.seen
        self.table.deliver(self)

    def watch(self) -> None:
        """Comes in the middle: a snapshot, and what follows."""
        table = self.table
        self.open(None)
        self.seen, self.hand = table.hand.seq, table.hand.number
        self.delivered = len(table.chain)
        table.recorder.snapshot(self.socket, table.now_us, self.hand, self.seen, table.chain[-1][2])


class _Table:
    def __init__(self, name: str, match: str, recorder: Recorder, luck: Random, hands: int) -> None:
        self._hands = hands
        self.name, self.match, self.recorder, self.luck = name, match, recorder, luck
        self.now_us = 1_000_000
        self.sockets = count(1)
        self.logs: dict[int, list[bytes]] = {}
        self.sheets: list[HandSheet] = []
        self.chain: list[tuple[int, int, str]] = []
        """Of each event so far its number, its hand and its digest."""
        self._ticks = count()
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._head = ""
        self._sealed: list[bytes] = []
        self._seats: tuple[Seat, ...] = (Seat(epoch=1),) * SEATS
        self._totals = [0] * SEATS
        self.hand = Hand(match, 0, "", "", self._seats, 0)
        self._playing = True
        self.clients = [_Client(self, seat) for seat in range(SEATS)]

    def play(self) -> None:
        for client in self.clients:
            self.later(self.luck.randrange(50_000), client.act)
        self.later(1_200_000, self.clients[0].drop)
        watcher = _Client(self, None)
        watcher.away = True
        self.clients.append(watcher)
        self.later(900_000, watcher.watch)
        self._begin(1)
        while self._due and self._playing:
            self.now_us, _, do = heapq.heappop(self._due)
            do()

    def later(self, by_us: int, do: Callable[[], None]) -> None:
        heapq.heappush(self._due, (self.now_us + by_us, next(self._ticks), do))

    def judge(self, client: _Client, command: Command) -> None:
        """The command has reached the edge; a moment later it is decided."""
        arrived, number = self._now_ms, self.hand.number

        def decide() -> None:
            hand, verdict, happened = judge(self.hand, replace(command, arrived_ms=arrived), self._now_ms)
            self._is(hand, *happened)
            self.later(client.down_us, lambda: client.answered(verdict))
            if hand.phase is Phase.CLOSING and happened and isinstance(command.action, Call):
                self.later(500_000, lambda: self._end(number, EndWhy.CALLED))

        self.later(self.luck.randrange(500, 3_000), decide)

    def deliver(self, client: _Client) -> None:
        """Puts on the client's wire what it was not sent yet."""
        for event in self.chain[client.delivered :]:
            self.later(client.down_us, partial(client.got, *event))
        client.delivered = len(self.chain)

    @property
    def _now_ms(self) -> int:
        return NOON_MS + self.now_us // 1000

    def _begin(self, number: int) -> None:
        secret = f"{self.luck.getrandbits(256):064x}"
        self._sealed = []
        players = [Player(f"{self.name}p{seat}", f"Player {seat}", False, "nonce") for seat in range(SEATS)]
        now = self._now_ms
        hand, event = transitions.prepare(
            self.hand.seats, match=self.match, number=number, secret=secret, seq=self.hand.seq, now_ms=now
        )
        self._is(hand, event)
        self._does(transitions.deal(self.hand, options=OPTIONS, players=players, start_at=now, now_ms=now))
        self._does(transitions.start(self.hand, now))
        if number > self._hands:
            self.later(LAST_US, self._stop)
        else:
            self.later(HAND_US, lambda: self._end(number, EndWhy.VOID))

    def _end(self, number: int, why: EndWhy) -> None:
        if self.hand.number != number or self.hand.phase is Phase.OVER:
            return
        self._does(transitions.end(self.hand, why, now_ms=self._now_ms))
        self.logs[number] = self._sealed
        self.later(200_000, lambda: self._begin(number + 1))

    def _stop(self) -> None:
        self._playing = False

    def _does(self, transition: tuple[Hand, Event | None]) -> None:
        hand, event = transition
        assert event is not None
        self._is(hand, event)
        if isinstance(event, Ended):
            self.sheets.append(self._sheet(event))

    def _is(self, hand: Hand, *events: Event) -> None:
        self.hand = hand
        for event in events:
            body = encode_body(event)
            self._head = digest(self._head, body)
            self._sealed.append(seal(body, self._head).encode())
            self.chain.append((event.seq, hand.number, self._head))
        for client in self.clients:
            if not client.away:
                self.deliver(client)

    def _sheet(self, end: Ended) -> HandSheet:
        for score in end.scores:
            self._totals[score.seat] += score.points
        counted = {score.seat: score for score in end.scores}
        lines = []
        for seat, total in enumerate(self._totals):
            score = counted.get(seat, Counted(seat, 0, 0, 0))
            called = seat in end.callers
            lines.append(SeatScore(seat, score.points, score.foundation, score.demon, called=called, total=total))
        return HandSheet(end.hand, end.why, tuple(lines), ended_ms=end.at)


def _choose(hand: Hand, seat: int, luck: Random) -> Action:
    """Greedy, now and then foolish; what it plays may be gone when it arrives."""
    if luck.random() < 0.05:
        return luck.choice((Turn(99), Recycle(), Call()))
    moves = legal_moves(hand.layouts[seat], hand.foundations, hand.options)
    useful = [m for m in moves if not (isinstance(m, MoveToColumn) and m.source not in (Source.DEMON, Source.WASTE))]
    return min(useful, key=lambda move: (_KINDS.index(type(move)), luck.random()), default=Turn(0))


_KINDS: Final[list[type]] = [Call, PlayToFoundation, MoveToColumn, Turn, Recycle]
