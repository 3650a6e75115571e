"""The referee's script and its pure model side by side: everything that is done is done to both, and must be equal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

from redis.asyncio import Redis

from services.engine.judge import Judge
from services.engine.layouts import Belief
from services.engine.layouts import judge as opinion
from services.engine.port import Command, Ruling, State, Status
from services.engine.redis_referee import SOURCE, RedisReferee
from services.engine.redis_wire import PlainRedis, ScriptCalls
from services.rules import events, transitions
from services.rules import referee as model
from services.rules.cards import DECK
from services.rules.deal import commitment
from services.rules.events import EndWhy, Event, Player, ShiftWhy
from services.rules.hand import Hand, Phase, Seat
from services.rules.layout import Layout, deal
from services.rules.moves import Action
from services.rules.options import Options
from services.runtime import keys
from services.runtime.redis import connect

SECRET = "5e" * 32


@asynccontextmanager
async def mirrored(url: str, *, seats: int = 3) -> AsyncIterator[Mirror]:
    """A mirror on an emptied Redis."""
    plain = PlainRedis(url)
    script = ScriptCalls(plain, SOURCE)
    async with connect(url) as redis:
        await redis.flushall()
        yield Mirror(redis, script, seats=seats)
    plain.close()


class Mirror:
    """One table, ``table``, in Redis and in the model, at the instant ``now`` (ms)."""

    def __init__(
        self, redis: Redis, script: ScriptCalls, table: str = "t", seats: int = 3, now: int = 1_700_000_000_000
    ) -> None:
        self.redis = redis
        self.table = table
        self.referee = RedisReferee(script)
        self.engines = [Judge(self.referee), Judge(self.referee)]
        self.hand = Hand("m", 0, "", "", (Seat(),) * seats, 0, Phase.OVER)
        self.digest = ""
        self.texts: list[bytes] = []
        self.now = self._still_since = now

    @property
    def now(self) -> int:
        return self._now

    @now.setter
    def now(self, now: int) -> None:
        self._now = self.referee.now = now

    async def begin(self, layouts: Sequence[Layout], options: Options = Options(), countdown_ms: int = 0) -> None:  # noqa: B008
        """Prepares, deals and starts the next hand, with these layouts whatever its secret says; attaches new seats."""
        number, seats = self.hand.number + 1, len(layouts)
        promised = await self.referee.prepare(
            self.table, match="m", hand=number, seats=seats, secret=SECRET, commitment=commitment(SECRET)
        )
        assert promised == commitment(SECRET)
        prepared, said = transitions.prepare(
            self.hand.seats, match="m", number=number, secret=SECRET, seq=self.hand.seq, now_ms=self.now
        )
        await self._expect(replace(prepared, frozen=self.hand.frozen), said)
        players = [Player(f"p{s}", f'"Zoë" {s}', s == 1, f"nonce {s}") for s in range(seats)]
        dealt = await self.referee.deal(
            self.table,
            match="m",
            hand=number,
            options=options,
            commitment=commitment(SECRET),
            players=players,
            layouts=layouts,
            countdown_ms=countdown_ms,
        )
        hand, event = transitions.deal(
            self.hand, options=options, players=players, start_at=self.now + countdown_ms, now_ms=self.now
        )
        if hand.frozen:
            hand = replace(hand, start_at=self._still_since + countdown_ms)
        assert isinstance(event, events.Dealt)
        face_up = tuple(
            events.DealtSeat(len(x.demon), x.demon[-1], tuple(c[-1] for c in x.columns), len(x.stock)) for x in layouts
        )
        await self._expect(replace(hand, layouts=tuple(layouts)), replace(event, layouts=face_up))
        assert dealt == self.hand.seq
        for seat, kept in enumerate(self.hand.seats):
            if not kept.epoch:
                await self.attach(seat)

    async def start(self) -> bool:
        """The countdown's end, if it is over."""
        started = await self.referee.start(self.table)
        hand, event = (self.hand, None) if self.hand.frozen else transitions.start(self.hand, self.now)
        await self._expect(hand, event)
        assert started == (event is not None)
        return started

    async def hold(self, still: bool) -> None:
        """Holds the table still, or lets it go on: then what was due is due as much later as it stood still."""
        assert await self.referee.freeze(self.table, still)
        hand = self.hand
        if still and not hand.frozen:
            self._still_since = self.now
        if hand.frozen and not still:
            stood_ms = self.now - self._still_since
            start_at, closes_at = (None if at is None else at + stood_ms for at in (hand.start_at, hand.closes_at))
            hand = replace(hand, start_at=start_at, closes_at=closes_at)
        self.hand = replace(hand, frozen=still)
        await self.look()

    async def attach(self, seat: int) -> None:
        seated = await self.referee.attach(self.table, seat, 0)
        self.hand = transitions.attach(self.hand, seat)
        here = self.hand.seats[seat]
        assert seated == (here.epoch, here.last_n, tuple(v.frame().encode() for v in here.verdicts))

    def command(
        self,
        seat: int,
        action: Action,
        *,
        n: int | None = None,
        ago: int = 0,
        unseen: int = 0,
        seen: int | None = None,
        older: int = 0,
        hand: int | None = None,
    ) -> Command:
        """A seat's command, by default its next, right now, having seen all."""
        here = self.hand.seats[seat]
        return Command(
            self.table,
            seat,
            here.epoch - older,
            here.last_n + 1 if n is None else n,
            self.hand.number if hand is None else hand,
            max(0, self.hand.seq - unseen) if seen is None else seen,
            self.now - ago,
            action,
        )

    async def at_once(self, commands: Sequence[Command]) -> list[Ruling]:
        """Commands of different seats, in one call of the script."""
        judged = [opinion(command, self._truth(command.seat))[0] for command in commands]
        (rulings,) = await self.referee.judge([(self.table, judged)])
        for command, ruling in zip(commands, rulings, strict=True):
            self._model(command, ruling.frame)
        await self.check_log()
        return rulings

    async def one(self, command: Command) -> Ruling:
        """One command, in a call of its own."""
        return (await self.at_once([command]))[0]

    async def in_a_row(self, engine: int, commands: Sequence[Command]) -> list[tuple[Status, bytes]]:
        """Commands of one seat, sent together through one of two engines with caches of their own."""
        answers: list[tuple[Status, bytes]] = []
        for command in commands:
            self.engines[engine].submit(command, lambda answer: answers.append((answer.status, answer.frame)))
        await self.engines[engine].drain()
        assert len(answers) == len(commands)
        for command, (_, frame) in zip(commands, answers, strict=True):
            self._model(command, frame)
        await self.check_log()
        return answers

    async def shift(self, why: ShiftWhy, away: tuple[int, ...] = ()) -> None:
        state = await self.look()
        done = await self.referee.shift(state, why=why, away=away)
        hand, event = transitions.shift(self.hand, why, if_seq=self.hand.seq, away=away, now_ms=self.now)
        if self.hand.frozen:
            hand, event = self.hand, None
        await self._expect(hand, event)
        assert done == (event is not None)

    async def end(self, why: EndWhy, away: tuple[int, ...] = ()) -> bool:
        state = await self.look()
        done = await self.referee.end(state, why=why, away=away)
        over, event = transitions.end(self.hand, why, now_ms=self.now, if_seq=self.hand.seq, away=away)
        if self.hand.frozen and why is not EndWhy.VOID:
            over, event = self.hand, None
        await self._expect(over, event)
        assert done == (event is not None)
        return done

    async def ask(self, progress: int) -> None:
        state = await self.look()
        hand, event = transitions.ask(self.hand, progress=progress, now_ms=self.now)
        if self.hand.frozen:
            hand, event = self.hand, None
        done = await self.referee.ask(replace(state, hand=replace(state.hand, progress=progress)))
        await self._expect(hand, event)
        assert done == (event is not None)

    async def look(self) -> State:
        """The state in Redis, which must be the model's."""
        state = await self.referee.look(self.table)
        assert state is not None
        assert _comparable(state.hand) == _comparable(self.hand)
        assert (state.digest, state.now) == (self.digest, self.now)
        return state

    async def check_log(self) -> None:
        """The log in Redis must be, byte for byte, what the model's events say."""
        after = f"({self.hand.seq - len(self.texts)}-0" if self.texts else "-"
        found: Any = await self.redis.xrange(keys.log(self.table), after)
        assert [entry[b"e"] for _, entry in found][-len(self.texts) or len(found) :] == self.texts
        self.texts = []

    async def _expect(self, hand: Hand, event: Event | None) -> None:
        self.hand = hand
        if event is not None:
            self._say(event)
            await self.check_log()

    def _model(self, command: Command, frame: bytes) -> None:
        assert isinstance(command.action, Action)
        asked = model.Command(*command[1:-1], command.action)
        judgement = model.judge(self.hand, asked, self.now)
        assert frame.decode() == judgement.verdict.frame()
        self.hand = judgement.hand
        for event in judgement.events:
            self._say(event)

    def _say(self, event: Event) -> None:
        body = events.encode_body(event)
        self.digest = events.digest(self.digest, body)
        self.texts.append(events.seal(body, self.digest).encode())

    def _truth(self, seat: int) -> Belief:
        layout = self.hand.layouts[seat] if self.hand.layouts else None
        return Belief(layout.encode() if layout else "", layout, self.hand.options)


def _comparable(hand: Hand) -> Hand:
    """Without what only one side keeps: verdicts are compared as they are given, due times are gone once past."""
    return replace(
        hand,
        seats=tuple(Seat(seat.epoch, seat.last_n) for seat in hand.seats),
        start_at=hand.start_at if hand.phase is Phase.DEALT else None,
        closes_at=hand.closes_at if hand.phase is Phase.CLOSING else None,
    )


def low_cards_first(random: Random, demon_size: int = 5) -> Layout:
    """A layout whose low cards are available early, so that seats meet on the foundations soon."""
    deck = sorted(DECK, key=lambda card: card.rank + random.uniform(0, 5), reverse=True)
    columns, rest = deck[-4:], deck[:-4]
    demon = rest[1::4][-demon_size:]
    stock = [card for card in rest if card not in demon]
    return deal((*demon, *columns, *stock), demon_size)
