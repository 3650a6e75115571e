"""The pings of one socket: how far away it is, whether it still answers, and what it has provably received.

Pings share the ordered socket with the events, so the pong to a ping proves that everything written before the ping
has arrived. Time is an argument, in seconds.
"""

from __future__ import annotations

from typing import Final

from services.gateway import metrics

EVERY_SECONDS: Final = 2.0
EARLY_SECONDS: Final = (0.25, 0.25, 0.5, 1.0)
"""Right after attaching little is proven yet, so the first pings come sooner."""
SILENT_SECONDS: Final = 10.0
"""Without a pong for this long the network counts as gone."""
MOST_OPEN: Final = 16
"""How many pings wait for their pongs. Who answers only older ones counts as silent, and costs no memory."""


class Pulse:
    """Pings sent and pongs received."""

    __slots__ = ("_heard_at", "_next_id", "_open", "proven", "received", "rtt_ms")

    def __init__(self, now: float) -> None:
        self._next_id = 1
        self._open: dict[int, tuple[float, int]] = {}
        self._heard_at = now
        self.proven = 0
        """The last event that the client has provably received, on this socket."""
        self.received = 0
        """The last event that it had already when it attached. It may have played before, so this raises no claim."""
        self.rtt_ms: int | None = None

    def ping(self, now: float, sent: int) -> int:
        """The id of a ping to be written now, after event ``sent``."""
        ping_id = self._next_id
        self._next_id += 1
        if len(self._open) == MOST_OPEN:
            del self._open[next(iter(self._open))]
        self._open[ping_id] = (now, sent)
        return ping_id

    def pong(self, ping_id: int, now: float) -> float | None:
        """The round trip in seconds; None for a ping that was never sent or was answered before."""
        opened = self._open.get(ping_id)
        if opened is None:
            return None
        for earlier in [i for i in self._open if i <= ping_id]:
            del self._open[earlier]
        at, sent = opened
        self._heard_at = now
        self.proven = max(self.proven, sent)
        self.rtt_ms = round((now - at) * 1000)
        return now - at

    def bounded(self, seen: int, sent: int, shown: bool) -> int:
        """A client's claim of what it has seen, bounded by what is known of that.

        ``shown``: the client knows the digest of event ``seen``, so it has received it. A claim that is not shown is
        believed up to what the client is known to have received: what was ``sent`` may still be under way to it.
        """
        most = sent if shown else max(self.proven, self.received)
        if seen > most:
            metrics.SEEN_BOUNDED.labels("sent" if shown else "unshown").inc()
            return most
        if seen < self.proven:
            metrics.SEEN_BOUNDED.labels("proven").inc()
            return self.proven
        return seen

    def delay(self) -> float:
        """Seconds from the last ping to the next."""
        early = self._next_id - 2
        return EARLY_SECONDS[early] if 0 <= early < len(EARLY_SECONDS) else EVERY_SECONDS

    def silent(self, now: float) -> bool:
        """Whether pings have gone unanswered for too long."""
        return bool(self._open) and now - self._heard_at >= SILENT_SECONDS

    def patience(self, now: float) -> float:
        """Seconds until a silence that began with the last pong will have been too long; never quite none."""
        return max(EARLY_SECONDS[0], self._heard_at + SILENT_SECONDS - now)

    def excuse(self, now: float) -> None:
        """The silence is ours: the socket was not being read."""
        self._heard_at = now

    def forget(self) -> None:
        """History was lost: what was proven of it proves nothing of the new one."""
        self._open.clear()
        self.proven = self.received = 0
