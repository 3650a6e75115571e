"""A table in simulated time: sockets, pings, plays and events, one place after the other being played for.

What is simulated is the world around the platform. What a card becomes is decided by the rules themselves
(:func:`services.rules.landing.land`, and in it :func:`services.rules.contest.decide`); what a client claims to have
seen is bounded by the gateway's own :class:`services.gateway.pulse.Pulse`; it can be shown to be true exactly if it is.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from services.gateway.pulse import Pulse
from services.rules.cards import card
from services.rules.foundation import opened
from services.rules.landing import Arrival, Foundations, Landed, Lost, land
from services.rules.moves import PlayToFoundation, Source
from services.rules.options import Options
from tests.bench.fairness.seats import Outcome, Play, Press, Seat
from tests.bench.fairness.wire import Delay, Wire

LEAD_MS: Final = 400.0
"""From the begin of a round until the card below is committed: time for those who fire blindly."""
_ACE: Final = card("AS")
_PLAY: Final = PlayToFoundation(Source.DEMON, card("2S"))


class Closed(Exception):
    """A client of the simulation has gone too far: the study's mistake."""


@dataclass(frozen=True, slots=True)
class Platform:
    """What lies behind the edge: edge to commit, commit to the sockets, and the error of an edge's clock. All ms."""

    queue: Delay
    feed: Delay
    clock_error: Delay


class _Socket:
    """What a seat and the edge know of each other."""

    __slots__ = ("clock_error", "down", "feed", "number", "pulse", "seat", "sent", "shown", "up")

    def __init__(self, number: int, seat: Seat, platform: Platform) -> None:
        self.number = number
        self.seat = seat
        self.up, self.down, self.feed = Wire(seat.up), Wire(seat.down), Wire(platform.feed)
        self.pulse = Pulse(0.0)
        self.clock_error = platform.clock_error()
        self.sent = 0
        self.shown = 0


@dataclass(slots=True)
class _Round:
    """One place that is played for."""

    below: int = 0
    foundations: Foundations = ()
    taken: int | None = None
    plays: list[Play] = field(default_factory=list)
    open: int = 0
    """Presses and plays that are still to be judged."""
    waiting: dict[int, list[Press]] = field(default_factory=dict)
    """By seat: presses that wait for the card below to be shown, or for the place to be shown taken."""
    shown_at: dict[int, float] = field(default_factory=dict)
    """By seat: when the place was shown taken."""
    holders: set[int] = field(default_factory=set)


class Table:
    """Seats that play for one place after the other."""

    def __init__(self, seats: Sequence[Seat], platform: Platform, options: Options | None = None) -> None:
        self._options = options or Options()
        self._platform = platform
        self._now = 0.0
        self.below_at = 0.0
        """When the card below the last round's place was committed."""
        self._seq = 0
        self._order = count()
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._round = _Round()
        self._sockets = [_Socket(number, seat, platform) for number, seat in enumerate(seats)]
        for socket in self._sockets:
            self._tick(socket)

    def play(self, presses: Sequence[Press]) -> list[Play]:
        """One round: a card lands, and whoever presses plays the next one. Gives the plays, in order of their press."""
        round_ = self._round = _Round(open=len(presses))
        begin = self._now + LEAD_MS
        self._at(begin, lambda: self._place(round_))
        for press in presses:
            if press.at_ms is None:
                round_.waiting.setdefault(press.seat, []).append(press)
            else:
                self._at(begin + press.at_ms, lambda p=press: self._press(round_, p))  # type: ignore[misc]
        while round_.open:
            self._step()
        return sorted(round_.plays, key=lambda play: play.pressed)

    def rest(self, ms: float) -> None:
        """Lets time pass."""
        until = self._now + ms
        while self._agenda[0][0] <= until:
            self._step()
        self._now = until

    def _at(self, when: float, what: Callable[[], None]) -> None:
        heapq.heappush(self._agenda, (when, next(self._order), what))

    def _step(self) -> None:
        self._now, _, what = heapq.heappop(self._agenda)
        what()

    # The platform.

    def _tick(self, socket: _Socket) -> None:
        if socket.pulse.silent(self._now / 1000):
            raise Closed("the edge closes a socket that answers no ping")
        ping = socket.pulse.ping(self._now / 1000, socket.sent)
        self._at(socket.down.arrives(self._now), lambda: self._pinged(socket, ping))
        self._at(self._now + 1000 * socket.pulse.delay(), lambda: self._tick(socket))

    def _place(self, round_: _Round) -> None:
        """The card below lands; it is of a seat that does not play for the next place."""
        self._seq += 1
        round_.below, self.below_at = self._seq, self._now
        round_.foundations = (opened(_ACE, seat=len(self._sockets), seq=self._seq, at_ms=int(self._now)),)
        self._tell(self._seq)

    def _tell(self, seq: int) -> None:
        for socket in self._sockets:
            self._at(socket.feed.arrives(self._now), lambda s=socket: self._sent(s, seq))  # type: ignore[misc]

    def _sent(self, socket: _Socket, seq: int) -> None:
        socket.sent = seq
        self._at(socket.down.arrives(self._now), lambda: self._shown(socket, seq))

    def _arrived(self, round_: _Round, socket: _Socket, play: Play) -> None:
        play.arrived, play.arrived_ms = self._now, int(self._now + socket.clock_error)
        shown = play.claimed <= play.shown  # Who has not received an event can't know its digest.
        play.seen = socket.pulse.bounded(play.claimed, socket.sent, shown)
        play.rtt_ms = socket.pulse.rtt_ms or 0
        self._at(self._now + self._platform.queue(), lambda: self._judge(round_, play))

    def _judge(self, round_: _Round, play: Play) -> None:
        round_.open -= 1
        now_ms = int(self._now)
        arrival = Arrival(play.seat, play.seen, min(play.arrived_ms, now_ms), self._seq + 1, now_ms)
        if play.seat in round_.holders:
            return  # Its card has left the demon: another try is illegal.
        judged = land(round_.foundations, _PLAY, arrival, self._options)
        if not isinstance(judged, Landed | Lost):
            return
        self._seq += 1
        play.committed = self._now
        if isinstance(judged, Landed):
            round_.foundations, play.seq = judged.foundations, self._seq
            round_.holders.add(play.seat)
            play.outcome = Outcome.SHARED if judged.tie else Outcome.FIRST
            if not judged.tie:
                round_.taken = self._seq
        else:
            play.outcome = Outcome.RETURNED
        self._tell(self._seq)

    # The players.

    def _pinged(self, socket: _Socket, ping: int) -> None:
        self._at(self._now + socket.seat.client.holds_pongs_ms, lambda: self._ponged(socket, ping))

    def _ponged(self, socket: _Socket, ping: int) -> None:
        self._at(socket.up.arrives(self._now), lambda: self._heard(socket, ping))

    def _heard(self, socket: _Socket, ping: int) -> None:
        socket.pulse.pong(ping, self._now / 1000)

    def _shown(self, socket: _Socket, seq: int) -> None:
        socket.shown = seq
        round_, seat = self._round, socket.number
        if round_.taken is not None and seq >= round_.taken:
            round_.shown_at.setdefault(seat, self._now)
        for press in round_.waiting.pop(seat, []):
            self._press(round_, press)

    def _press(self, round_: _Round, press: Press) -> None:
        socket = self._sockets[press.seat]
        since = self._now - round_.shown_at.get(press.seat, float("inf"))
        can_see = since >= 0 if press.at_ms is None else 0 < round_.below <= socket.shown
        if not (press.blind or can_see):
            round_.waiting.setdefault(press.seat, []).append(press)
            return
        if since >= press.notices_ms:
            round_.open -= 1
            return
        client = socket.seat.client
        stamp = self._now - socket.seat.clock_late_ms - client.backdates_ms
        play = Play(press.seat, self._now, stamp, socket.shown, client.claims(socket.shown, round_.below))
        round_.plays.append(play)
        self._at(socket.up.arrives(self._now), lambda: self._arrived(round_, socket, play))
