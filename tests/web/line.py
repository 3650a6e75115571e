"""The line between one page and the edge, in a test's hand: it holds back, turns around, loses, breaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final

from playwright.async_api import Page, WebSocketRoute

BROKEN: Final = 3000
"""A close code of no meaning, since a page can't be given that of a broken line."""
WITHIN_S: Final = 60.0
Frame = dict[str, Any]


class Line:
    """All sockets of a page, one after the other. ``told`` is what has reached the page, ``sent`` what it said.

    While ``holds`` is set, what the edge says waits for :meth:`release`; what the page says goes through.
    """

    def __init__(self) -> None:
        self.holds = False
        self.told: list[Frame] = []
        self.sent: list[Frame] = []
        self.change: Callable[[Frame], Frame] = lambda frame: frame
        """What becomes of each frame of the page on its way."""
        self._held: list[str] = []
        self._is_cut = False
        self._page: WebSocketRoute | None = None
        self._news = asyncio.Event()

    @classmethod
    async def of(cls, page: Page) -> Line:
        """The line of every table socket that this page opens from now on."""
        line = cls()
        await page.route_web_socket("**/socket", line._connect)
        return line

    def release(self, order: Callable[[Frame], int] = lambda frame: 0) -> None:
        """Lets through what was held back, sorted by ``order`` where that differs, else as it came."""
        self.holds = False
        held, self._held = self._held, []
        for text in sorted(held, key=lambda text: order(json.loads(text))):
            self._tell(text)

    async def cut(self) -> None:
        """Breaks the line: what was held back is lost, and no new one comes about."""
        self._is_cut = True
        self._held.clear()
        if self._page is not None:
            await self._page.close(code=BROKEN)

    def mend(self) -> None:
        """The page's next try to connect reaches the edge."""
        self._is_cut = self.holds = False

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until frames have made it true. Raises TimeoutError."""
        async with asyncio.timeout(WITHIN_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def until_held(self, kind: str, count: int = 1) -> None:
        """Waits until so many events or frames of this kind are held back. Raises TimeoutError."""
        await self.until(lambda: [_kind(json.loads(text)) for text in self._held].count(kind) >= count)

    def count(self, kind: str, **of: object) -> int:
        """How many events or frames of this kind, with these fields, have reached the page."""
        return sum(_kind(frame) == kind and frame.items() >= of.items() for frame in self.told)

    async def _connect(self, page: WebSocketRoute) -> None:
        if self._is_cut:
            await page.close(code=BROKEN)
            return
        self._held.clear()  # it was the last socket's
        self._page, edge = page, page.connect_to_server()

        def said(text: str | bytes) -> None:
            frame = self.change(json.loads(text))
            self.sent.append(frame)
            edge.send(json.dumps(frame))
            self._news.set()

        def heard(text: str | bytes) -> None:
            if page is not self._page or self._is_cut:
                return
            if self.holds:
                self._held.append(str(text))
            else:
                self._tell(str(text))
            self._news.set()

        page.on_message(said)
        edge.on_message(heard)

    def _tell(self, text: str) -> None:
        assert self._page is not None
        self.told.append(json.loads(text))
        self._page.send(text)


def _kind(frame: Frame) -> str:
    """The type of a frame, or of an event."""
    return str(frame.get("t") or frame.get("e"))
