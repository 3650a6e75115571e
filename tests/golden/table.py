"""Hands of Racing Demon in a playthrough: reads the input lines, asks the referee, says what came of it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final

from services.rules import transitions
from services.rules.deal import commitment
from services.rules.events import Ended, EndWhy, Event, Player, digest, encode_body, seal
from services.rules.foundation import Foundation
from services.rules.hand import Hand, Phase, Seat
from services.rules.layout import Layout
from services.rules.options import RACING_DEMON, Options, preset_of
from services.rules.referee import Command, judge
from services.rules.replay import verify
from services.rules.transitions import Transition
from services.rules.verdict import Outcome
from tests.golden import spoken
from tests.golden.look import looked
from tests.golden.picture import event_line, foundation_line, foundation_of, seat_line, seat_of
from tests.golden.sheet import Sheet

NOON: Final = 1_700_000_000_000
COUNTDOWN_MS: Final = 3_000
_HAND: Final = re.compile(r"hand (\d+) (?:laid out|dealt from (\d+) to (\d) seats)")
_LAID_OUT: Final = 3
"""The event after which a made-up position begins, as if it had been prepared, dealt and started."""


class Table:
    """A table's hands, one after the other, and the match that they make."""

    def __init__(self) -> None:
        self.options = RACING_DEMON
        self.sheet = Sheet(self.options)
        self.log: list[Event] = []
        self.hand: Hand | None = None
        self._number = 0
        self._layouts: list[Layout] = []
        self._foundations: list[Foundation] = []

    def read(self, line: str) -> list[str]:
        """The output of one line of input. Raises ValueError."""
        if line.startswith("rules "):
            return self._rules(line.split()[1:])
        if line.startswith("totals before "):
            self.sheet.begin(line.removeprefix("totals before "))
            return []
        if match := _HAND.fullmatch(line):
            return self._next_hand(int(match[1]), match[2], match[3])
        if re.match(r"\d: ", line):
            self._layouts.append(seat_of(line)[1])
            return []
        if re.match(r"f\d", line):
            self._foundations.append(foundation_of(line, NOON))
            return []
        if self.hand is None:
            self.hand = self._laid_out()
            twice = [(seat, c) for seat, held in enumerate(_held(self.hand)) for c, n in held.items() if n > 1]
            assert not twice, f"twice at a seat: {twice}"
        if line == "score so far":
            return self.sheet.so_far(self.hand)
        said = spoken.understood(line)
        held = _held(self.hand)
        out = self._table_does(said) if said.who == "table" else self._seat_does(said)
        assert _held(self.hand) == held or said.what == "deals", "cards appeared or went"
        return out

    def _rules(self, words: list[str]) -> list[str]:
        given: dict[str, Any] = {"preset": words[0]}
        for word in words[1:]:
            name, _, value = word.partition("=")
            numbers = [int(part) if part.isdecimal() else part for part in value.split(",")]
            given[name] = numbers if len(numbers) > 1 else numbers[0]
        self.options = Options.from_mapping(given)
        self.sheet = Sheet(self.options)
        differs = [
            f"{name} {getattr(self.options, name)}"
            for name in RACING_DEMON.__slots__
            if getattr(self.options, name) != getattr(RACING_DEMON, name)
        ]
        return [f"{preset_of(self.options) or 'no preset'}: " + (", ".join(differs) or "every option as usual")]

    def _next_hand(self, number: int, secret: str | None, seats: str | None) -> list[str]:
        self._number, self._layouts, self._foundations, self.log, self.hand = number, [], [], [], None
        if secret is None or seats is None:
            return []
        count = int(seats)
        self.hand, prepared = transitions.prepare(
            (Seat(),) * count, match="m1", number=number, secret=f"{int(secret):064x}", seq=0, now_ms=NOON
        )
        self.log.append(prepared)
        players = [Player(f"p{i}", f"Player {i}", bot=False, nonce=f"nonce {i}") for i in range(count)]
        start_at = NOON + COUNTDOWN_MS
        dealt = transitions.deal(self.hand, options=self.options, players=players, start_at=start_at, now_ms=NOON)
        return self._happened(dealt)

    def _laid_out(self) -> Hand:
        seats = len(self._layouts)
        self.options.check_seats(seats)
        secret = f"{self._number:064x}"
        return Hand(
            match="m1",
            number=self._number,
            commitment=commitment(secret),
            secret=secret,
            seats=(Seat(),) * seats,
            seq=_LAID_OUT,
            phase=Phase.PLAYING,
            options=self.options,
            layouts=tuple(self._layouts),
            foundations=tuple(self._foundations),
            votes=(None,) * seats,
            start_at=NOON,
        )

    def _seat_does(self, said: spoken.Said) -> list[str]:
        hand = self._running
        seat, details = int(said.who), said.details
        command = Command(
            seat=seat,
            epoch=details.get("epoch", hand.seats[seat].epoch),
            n=details.get("n", hand.seats[seat].last_n + 1),
            hand=details.get("hand", hand.number),
            seen=details.get("seen", hand.seq),
            arrived_ms=NOON + details.get("arrived", said.at_ms),
            action=spoken.action(said.what, hand.layouts[seat], hand.progress),
        )
        self.hand, verdict, events = judge(hand, command, NOON + said.at_ms)
        self.log += events
        if not events:
            why = {Outcome.OUT_OF_ORDER: f": last {verdict.last}", Outcome.REFUSED: f": {verdict.why}"}
            again = "" if verdict.seq is None else f", as it was told before: #{verdict.seq}"
            return [f"{verdict.outcome}{why.get(verdict.outcome, '')}{again}"]
        told = [event_line(event, NOON) for event in events]
        out = [f"{verdict.outcome}: {told[0]}", *told[1:]]
        if verdict.outcome is Outcome.RETURNED:
            return [*out, seat_line(seat, self.hand.layouts[seat])]
        return out + self._changes(hand)

    def _table_does(self, said: spoken.Said) -> list[str]:
        hand, now_ms = self._running, NOON + said.at_ms
        match said.what.split():
            case ["starts"]:
                return self._happened(transitions.start(hand, now_ms))
            case ["closes"]:
                return self._happened(transitions.end(hand, EndWhy.CALLED, now_ms=now_ms))
            case ["gives", "up"]:
                return self._happened(transitions.end(hand, EndWhy.VOID, now_ms=now_ms))
            case ["attaches", seat]:
                self.hand = transitions.attach(hand, int(seat))
                return [f"seat {seat} has epoch {self.hand.seats[int(seat)].epoch}"]
            case ["looks", *absent]:
                out, transition = looked(hand, tuple(map(int, absent[1:])), now_ms, said.details.get("looks", 1))
                return out + (["nothing to do"] if transition is None else self._happened(transition))
        raise ValueError("the table does no such thing")

    @property
    def _running(self) -> Hand:
        assert self.hand is not None, "no hand was begun"
        return self.hand

    def _happened(self, transition: Transition) -> list[str]:
        before = self._running
        self.hand, event = transition
        if event is None:
            return ["nothing to do"]
        self.log.append(event)
        out = [event_line(event, NOON), *self._changes(before)]
        return [*out, *self._ended(event)] if isinstance(event, Ended) else out

    def _changes(self, before: Hand) -> list[str]:
        """The seats, foundations and votes that are not what they were."""
        after = self._running
        out = [
            seat_line(seat, layout)
            for seat, layout in enumerate(after.layouts)
            if not before.layouts or layout != before.layouts[seat]
        ]
        out += [
            foundation_line(f, foundation)
            for f, foundation in enumerate(after.foundations)
            if f >= len(before.foundations) or foundation != before.foundations[f]
        ]
        if before.votes and after.votes != before.votes:
            out.append("votes: " + " ".join(vote or "-" for vote in after.votes))
        return out

    def _ended(self, event: Ended) -> list[str]:
        out = []
        if self.log[0].e == "prepare":
            assert (found := verify(self._sealed())).verified, found.problems
            out.append(f"verified from its log alone: {len(self.log)} events")
        return out + self.sheet.counted(event.scores)

    def _sealed(self) -> list[str]:
        previous, log = "", []
        for event in self.log:
            body = encode_body(event)
            previous = digest(previous, body)
            log.append(seal(body, previous))
        return log


def _held(hand: Hand) -> list[Counter[str]]:
    """Each seat's cards, wherever they lie (RD-14)."""
    held = [
        Counter(card.text for pile in (at.demon, *at.columns, at.stock, at.waste) for card in pile)
        for at in hand.layouts
    ]
    for foundation in hand.foundations:
        for rank, slot in enumerate(foundation.slots):
            for seat in slot.seats:
                held[seat]["A23456789TJQK"[rank] + foundation.suit] += 1
    return held
