"""A seat's commands on their way: numbered, at most 32 unanswered, sent again after a reconnect. No socket, no clock.

A command gets its number when it is first sent and keeps its frame, byte for byte, until its verdict arrives: the
referee knows a number that it has judged, so sending again never counts twice.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from services.client import frames
from services.rules.rulebook import AnyAction

WINDOW: Final = 32
"""How many commands may be unanswered (docs/protocol.md); more wait here."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    ticket: int
    hand: int
    seen: int
    digest: str
    action: AnyAction


@dataclass(frozen=True, slots=True)
class _Sent:
    ticket: int
    frame: bytes
    waiting: _Waiting


class Outbox:
    """Commands that have no verdict yet. A ticket names a command to the caller, whatever number it gets."""

    def __init__(self) -> None:
        self._tickets = 0
        self._last = 0  # the highest number in use, here or (as the edge said) on another socket of the seat
        self._welcome = 0  # the seat's last judged number when this socket was welcomed
        self._waiting: deque[_Waiting] = deque()
        self._sent: dict[int, _Sent] = {}
        self._out_of_order: int | None = None

    def __len__(self) -> int:
        return len(self._waiting) + len(self._sent)

    @property
    def answered(self) -> int:
        """The last number up to which every verdict has arrived: what an attach names."""
        return min(self._sent) - 1 if self._sent else self._last

    def add(self, hand: int, seen: int, digest: str, action: AnyAction) -> int:
        """Queues a command and returns its ticket. ``seen`` is the last event its player had applied."""
        self._tickets += 1
        self._waiting.append(_Waiting(self._tickets, hand, seen, digest, action))
        return self._tickets

    def flush(self) -> list[bytes]:
        """Numbers what the window has room for, and returns those frames."""
        out = []
        while self._waiting and len(self._sent) < WINDOW:
            waiting = self._waiting.popleft()
            self._last += 1
            frame = frames.command(self._last, waiting.hand, waiting.seen, waiting.digest, waiting.action)
            self._sent[self._last] = _Sent(waiting.ticket, frame, waiting)
            out.append(frame)
        return out

    def resume(self, judged: int) -> list[bytes] | None:
        """The frames to send again, now that the edge said that ``judged`` is the seat's last judged number.

        None: the numbers don't continue each other, so this is not the history that the commands were made for.
        """
        again = sorted(n for n in self._sent if n > judged)
        if judged < self.answered or again != list(range(judged + 1, judged + 1 + len(again))):
            return None
        self._last = max(self._last, judged)
        self._welcome = judged
        self._out_of_order = None
        return [self._sent[n].frame for n in again]

    def overdue(self) -> list[bytes]:
        """The frames that were judged before the welcome and whose verdict did not come with it.

        Asking again gets it, or the refusal ``forgotten``.
        """
        return [sent.frame for n, sent in self._sent.items() if n <= self._welcome]

    def judged(self, n: int) -> int | None:
        """The ticket of command ``n``, which has its verdict; None if it had one before, or is none of ours."""
        sent = self._sent.pop(n, None)
        if sent is None:
            return None
        self._out_of_order = None
        return sent.ticket

    def unused(self, n: int) -> int | None:
        """The ticket of command ``n``, whose number was not used up; those after it wait for other numbers.

        None: it is none of ours. None of the later ones can have been judged, for each number follows the one before.
        """
        sent = self._sent.pop(n, None)
        if sent is None:
            return None
        later = [self._sent.pop(number).waiting for number in sorted(self._sent) if number > n]
        self._waiting.extendleft(reversed(later))
        self._last = n - 1
        self._out_of_order = None
        return sent.ticket

    def out_of_order(self, n: int, last: int) -> list[bytes] | None:
        """The frames to send again, because ``n`` arrived when the seat's last number was ``last``.

        One lost frame makes each one after it be answered so; only the first of them starts a new round. None: what
        the edge waits for is not here.
        """
        if n not in self._sent:
            return []
        if self._out_of_order is not None and n > self._out_of_order:
            self._out_of_order = n
            return []
        if last + 1 not in self._sent:
            return None
        self._out_of_order = n
        return [sent.frame for number, sent in sorted(self._sent.items()) if number > last]

    def void(self, last: int) -> list[int]:
        """Forgets all commands, since they were made for a history that is gone. Returns their tickets.

        The seat's last number is ``last``.
        """
        tickets = [sent.ticket for _, sent in sorted(self._sent.items())] + [w.ticket for w in self._waiting]
        self._sent.clear()
        self._waiting.clear()
        self._last = self._welcome = last
        self._out_of_order = None
        return tickets
