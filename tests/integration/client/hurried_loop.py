"""An event loop whose clock runs faster than the wall's, for what takes a minute by the clock."""

from __future__ import annotations

import asyncio
import selectors


class HurriedLoop(asyncio.SelectorEventLoop):
    """``factor`` seconds of this loop pass in each second."""

    def __init__(self, factor: float) -> None:
        self._factor = factor
        super().__init__(_Selector(factor))

    def time(self) -> float:
        """This loop's own time, in its own seconds."""
        return super().time() * self._factor


class _Selector(selectors.SelectSelector):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self._factor = factor

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(timeout if timeout is None else timeout / self._factor)
