"""How many table sockets each player has open at this edge. Knows no socket, and only players that have one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Holdings:
    """A count for each player, at most ``most`` of each; 0: no limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._held)

    @contextmanager
    def one_more(self, player: str | None) -> Iterator[bool]:
        """Counts a socket while inside; gives False, and counts nothing, if the player has too many.

        ``None`` is nobody in particular, of whom nothing is counted.
        """
        if player is None or not self._most:
            yield True
            return
        if self._held[player] >= self._most:
            yield False
            return
        self._held[player] += 1
        try:
            yield True
        finally:
            self._held[player] -= 1
            if not self._held[player]:
                del self._held[player]
