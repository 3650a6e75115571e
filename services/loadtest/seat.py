"""A player on a socket: acts at its moments, over a simulated network, and measures how its commands fare."""

from __future__ import annotations

import re
import secrets
from collections import deque
from collections.abc import Callable
from typing import Final

from services.client import frames
from services.client.models import TableState
from services.client.protocol import Effect, Failed, Happened, Send, Settled
from services.loadtest.choice import Chooser, Idle
from services.loadtest.desk import Desk
from services.loadtest.history import now_us
from services.loadtest.measures import Sample
from services.loadtest.onlooker import Onlooker
from services.loadtest.place import Place
from services.loadtest.scenario import Contention, Network
from services.loadtest.wire import Wire
from services.rules.events import Ended
from services.rules.hand import Phase
from services.rules.moves import Action, Choice, Vote

_COMMAND: Final = re.compile(rb'\{"t":"\w+","n":(\d+),"hand":(\d+)')
_JUDGED: Final = frozenset({"applied", "tied", "returned", "refused"})
_TOLD_TABLE: Final = (b'{"t":"welcome"', b'{"t":"table"')


class Seat(Onlooker):
    """One seat of a table. ``gate``: whether it may be ready for a hand."""

    def __init__(
        self, place: Place, desk: Desk, network: Network, contention: Contention, gate: Callable[[], bool]
    ) -> None:
        super().__init__(place, desk)
        assert place.seat is not None
        self.seat: Final = place.seat
        self.settled: Callable[[], None] = _nothing
        """Called when a command has its verdict and the player knows."""
        self.hands_ended: dict[str, int] = {}
        """The last hand of each match whose end this seat has seen."""
        self._gate = gate
        self._chooser = Chooser(place.seat, contention.share, desk.luck)
        one_way_us = desk.luck.uniform(*network.rtt_ms) * 1000 / 2
        self._up = Wire(one_way_us, network.jitter_ms * 1000, self._leaves, desk.luck, desk.post)
        self._down = Wire(one_way_us, network.jitter_ms * 1000, self._deliver, desk.luck, desk.post)
        self._under_way: dict[int, Action] = {}
        self._scheduled: deque[int] = deque()  # of commands that have no number yet
        self._numbered = 0
        self._due: dict[int, int] = {}  # when a command should leave, by its number
        self._broken: set[int] = set()  # numbers whose connection broke
        self._moment_us: int | None = None
        self._ready_for = ""

    @property
    def unanswered(self) -> int:
        """How many commands have no verdict yet."""
        return self.protocol.unanswered

    def act(self, due_us: int, *, shared: bool) -> None:
        """The seat's moment has come: it does something, whatever is unanswered."""
        measures = self._desk.measures
        measures.count("moments")
        if not self.protocol.attached and self._under_way:
            measures.count("idle.no_connection")
            return
        action = self._chooser.choose(self.protocol.view, tuple(self._under_way.values()), shared=shared)
        if isinstance(action, Idle):
            measures.count(f"idle.{action.value}")
            return
        self._submit(action, due_us)

    def vote_to_end(self) -> bool:
        """Consents to the end of the hand. False: no hand is running."""
        view = self.protocol.view
        if view.phase in (Phase.DEALT, Phase.CLOSING):
            return True
        if view.phase is not Phase.PLAYING:
            return False
        vote = Vote(Choice.END, view.progress)
        if view.votes[self.seat] is not Choice.END and vote not in self._under_way.values():
            self._submit(vote, now_us())
        return True

    def look_ready(self) -> None:
        """Is ready for the next hand, if one waits for this seat."""
        table = self.protocol.table
        if table is None or not self._gate() or not self.protocol.attached or not table.awaits(self.seat):
            return
        if self._ready_for != table.commitment:
            self._ready_for = table.commitment
            self._up.put(frames.ready(True, secrets.token_hex(16)), now_us())

    @property
    def match_over(self) -> bool:
        """Whether the table waits for another match."""
        return self.protocol.table is not None and self.protocol.table.state is TableState.ENDED

    # What the link tells

    def received(self, frame: bytes) -> None:
        """A frame has come to the socket: the player gets it a little later."""
        at_us = now_us()
        if self._note(frame, at_us):
            self._down.put(frame, at_us)

    def lost(self) -> bool:
        """The connection is gone, and what was under way on it."""
        self._up.cut()
        self._down.cut()
        self._broken.update(self._due)
        self._ready_for = ""
        return super().lost()

    # Within

    def _submit(self, action: Action, due_us: int) -> None:
        ticket, effects = self.protocol.submit(action)
        self._under_way[ticket] = action
        self._scheduled.append(due_us)
        self._moment_us = due_us
        self._carry_out(effects)
        self._moment_us = None

    def _deliver(self, frame: bytes, at_us: int) -> None:
        super()._deliver(frame, at_us)
        if frame.startswith(_TOLD_TABLE):
            self.look_ready()

    def _do(self, effect: Effect) -> None:
        match effect:
            case Send(frame):
                self._send(frame)
            case Happened(Ended(match=match, hand=hand)):
                self.hands_ended[match] = hand
            case Settled(ticket, _):
                self._under_way.pop(ticket, None)
                self.settled()
            case Failed(ticket, error):
                self._under_way.pop(ticket, None)
                self._forget()
                self._desk.measures.count("void")
                self._desk.tell(f"a command is void: {error}")
                self.settled()
            case _:
                super()._do(effect)

    def _forget(self) -> None:
        """History was lost: the numbers of what was under way mean nothing any more."""
        self._numbered = 0
        self._scheduled.clear()
        self._due.clear()
        self._broken.clear()

    def _send(self, frame: bytes) -> None:
        """Puts a frame on the simulated wire; a new command at its moment, though that may be past."""
        head = _COMMAND.match(frame)
        if head is None or int(head[1]) <= self._numbered:
            self._up.put(frame, now_us())
            return
        self._numbered = n = int(head[1])
        due_us = self._scheduled.popleft() if self._scheduled else now_us()
        if self._moment_us is None:  # it had to wait for its connection, or for the window
            self._broken.add(n)
        # Before it is put, since a wire without delay carries it at once.
        self._due[n] = due_us
        self._due[n] = self._up.put(frame, due_us)

    def _leaves(self, frame: bytes, due_us: int) -> None:
        """The frame is at the end of the simulated wire, where the socket is."""
        head = _COMMAND.match(frame)
        if head is not None:
            n = int(head[1])
            at_us = now_us()
            if n not in self._broken:
                self._desk.measures.sample(Sample.LAG, at_us - due_us)
            self._desk.measures.count("sent")
            self.place.departures.note(self.seat, n, due_us)
            self._desk.recorder.sent(self._socket, at_us, n, int(head[2]), frame)
        self._link.send(frame)

    def _judged(self, n: int, outcome: str, why: str | None, at_us: int) -> None:
        measures = self._desk.measures
        if outcome not in _JUDGED:
            measures.count(f"verdict.{outcome}")
            return
        due_us = self._due.pop(n, None)
        if due_us is None:
            return  # told again after a reconnect
        measures.count(f"verdict.{outcome}" if why is None else f"verdict.{outcome}.{why}")
        unbroken = Sample.HOT if self.place.hot else Sample.PLAY
        measures.sample(Sample.ACROSS if n in self._broken else unbroken, at_us - due_us)
        self._broken.discard(n)


def _nothing() -> None:
    pass
