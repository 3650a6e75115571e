"""Pictures of Aces Up: its page, and a game from the deal to the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from playwright.async_api import expect

from services.rules.aces_up.deal import deal
from services.rules.aces_up.options import AcesUpOptions
from tests.unit.scoring.games import WINS, straight
from tests.web.aces_player import AcesPlayer
from tests.web.visitor import Visitor

NUMBER: Final = WINS[0]
PLAYING: Final = "main.aces[data-phase=playing]"
ROWS: Final = 12

Take = Callable[[str], Awaitable[None]]


async def aces_up(guest: Visitor, url: str, take: Take, *, touch: bool) -> None:
    """A practice game with everything that is told about it, a won one, the highest piles, and the figures."""
    page = guest.page
    await page.goto(f"{url}/aces-up?deal={NUMBER}")
    await page.get_by_label("Practice").check()
    await take("aces-1-page")
    await page.locator("form button[type=submit]").click()
    await page.wait_for_selector(PLAYING)
    player = AcesPlayer(page, deal(NUMBER), AcesUpOptions(NUMBER, practice=True), touch=touch)
    await player.until_shown()
    await player.play(straight(NUMBER)[:30])
    await page.get_by_role("button", name="Outlook").click()
    await page.wait_for_selector(".outlook.yes")
    await page.get_by_role("button", name="Hint").click()
    await page.wait_for_selector(".hint")
    await page.wait_for_timeout(300)
    await take("aces-2-practice")
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_label("Practice").uncheck()
    await take("aces-3-menu")
    await page.get_by_role("button", name="Same deal again").click()
    player = AcesPlayer(page, deal(NUMBER), AcesUpOptions(NUMBER), touch=touch)
    await player.until_shown()
    await page.wait_for_selector(PLAYING)
    await player.play(straight(NUMBER))
    await page.wait_for_selector(".result dl")
    await page.wait_for_timeout(600)
    await take("aces-4-won")
    await page.get_by_role("button", name="New deal").click()
    await page.wait_for_selector(f"{PLAYING} .top")
    for row in range(1, ROWS + 1):
        await page.keyboard.press("Space")
        await expect(page.locator("[data-count=stock]")).to_have_text(str(4 * (ROWS - row)))
        await expect(page.locator(".piles [data-card]")).to_have_count(4)
    await page.locator("[data-from='0']").click()
    await page.wait_for_timeout(500)
    await take("aces-5-high")
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="Give up").click()
    await page.wait_for_selector(".result dl")
    await page.get_by_role("link", name="Statistics").click()
    await page.wait_for_selector("figure")
    await take("aces-6-figures")
