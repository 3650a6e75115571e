"""One page watched for a while: the frames that it drew, and what processors were busy with meanwhile."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, BrowserContext, CDPSession, Page

LONG_TASK_MS: Final = 50.0
_PROBE: Final = Path(__file__).parent / "page_probe.js"
_MAIN_THREAD: Final = {"script": "ScriptDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration"}


async def install(context: BrowserContext) -> None:
    """Has all pages of the context note what is read here, from their next document on."""
    await context.add_init_script(path=_PROBE)


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen of a page in ``seconds``. Gaps between frames and long tasks are ms, processor times seconds."""

    seconds: float
    gaps: tuple[float, ...]
    long_tasks: tuple[float, ...]
    inputs: tuple[float, ...]
    events: int
    hands: int
    main_thread: Mapping[str, float]
    processes: Mapping[str, float]

    @property
    def frames_per_second(self) -> float:
        """Over the whole time."""
        return 1000 * len(self.gaps) / sum(self.gaps)

    @property
    def worst_second(self) -> int:
        """The fewest frames that came in any whole second, counted from the first frame."""
        counts: Counter[int] = Counter()
        at = 0.0
        for gap in self.gaps:
            at += gap
            counts[int(at // 1000)] += 1
        return min(counts[second] for second in range(int(at // 1000)))

    def gap(self, share: float) -> float:
        """So many of the gaps between frames were no longer, ms."""
        return sorted(self.gaps)[min(int(share * len(self.gaps)), len(self.gaps) - 1)]

    def busy(self, what: str) -> float:
        """How much the main thread computed for each second, ms: ``all``, ``script``, ``style`` or ``layout``."""
        return 1000 * self.main_thread[what] / self.seconds

    @property
    def per_event(self) -> float:
        """How much the main thread computed for each event of the table, ms."""
        return 1000 * self.main_thread["all"] / max(1, self.events)


class Watch:
    """Begins now; :meth:`end` tells what was seen since."""

    def __init__(self, page: Page, wire: CDPSession, system: CDPSession) -> None:
        self._page = page
        self._wire = wire
        self._system = system
        self._since = 0.0
        self._main: dict[str, float] = {}
        self._processes: dict[str, float] = {}

    @classmethod
    async def begin(cls, browser: Browser, page: Page) -> Watch:
        """Watches the page, and all processes of the browser, which should have no other."""
        wire = await page.context.new_cdp_session(page)
        # The thread's own time: what another program took of the processor does not count.
        await wire.send("Performance.enable", {"timeDomain": "threadTicks"})
        watch = cls(page, wire, await browser.new_browser_cdp_session())
        watch._main, watch._processes = await watch._busy()
        watch._since = time.monotonic()
        await page.evaluate("probe.begin()")
        return watch

    async def end(self) -> Watched:
        """What was seen."""
        kept: dict[str, Any] = await self._page.evaluate("probe.read()")
        seconds = time.monotonic() - self._since
        main, processes = await self._busy()
        await self._wire.detach()
        await self._system.detach()
        return Watched(
            seconds=seconds,
            gaps=tuple(after - before for before, after in pairwise(kept["frames"])),
            long_tasks=tuple(duration for _, duration in kept["longTasks"]),
            inputs=tuple(duration for _, duration in kept["inputs"]),
            events=kept["events"],
            hands=kept["hands"],
            main_thread={what: main[what] - self._main[what] for what in main},
            processes={what: busy - self._processes.get(what, 0.0) for what, busy in processes.items()},
        )

    async def _busy(self) -> tuple[dict[str, float], dict[str, float]]:
        """Processor time since their start, s: of the page's main thread by what, of the browser by kind of process."""
        told = await self._wire.send("Performance.getMetrics")
        metrics = {each["name"]: each["value"] for each in told["metrics"]}
        main = {what: metrics[name] for what, name in {"all": "TaskDuration", **_MAIN_THREAD}.items()}
        processes: dict[str, float] = {}
        for process in (await self._system.send("SystemInfo.getProcessInfo"))["processInfo"]:
            kind = process["type"].lower()
            processes[kind] = processes.get(kind, 0.0) + process["cpuTime"]
        return main, processes
