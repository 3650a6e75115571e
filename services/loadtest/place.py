"""Where a socket goes, and what the sockets of one table share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from services.loadtest.shared_history import Book

_KEPT: Final = 1024


class Departures:
    """When each command of a table left, by seat and number, µs; the last thousand."""

    def __init__(self) -> None:
        self._at: dict[tuple[int, int], int] = {}

    def note(self, seat: int, n: int, at_us: int) -> None:
        """A command leaves."""
        self._at[seat, n] = at_us
        if len(self._at) > _KEPT:
            del self._at[next(iter(self._at))]

    def of(self, seat: int, n: int) -> int | None:
        """When it left; None if that is long ago, or was in another process."""
        return self._at.get((seat, n))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a socket goes: the table, the address of its socket, and what its sockets share. No token: it watches."""

    table: str
    urls: tuple[str, ...]
    """Each connection goes to the next one."""
    book: Book
    departures: Departures
    token: str | None = None
    player: str | None = None
    seat: int | None = None
    hot: bool = False
    """Whether it is one of the tables whose latencies are kept apart."""


def socket_urls(urls: Sequence[str], first: int, table: str) -> tuple[str, ...]:
    """The addresses of a table's socket at all gateways, from the one whose turn it is on."""
    turned = [urls[(first + i) % len(urls)] for i in range(len(urls))]
    return tuple(f"ws{url.removeprefix('http').rstrip('/')}/api/v1/tables/{table}/socket" for url in turned)
