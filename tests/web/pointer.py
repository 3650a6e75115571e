"""What a hand does on the page: it presses and drags, by mouse or by finger."""

from __future__ import annotations

import time

from playwright.async_api import Locator, Page


class Pointer:
    """One hand, at one page."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        self.page = page
        self._touch = touch

    async def press(self, what: Locator, at: float = 0.5) -> bool:
        """Clicks, or taps, the element so far down; whether it was there."""
        box = await _box(what)
        if box is None:
            return False
        x, y = box[0] + box[2] / 2, box[1] + box[3] * at
        await (self.page.touchscreen.tap(x, y) if self._touch else self.page.mouse.click(x, y))
        return True

    async def double(self, what: Locator) -> None:
        """Clicks twice, 60 ms apart by the events' own clock, however slow the machine is at passing them on."""
        box = await _box(what)
        assert box is not None
        wire = await self.page.context.new_cdp_session(self.page)
        at = {"x": box[0] + box[2] / 2, "y": box[1] + box[3] / 2, "button": "left"}
        begun = time.time()
        for clicks in (1, 2):
            for kind, after in (("mousePressed", 0.0), ("mouseReleased", 0.02)):
                when = begun + 0.06 * (clicks - 1) + after
                event = at | {"type": kind, "clickCount": clicks, "timestamp": when}
                await wire.send("Input.dispatchMouseEvent", event)
        await wire.detach()

    async def drag(self, here: Locator, there: Locator, *, cancelled: bool = False) -> bool:
        """From here to there; whether both were there. A finger may be taken away by the phone before it lets go."""
        start, goal = await _box(here), await _box(there)
        if start is None or goal is None:
            return False
        x0, y0 = start[0] + start[2] / 2, start[1] + 8
        x1, y1 = goal[0] + goal[2] / 2, goal[1] + min(goal[3] / 2, 30)
        steps = [(x0 + (x1 - x0) * i / 4, y0 + (y1 - y0) * i / 4) for i in range(5)]
        if self._touch:
            await self._finger(steps, "touchCancel" if cancelled else "touchEnd")
            return True
        await self.page.mouse.move(*steps[0])
        await self.page.mouse.down()
        for step in steps[1:]:
            await self.page.mouse.move(*step)
        await self.page.mouse.up()
        return True

    async def _finger(self, steps: list[tuple[float, float]], end: str) -> None:
        wire = await self.page.context.new_cdp_session(self.page)
        for i, (x, y) in enumerate(steps):
            kind = "touchMove" if i else "touchStart"
            await wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        await wire.send("Input.dispatchTouchEvent", {"type": end, "touchPoints": []})
        await wire.detach()


async def _box(what: Locator) -> tuple[float, float, float, float] | None:
    """Left, top, width and height, if it is there now: cards come and go while one looks."""
    found = await what.evaluate_all(
        "all => all.slice(0, 1).map((each) => each.getBoundingClientRect()).map((r) => [r.x, r.y, r.width, r.height])"
    )
    return tuple(found[0]) if found else None
