"""Pictures of every view of the page at several sizes: ``make shots`` puts them into ``results/shots``.

They are for looking at: what is cut, what overlaps, what can't be read.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, async_playwright

from services.cli.local_platform import Platform
from services.cli.ports import Ports
from services.rules.hand import Phase
from services.rules.options import Options
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import UNLIMITED
from tests.web.browser import FLAGS, found
from tests.web.page_player import PagePlayer
from tests.web.shots_aces_up import aces_up
from tests.web.shots_after import after_a_hand, beside_the_game
from tests.web.visitor import Visitor, visitor

FOLDER: Final = Path(__file__).parents[2] / "results" / "shots"
SIZES: Final[dict[str, dict[str, Any]]] = {
    "phone": {
        "viewport": {"width": 360, "height": 640},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
    "lying": {
        "viewport": {"width": 640, "height": 360},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
    "tablet": {"viewport": {"width": 768, "height": 1024}},
    "desk": {"viewport": {"width": 1440, "height": 900}},
}
SEATS: Final = (2, 4, 8)
PLAYED_S: Final = 12.0


class Camera:
    """Takes the pictures of one visitor."""

    def __init__(self, guest: Visitor, prefix: str) -> None:
        self.guest = guest
        self._prefix = prefix

    async def take(self, name: str) -> None:
        """One picture."""
        await self.guest.page.screenshot(path=FOLDER / f"{self._prefix}-{name}.png")


async def table(browser: Browser, url: str, size: str, seats: int) -> None:
    """A table from the deal to the sheet."""
    async with visitor(browser, url, **SIZES[size]) as guest:
        camera = Camera(guest, f"{size}-{seats}")
        await guest.call("POST", "/guests", {"name": "Ada Lovelace"})
        options = {"target": 10, "demon_size": 9}
        wish = {"seats": seats, "bots": seats - 1, "options": options, "public": False, "pace": "human"}
        made = await guest.call("POST", "/tables", wish)
        await guest.page.evaluate("localStorage.setItem('pandemonium.player', 'here')")
        await guest.page.goto(f"{url}/table/{made['id']}")
        await guest.page.wait_for_selector(".mine [data-card]")
        await camera.take("1-deal")
        player = PagePlayer(guest.page, seats, options=Options(target=10, demon_size=9))
        loop = asyncio.get_running_loop()
        until = loop.time() + PLAYED_S
        while loop.time() < until and await player.step() != Phase.OVER:
            await guest.page.wait_for_timeout(250)
        await camera.take("2-play")
        if await player.step() == Phase.PLAYING:
            await _asked(guest, camera)
        while await player.step() != Phase.OVER:
            await guest.page.wait_for_timeout(100)
        await after_a_hand(camera, url, made["id"])
        print(size, seats, dict(player.did), guest.complaints)


async def _asked(guest: Visitor, camera: Camera) -> None:
    """What is asked during a hand."""
    await guest.page.locator(".column [data-from]:last-child").first.click(force=True)
    await guest.page.get_by_role("button", name="Stuck?").click()
    await guest.page.wait_for_timeout(150)
    await camera.take("3-stuck")
    await guest.page.get_by_role("button", name="Play on").click()
    await guest.page.get_by_role("button", name="Leave").click()
    await camera.take("4-leave")
    await guest.page.get_by_role("button", name="Stay").click()


async def front(browser: Browser, url: str, size: str) -> None:
    """The front door, and a table that waits for players."""
    async with visitor(browser, url, **SIZES[size]) as guest:
        camera = Camera(guest, size)
        await guest.page.wait_for_timeout(400)
        await camera.take("front")
        await guest.page.get_by_role("button", name="Open a table").click()
        await guest.page.wait_for_selector("main.table")
        await guest.page.wait_for_timeout(400)
        await camera.take("waiting")
        for button, name in (("Invite", "invite"), ("Rules of this table", "table-rules"), ("Settings", "settings")):
            await guest.page.get_by_role("button", name=button).click()
            await guest.page.wait_for_selector("dialog")
            await guest.page.wait_for_timeout(200)
            await camera.take(name)
            await guest.page.keyboard.press("Escape")
        await guest.page.goto(f"{url}/new")
        await guest.page.locator("summary").first.click()
        await guest.page.wait_for_timeout(200)
        await guest.page.screenshot(path=FOLDER / f"{size}-new.png", full_page=True)
        await beside_the_game(camera, url)
        print(size, "front", guest.complaints)


async def for_one(browser: Browser, url: str, size: str) -> None:
    """Games of Aces Up."""
    async with visitor(browser, url, **SIZES[size]) as guest:
        await aces_up(guest, url, Camera(guest, size).take, touch="has_touch" in SIZES[size])
        print(size, "aces up", guest.complaints)


async def main(sizes: list[str]) -> None:
    """All views at the sizes."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    log = LogBook()
    with tempfile.TemporaryDirectory() as folder:
        async with (
            Platform(Path(folder), Ports.free(), say=log, env=UNLIMITED | {"LOBBY_COUNTDOWN_MS": "1500"}) as platform,
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.launch(executable_path=await asyncio.to_thread(found), args=FLAGS)
            for size in sizes:
                await front(browser, platform.url, size)
                await for_one(browser, platform.url, size)
                await asyncio.gather(*(table(browser, platform.url, size, seats) for seats in SEATS))
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or list(SIZES)))
