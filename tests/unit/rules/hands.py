"""Hands to test with: fresh ones, made-up positions, and whole random histories of several seats racing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hypothesis import strategies as st

from services.rules import transitions
from services.rules.blocked import dead, table_blocked
from services.rules.cards import ACE, DECK
from services.rules.deal import commitment
from services.rules.events import EndWhy, Event, Player, ShiftWhy, digest, encode_body, seal
from services.rules.foundation import Foundation, Slot
from services.rules.hand import Hand, Phase, Seat
from services.rules.layout import Layout
from services.rules.legal_moves import legal_moves
from services.rules.moves import (
    COLUMN,
    Action,
    Call,
    Choice,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Source,
    Turn,
    Vote,
)
from services.rules.options import PRESETS, RACING_DEMON, Options
from services.rules.referee import Command, Judgement, judge
from services.rules.verdict import Verdict

SECRET = "5e" * 32
NOON = 1_700_000_000_000


def players(seats: int) -> list[Player]:
    return [Player(f"p{i}", f"Player {i}", bot=False, nonce=f"nonce {i}") for i in range(seats)]


def playing(
    *layouts: str,
    foundations: Sequence[Foundation] = (),
    seq: int = 10,
    options: Options = RACING_DEMON,
) -> Hand:
    """A running hand in a made-up position, after event ``seq``."""
    seats = len(layouts)
    return Hand(
        match="m",
        number=1,
        commitment=commitment(SECRET),
        secret=SECRET,
        seats=(Seat(),) * seats,
        seq=seq,
        phase=Phase.PLAYING,
        options=options,
        players=tuple(players(seats)),
        layouts=tuple(map(Layout.decode, layouts)),
        foundations=tuple(foundations),
        votes=(None,) * seats,
        start_at=NOON,
    )


def built(suit: str, height: int, *, seat: int = 0, seq: int = 1, at_ms: int = NOON) -> Foundation:
    """A foundation of one seat's cards; its top was event ``seq`` and the ranks below were earlier."""
    slots = (Slot((seat,), max(1, seq - height + rank), at_ms) for rank in range(1, height + 1))
    return Foundation(suit, tuple(slots))


def command(hand: Hand, seat: int, action: Action, *, seen: int | None = None, arrived_ms: int = NOON) -> Command:
    """The seat's next command, from a player who has seen everything unless ``seen`` says less."""
    state = hand.seats[seat]
    return Command(
        seat=seat,
        epoch=state.epoch,
        n=state.last_n + 1,
        hand=hand.number,
        seen=hand.seq if seen is None else seen,
        arrived_ms=arrived_ms,
        action=action,
    )


def do(
    hand: Hand, seat: int, action: Action, *, seen: int | None = None, arrived_ms: int = NOON, now_ms: int = NOON
) -> Judgement:
    return judge(hand, command(hand, seat, action, seen=seen, arrived_ms=arrived_ms), now_ms)


def sealed(events: Sequence[Event], previous: str = "") -> list[str]:
    """The events as a log holds them."""
    log = []
    for event in events:
        body = encode_body(event)
        previous = digest(previous, body)
        log.append(seal(body, previous))
    return log


HOUSES = [
    *(preset for preset in PRESETS.values() if preset.teams == "off"),
    Options(demon_size=5, draw=1, gap_fill="demon_only", call="automatic"),
    Options(demon_size=5, contest="first_only", stuck="end", dispute="replay_hand", tie_window_ms=250),
    Options(demon_size=6, in_motion="void", out_bonus=10, demon_penalty=1, dispute="replay_hand"),
]
"""Rules that differ in all that a hand depends on, for any number of seats."""
houses = st.sampled_from(HOUSES)


class Answer(NamedTuple):
    """A command, the hands before and after it, and what the referee said."""

    before: Hand
    command: Command
    after: Hand
    verdict: Verdict
    events: tuple[Event, ...]


@dataclass
class History:
    """A hand played at random by seats that see late, repeat themselves and try what they may not.

    ``hands[i]`` is the hand after ``events[i]``, all of its commit and what was refused since; ``answers`` are all
    commands.
    """

    seed: int
    seats: int = 3
    options: Options = RACING_DEMON
    secret: str = SECRET
    events: list[Event] = field(default_factory=list)
    hands: list[Hand] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    now_ms: int = NOON

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        hand, event = transitions.prepare(
            (Seat(),) * self.seats, match="m", number=1, secret=self.secret, seq=0, now_ms=self.now_ms
        )
        self._happened((hand, event))
        self._happened(
            transitions.deal(
                hand,
                options=self.options,
                players=players(self.seats),
                start_at=self.now_ms + 100,
                now_ms=self.now_ms,
            )
        )
        self.now_ms += 100
        self._happened(transitions.start(self.hand, self.now_ms))

    @property
    def hand(self) -> Hand:
        return self.hands[-1]

    def play(self, commands: int) -> History:
        """Up to so many commands, or to the end of the hand."""
        for _ in range(commands):
            if self.hand.phase is Phase.OVER:
                break
            self.now_ms += self.random.randrange(60)
            if not self._system():
                self._command()
        return self

    def finish(self) -> History:
        """Brings the hand to an end now."""
        if self.hand.phase is Phase.CLOSING:
            self.now_ms += 1_000
            self._happened(transitions.end(self.hand, EndWhy.CALLED, now_ms=self.now_ms))
        elif self.hand.phase is not Phase.OVER:
            self._happened(transitions.end(self.hand, EndWhy.VOID, now_ms=self.now_ms))
        return self

    def _happened(self, transition: tuple[Hand, Event | None]) -> None:
        hand, event = transition
        assert event is not None
        self.hands.append(hand)
        self.events.append(event)

    def _system(self) -> bool:
        """What timers would do now."""
        hand, seq = self.hand, self.hand.seq
        if hand.closes_at is not None:
            if self.now_ms < hand.closes_at:
                return False
            self._happened(transitions.end(hand, EndWhy.CALLED, now_ms=self.now_ms))
            return True
        if self.random.random() > 0.2 or not table_blocked(hand.layouts, hand.foundations, hand.options):
            return False
        if dead(hand.layouts, hand.foundations, hand.options):
            why = EndWhy.BLOCKED if hand.options.stuck == "end" else EndWhy.DEAD
            self._happened(transitions.end(hand, why, if_seq=seq, now_ms=self.now_ms))
        else:
            shifted = transitions.shift(hand, ShiftWhy.BLOCKED, if_seq=seq, away=(), now_ms=self.now_ms)
            self._happened(shifted)
        return True

    def _command(self) -> None:
        hand, rng = self.hand, self.random
        seat = rng.randrange(self.seats)
        asked = command(
            hand,
            seat,
            self._action(seat),
            seen=max(0, hand.seq - rng.choice((0, 0, 0, 1, 2, 5, 20))),
            arrived_ms=self.now_ms - rng.choice((0, 10, 50, 100, 300, -30)),
        )
        match rng.randrange(40):
            case 0:
                asked = replace(asked, epoch=asked.epoch + 1)
            case 1:
                asked = replace(asked, n=max(1, asked.n - rng.randrange(1, 80)))
            case 2:
                asked = replace(asked, n=asked.n + 1)
            case 3:
                asked = replace(asked, hand=2)
        after, verdict, events = judge(hand, asked, self.now_ms)
        self.answers.append(Answer(hand, asked, after, verdict, events))
        if not events:
            self.hands[-1] = after
        for event in events:
            self._happened((after, event))
        if not events and rng.random() < 0.02:
            self._asked()

    def _asked(self) -> None:
        hand, event = transitions.ask(self.hand, progress=self.hand.progress, now_ms=self.now_ms)
        if event is not None:
            self._happened((hand, event))

    def _action(self, seat: int) -> Action:
        """Mostly a race for a foundation or some legal move, now and then anything at all."""
        hand, rng = self.hand, self.random
        if rng.random() < 0.1:
            return anything(rng, hand.progress)
        races = list(self._races(seat))
        if races and rng.random() < 0.8:
            return rng.choice(races)
        legal = [a for a in legal_moves(hand.layouts[seat], hand.foundations, hand.options) if a != Call()]
        useful = [a for a in legal if isinstance(a, MoveToColumn) and a.source in (Source.DEMON, Source.WASTE)]
        if useful and rng.random() < 0.7:
            return rng.choice(useful)
        if not hand.layouts[seat].demon and rng.random() < 0.3:
            return Call()
        return rng.choice(legal) if legal else Vote(Choice.SHIFT, hand.progress)

    def _races(self, seat: int) -> list[PlayToFoundation]:
        """Cards that go up, or would have gone up a few events ago."""
        layout = self.hand.layouts[seat]
        sources = [(Source.DEMON, layout.demon), (Source.WASTE, layout.waste)]
        sources += zip(COLUMN, layout.columns, strict=True)
        found = []
        for source, pile in sources:
            if not pile:
                continue
            if pile[-1].rank == ACE:
                found.append(PlayToFoundation(source, pile[-1]))
            for f, foundation in enumerate(self.hand.foundations):
                taken = foundation.slot(pile[-1].rank)
                recent = taken is not None and taken.seq > self.hand.seq - 4
                if foundation.takes(pile[-1]) or (recent and foundation.suit == pile[-1].suit):
                    found.append(PlayToFoundation(source, pile[-1], self.random.choice((None, f))))
        return found


def anything(rng: random.Random, progress: int = 0) -> Action:
    """Any action that can be said, legal or not."""
    card = rng.choice(DECK)
    source = rng.choice(tuple(Source))
    return rng.choice(
        (
            PlayToFoundation(source, card, rng.choice((None, 0, 1, 5, 31))),
            MoveToColumn(source, card, rng.randrange(4)),
            Turn(rng.randrange(40)),
            Recycle(),
            Call(),
            Vote(rng.choice(tuple(Choice)), rng.choice((progress, progress, rng.randrange(5)))),
        )
    )
