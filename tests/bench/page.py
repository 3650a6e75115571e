"""The page: how smoothly it shows eight seats that play as fast as they can, and how soon one can play.

Eight bots are watched, then a visitor plays against seven. The yardstick is an empty page in the same browser while
eight bots play and nobody looks: what the machine leaves to any page. The platform's own processes give way to the
browser (``giving_way``), since a player's machine runs none of them. Processor times are the main thread's own, so they
tell more than frames do where the machine is busy.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, Page, async_playwright

from services.cli.local_platform import Platform
from services.cli.ports import Ports
from services.cli.process import Say
from services.rules.hand import Phase
from services.rules.options import Options
from tests.bench.giving_way import give_way
from tests.bench.results import Figure, Samples
from tests.bench.watched_page import LONG_TASK_MS, Watch, Watched, install
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import UNLIMITED
from tests.web.browser import FLAGS, found
from tests.web.page_player import PagePlayer
from tests.web.visitor import Visitor, visitor

SECONDS: Final = 60.0
YARDSTICK_S: Final = 15.0
LOADS: Final = 5
SEATS: Final = 8
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1440, "height": 900}}
_LOOKS_MS: Final = 100
_OPTIONS: Final = Options(target=1000)


async def measure(say: Say) -> list[Figure]:
    """The figures; about three minutes."""
    log = LogBook()
    with tempfile.TemporaryDirectory() as folder:
        async with (
            Platform(Path(folder), Ports.free(engines=2), say=log, env=UNLIMITED) as platform,
            async_playwright() as playwright,
        ):
            for process in platform.processes:
                if process.pid:
                    await give_way(process.pid)
            browser = await playwright.chromium.launch(executable_path=await asyncio.to_thread(found), args=FLAGS)
            empty = await _nothing_watched(browser, platform.url)
            watched = await _bots_watched(browser, platform.url)
            _say(say, "watching", watched)
            seated = await _played(browser, platform.url)
            _say(say, "playing", seated)
            first, again = await _loads(browser, platform.url)
            await browser.close()
    return [
        *_figures("8 bots watched", watched, empty),
        *_figures("one plays against 7 bots", seated, empty),
        Figure("page", "seated, first visit: until an own card can be clicked", "ms", first, bar="<= 1500"),
        Figure("page", "the same, loaded again", "ms", again, bar="<= 1500"),
    ]


async def _nothing_watched(browser: Browser, url: str) -> Watched:
    """An empty page, while eight bots play."""
    async with _visit(browser, url) as guest:
        table = await _open(guest, bots=SEATS)
        await guest.page.goto("about:blank")
        watch = await Watch.begin(browser, guest.page)
        await asyncio.sleep(YARDSTICK_S)
        watched = await watch.end()
        await _close(guest, url, table)
    return watched


async def _bots_watched(browser: Browser, url: str) -> Watched:
    """Eight bots, looked at."""
    async with _visit(browser, url) as guest:
        table = await _open(guest, bots=SEATS)
        await guest.page.goto(f"{url}/table/{table}")
        await guest.page.wait_for_selector("main.table[data-phase=playing]")
        watch = await Watch.begin(browser, guest.page)
        await asyncio.sleep(SECONDS)
        watched = await watch.end()
        await _close(guest, url, table)
    return watched


async def _played(browser: Browser, url: str) -> Watched:
    """A visitor who plays by clicks, drags and keys, from one hand to the next."""
    async with _visit(browser, url) as guest:
        table = await _open(guest, bots=SEATS - 1)
        await _sit_down(guest.page, url, table)
        player = PagePlayer(guest.page, 1, options=_OPTIONS)
        on = guest.page.locator(".ways .primary:enabled")
        watch = await Watch.begin(browser, guest.page)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            # A hand may be over before it was seen to begin.
            if await player.step() == Phase.OVER and await on.count():
                await on.click()
            await guest.page.wait_for_timeout(_LOOKS_MS)
        watched = await watch.end()
        await _close(guest, url, table)
    return watched


async def _loads(browser: Browser, url: str) -> tuple[Samples, Samples]:
    """From the start of navigation until an own card can be clicked, ms: with nothing kept, and with all files kept."""
    first, again = [], []
    async with _visit(browser, url) as guest:
        table = await _open(guest, bots=SEATS - 1, pace="human")
        await _sit_down(guest.page, url, table)
        signed_in = await guest.page.context.storage_state()
        for _ in range(LOADS):
            context = await browser.new_context(**DESK, storage_state=signed_in)
            await install(context)
            page = await context.new_page()
            await page.goto(f"{url}/table/{table}")
            first.append(await _interactive(page))
            await page.reload()
            again.append(await _interactive(page))
            await context.close()
    return Samples(tuple(first)), Samples(tuple(again))


async def _interactive(page: Page) -> float:
    handle = await page.wait_for_function("() => probe.interactiveAt")
    return float(await handle.json_value())


@asynccontextmanager
async def _visit(browser: Browser, url: str) -> AsyncIterator[Visitor]:
    async with visitor(browser, url, **DESK) as guest:
        await install(guest.page.context)
        await guest.call("POST", "/guests", {"name": "Ada"})
        await guest.remember()
        yield guest


async def _open(guest: Visitor, *, bots: int, pace: str = "fast") -> str:
    """A table of eight with so many bots; the guest sits there if a seat is left."""
    wish = {"seats": SEATS, "bots": bots, "host_plays": bots < SEATS, "pace": pace, "public": False}
    table: str = (await guest.call("POST", "/tables", wish | {"options": {"target": _OPTIONS.target}}))["id"]
    return table


async def _close(guest: Visitor, url: str, table: str) -> None:
    """Nobody plays there any more."""
    await guest.page.context.request.delete(f"{url}/api/v1/tables/{table}", fail_on_status_code=True)


async def _sit_down(page: Page, url: str, table: str) -> None:
    await page.goto(f"{url}/table/{table}")
    await page.wait_for_selector(".mine [data-card]")


def _figures(scene: str, watched: Watched, empty: Watched) -> list[Figure]:
    longest = max(watched.long_tasks, default=0.0)
    return [
        Figure(
            "page",
            f"{scene}: frames drawn",
            "1/s",
            _one(watched.frames_per_second),
            _one(empty.frames_per_second),
            _one(watched.frames_per_second / empty.frames_per_second),
            ">= 55",
        ),
        Figure("page", f"{scene}: fewest in a second", "", _one(watched.worst_second), _one(empty.worst_second)),
        Figure("page", f"{scene}: 99 of 100 gaps", "ms", _one(watched.gap(0.99)), _one(empty.gap(0.99))),
        Figure("page", f"{scene}: tasks over 50 ms", "", _one(len(watched.long_tasks)), bar="0"),
        Figure("page", f"{scene}: longest of these", "ms", _one(longest), bar=f"< {LONG_TASK_MS:.0f}"),
        *(
            [Figure("page", f"{scene}: slowest input until drawn", "ms", _one(max(watched.inputs)))]
            if watched.inputs
            else ()
        ),
        Figure("page", f"{scene}: main thread busy", "ms/s", _one(watched.busy("all"))),
        *(Figure("page", f"{scene}: of it {what}", "ms/s", _one(watched.busy(what))) for what in _PARTS),
        Figure("page", f"{scene}: main thread, of an event", "ms", _one(watched.per_event)),
        *(
            Figure("page", f"{scene}: process {kind}", "ms/s", _one(1000 * seconds / watched.seconds))
            for kind, seconds in sorted(watched.processes.items())
        ),
        Figure("page", f"{scene}: events", "1/s", _one(watched.events / watched.seconds)),
        Figure("page", f"{scene}: hands ended", "", _one(watched.hands), bar="> 1"),
    ]


_PARTS: Final = ("script", "style", "layout")


def _one(value: float) -> Samples:
    return Samples((value,))


def _say(say: Say, scene: str, watched: Watched) -> None:
    say("page", f"{scene}: {len(watched.gaps)} frames, long tasks {watched.long_tasks} ms")
