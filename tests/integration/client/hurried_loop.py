"""An event loop whose clock runs faster than the wall's, for what takes a minute by the clock."""

from __future__ import annotations

import asyncio
import selectors
import time


class HurriedLoop(asyncio.SelectorEventLoop):
    """``factor`` seconds of this loop pass in each second in which it waits.

    While it works, or while the machine does something else, its time stands still: a busy machine is not taken for a
    slow network.
    """

    def __init__(self, factor: float) -> None:
        self._waits = _Selector(factor)
        super().__init__(self._waits)

    def time(self) -> float:
        """This loop's own time, in its own seconds."""
        return self._waits.waited_s


class _Selector(selectors.SelectSelector):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.waited_s = 0.0
        self._factor = factor

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        began = time.monotonic()
        ready = super().select(timeout if timeout is None else timeout / self._factor)
        waited_s = (time.monotonic() - began) * self._factor
        self.waited_s += waited_s if timeout is None else min(waited_s, timeout)
        return ready
