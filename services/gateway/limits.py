"""How often one session and one address may ask this edge: token buckets in memory, a bounded number of them.

An address of IPv6 counts as its network of 64 bits, which is what one customer gets. A bucket that is full again is as
good as none, so the one that was asked least lately is forgotten when there are too many. Knows no request; time is in
seconds of a monotonic clock.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from services.gateway.bucket import Bucket, Rate

DEAREST: Final = 10.0
"""What the dearest request costs, in tokens; a bucket must hold as many."""
MOST_KEPT: Final = 65_536
"""Buckets of a kind that are remembered."""


def network_of(address: str) -> str:
    """What an address counts as: itself, or its /64 if it is one of IPv6; a word that is no address as it is."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed), 64), strict=False))


class Buckets:
    """A bucket for each key, all of one rate; a new one holds ``at_first`` tokens, None: all."""

    def __init__(self, rate: Rate, at_first: float | None = None, most: int = MOST_KEPT) -> None:
        self.rate = rate
        self._at_first = at_first
        self._most = most
        self._kept: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, key: str, now: float) -> Bucket:
        """The bucket of the key, a new one if it is not remembered."""
        bucket = self._kept.get(key)
        if bucket is None:
            bucket = self._kept[key] = Bucket(self.rate, now, self._at_first)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return bucket


class Limits:
    """What the edge's sessions and addresses have left."""

    def __init__(self, by_session: Rate, by_address: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._sessions = Buckets(by_session)
        self._addresses = Buckets(by_address)
        self._now = now

    def charge(self, address: str, session: str | None, cost: float) -> float:
        """Takes ``cost`` tokens of both, or none: then it gives the seconds until both will have them. 0: taken."""
        now = self._now()
        buckets = [self._addresses.of(network_of(address), now)]
        if session is not None:
            buckets.append(self._sessions.of(session, now))
        wait = max(bucket.wait(now, cost) for bucket in buckets)
        if wait <= 0:
            for bucket in buckets:
                bucket.take(now, cost)
        return wait
