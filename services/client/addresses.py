"""The addresses of one edge: one behind which a balancer stands, or those of several gateways, tried in turn."""

from __future__ import annotations

from collections.abc import Sequence


class Addresses:
    """In the order in which they are tried; after the last comes the first."""

    def __init__(self, urls: str | Sequence[str]) -> None:
        self._urls = (urls,) if isinstance(urls, str) else tuple(urls)
        if not self._urls:
            raise ValueError("an edge has at least one address")
        self._index = 0

    def __len__(self) -> int:
        return len(self._urls)

    @property
    def present(self) -> str:
        """The one in use."""
        return self._urls[self._index]

    def turn(self) -> None:
        """The present one was of no use, or has sent us away: the next one is in use."""
        self._index = (self._index + 1) % len(self._urls)

    def in_order(self) -> tuple[str, ...]:
        """All of them, the present one first."""
        return self._urls[self._index :] + self._urls[: self._index]
