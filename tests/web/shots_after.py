"""Pictures of what comes after a hand, and of what is read beside the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.web.shots import Camera


async def after_a_hand(camera: Camera, url: str, table: str) -> None:
    """The sheet with its contests, the match, the replay and its proof, one's own matches. A hand was just counted."""
    page = camera.guest.page
    await page.wait_for_selector(".sheet .details a")
    await page.wait_for_timeout(300)
    await camera.take("5-sheet")
    match = (await camera.guest.call("GET", f"/tables/{table}"))["match"]
    await page.goto(f"{url}/match/{match}#hand-1")
    await page.wait_for_selector(".details a")
    await page.wait_for_timeout(300)
    await camera.take("6-match")
    await page.goto(f"{url}/replay/{match}/1#150")
    await page.wait_for_selector(".badge.yes")
    await page.keyboard.press("Home")
    await page.keyboard.press("Shift+ArrowRight")
    await page.wait_for_timeout(500)
    await camera.take("7-replay")
    await page.get_by_role("button", name="Verified").click()
    await page.wait_for_timeout(300)
    await camera.take("8-proof")
    await page.get_by_text("The proven deck of").last.click()
    await page.locator("dialog").evaluate("dialog => dialog.scrollTo(0, dialog.scrollHeight)")
    await page.wait_for_timeout(200)
    await camera.take("9-deck")
    await page.goto(f"{url}/history")
    await page.wait_for_selector("li a")
    await page.wait_for_timeout(300)
    await camera.take("10-history")


async def beside_the_game(camera: Camera, url: str) -> None:
    """The leaderboard and the rule book."""
    page = camera.guest.page
    await page.goto(f"{url}/leaderboard")
    await page.wait_for_selector(".paper")
    await page.wait_for_timeout(300)
    await camera.take("leaderboard")
    await page.goto(f"{url}/rules")
    await page.wait_for_selector("article h2")
    await page.wait_for_timeout(300)
    await camera.take("rules")
    await page.goto(f"{url}/rules#RD-8")
    await page.reload()
    await page.wait_for_selector("article h2")
    await page.wait_for_timeout(300)
    await camera.take("rules-RD-8")
    await page.locator("article table").first.scroll_into_view_if_needed()
    await page.wait_for_timeout(300)
    await camera.take("rules-table")
