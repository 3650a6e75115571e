"""Which port each process of one platform listens on. Knows nothing of what listens there."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

LOOPBACK: Final = "127.0.0.1"
_GATEWAY, _ENGINE, _LOBBY, _SCORING, _OPS, _REDIS = 8080, 7001, 7010, 7020, 8090, 6390
_METRICS: Final = {"gateway": 9080, "engine": 9001, "lobby": 9010, "scoring": 9020, "bots": 9030, "ops": 9040}
MOST_ENGINES: Final = _LOBBY - _ENGINE
QUIET: Final = range(10_240, 32_768)
"""Ports that no system gives to a connection by itself, so none is taken between its choice and the listening there."""


class PortTaken(Exception):
    """Something else listens on the port; ``port`` is its number."""

    def __init__(self, name: str, port: int) -> None:
        super().__init__(f"port {port}, which {name} needs, is taken")
        self.port = port


@dataclass(frozen=True, slots=True)
class Ports:
    """Every port of one platform, all on loopback."""

    gateways: tuple[int, ...]
    engines: tuple[int, ...]
    lobby: int
    scoring: int
    redis: int
    metrics: tuple[tuple[str, int], ...]
    """Process name and its metrics port."""
    ops: int = 0

    @classmethod
    def fixed(cls, *, gateway: int = _GATEWAY, gateways: int = 1, engines: int = 1) -> Ports:
        """The documented ports; of several gateways or engines each has the next one."""
        metrics = [("lobby", _METRICS["lobby"]), ("scoring", _METRICS["scoring"]), ("bots", _METRICS["bots"])]
        metrics += [("ops", _METRICS["ops"])]
        metrics += [(f"gateway-{i + 1}", _METRICS["gateway"] + i) for i in range(gateways)]
        metrics += [(f"engine-{i + 1}", _METRICS["engine"] + i) for i in range(engines)]
        return cls(
            gateways=tuple(range(gateway, gateway + gateways)),
            engines=tuple(range(_ENGINE, _ENGINE + engines)),
            lobby=_LOBBY,
            scoring=_SCORING,
            redis=_REDIS,
            ops=_OPS,
            metrics=tuple(metrics),
        )

    @classmethod
    def free(cls, *, gateways: int = 1, engines: int = 1) -> Ports:
        """Ports that nobody listens on at this moment, chosen at random."""
        numbers = free_ports(2 * (gateways + engines) + 8)
        names = [f"gateway-{i + 1}" for i in range(gateways)] + [f"engine-{i + 1}" for i in range(engines)]
        return cls(
            gateways=tuple(next(numbers) for _ in range(gateways)),
            engines=tuple(next(numbers) for _ in range(engines)),
            lobby=next(numbers),
            scoring=next(numbers),
            redis=next(numbers),
            ops=next(numbers),
            metrics=tuple((name, next(numbers)) for name in (*names, "lobby", "scoring", "bots", "ops")),
        )

    def metrics_of(self, process: str) -> int:
        """The metrics port of the process with this name."""
        return dict(self.metrics)[process]

    def check(self, *, redis: bool, ops: bool = False) -> None:
        """Raises :class:`PortTaken` for a port that can't be listened on. ``redis``, ``ops``: whether theirs count."""
        for name, port in self._named():
            counts = (redis or name != "redis") and (ops or name not in ("ops", "metrics of ops"))
            if counts and not _can_listen(port):
                raise PortTaken(name, port)

    def _named(self) -> Iterator[tuple[str, int]]:
        yield from ((f"gateway-{i}", port) for i, port in enumerate(self.gateways, start=1))
        yield from ((f"engine-{i}", port) for i, port in enumerate(self.engines, start=1))
        yield from (("lobby", self.lobby), ("scoring", self.scoring), ("redis", self.redis), ("ops", self.ops))
        yield from ((f"metrics of {name}", port) for name, port in self.metrics)


def free_ports(count: int, among: range = QUIET) -> Iterator[int]:
    """Ports that nobody listens on. All are held at the same time while they are chosen, so that no two are equal."""
    luck = random.SystemRandom()  # whoever seeds the other one in two processes would have them choose the same
    with ExitStack() as held:
        numbers: list[int] = []
        while len(numbers) < count:
            probe = held.enter_context(socket.socket())
            number = luck.choice(among)
            try:
                probe.bind((LOOPBACK, number))
            except OSError:
                continue
            numbers.append(number)
    return iter(numbers)


def _can_listen(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True
