"""After the hand: the sheet, a dispute, the match, the replay and its proof; and the rule book."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect

from services.cli.local_platform import Platform
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

RULES = {"demon_size": 5, "target": 10, "dispute": "replay_hand"}


@pytest_asyncio.fixture(loop_scope="session")
async def ada(browser: Browser, platform: Platform) -> AsyncIterator[Visitor]:
    """Somebody new."""
    async with visitor(browser, platform.url) as guest:
        yield guest
        assert guest.complaints == []


async def _watched_hand(guest: Visitor) -> str:
    """Sits down with fast bots, who play the hand to its end; the match's id."""
    await guest.call("POST", "/guests", {"name": "Ada"})
    wish = {"seats": 3, "bots": 2, "options": RULES, "strength": "hard", "pace": "fast", "public": False}
    table = await guest.call("POST", "/tables", wish)
    await guest.page.evaluate("localStorage.setItem('pandemonium.player', 'here')")
    await guest.page.goto(guest.page.url.rstrip("/") + f"/table/{table['id']}")
    await guest.page.wait_for_selector(".sheet .details a", timeout=60_000)
    match: str = (await guest.call("GET", f"/tables/{table['id']}"))["match"]
    return match


async def test_a_disputed_hand_stays_on_the_sheet_and_in_no_total(ada: Visitor) -> None:
    match = await _watched_hand(ada)
    sheet = ada.page.locator(".sheet")
    counted = (await ada.call("GET", f"/matches/{match}"))["hands"][0]
    shown = await sheet.locator("[data-points]").all_inner_texts()
    assert [int(text.replace("−", "-")) for text in shown] == [seat["points"] for seat in counted["seats"]]  # noqa: RUF001
    await sheet.get_by_role("button", name="Dispute this hand").click()
    await expect(sheet.get_by_text("All agreed to deal again")).to_be_visible()
    await expect(sheet.locator("[data-points]")).to_have_count(0)
    assert set(await sheet.locator("tr.hand b").all_inner_texts()) == {"Total\n0"}
    await ada.page.get_by_role("button", name="Leave").last.click()
    await ada.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    await ada.page.wait_for_selector("nav")


async def test_a_hand_is_found_again_played_back_and_proven(ada: Visitor, platform: Platform) -> None:
    match = await _watched_hand(ada)
    await ada.page.goto(f"{platform.url}/history")
    await ada.page.locator(f'a[href="/match/{match}"]').click()
    await ada.page.get_by_role("button", name="Hand 1").click()
    await ada.page.get_by_role("link", name="Replay").click()
    await expect(ada.page.locator("main.table")).to_have_attribute("data-phase", re.compile("dealt|playing"))
    await ada.page.get_by_role("button", name="Verified").click()
    await expect(ada.page.get_by_role("dialog").locator("li.yes")).to_have_count(6)
    await ada.page.get_by_role("button", name="Close").click()

    await ada.page.keyboard.press("End")
    await expect(ada.page.locator("main.table")).to_have_attribute("data-phase", "over")
    log = (await ada.call("GET", f"/matches/{match}/hands/1"))["events"]
    landed = max(event["f"] for event in log if event["e"] == "play") + 1
    await expect(ada.page.locator("[data-f]")).to_have_count(landed)
    await ada.page.keyboard.press("Home")
    await expect(ada.page.locator("[data-f]")).to_have_count(0)
    await ada.page.locator("select").first.select_option("1")
    await expect(ada.page.locator(".demon [data-card]")).to_have_attribute("data-card", log[1]["layouts"][1]["top"])
    await ada.page.locator(".stock").click()
    await expect(ada.page.locator("[data-from=waste]")).to_have_count(0)


async def test_a_log_that_somebody_has_changed_is_not_verified(ada: Visitor, platform: Platform) -> None:
    match = await _watched_hand(ada)

    async def tamper(route: Route) -> None:
        text = await (await route.fetch()).text()
        await route.fulfill(body=re.sub(r'"secret":"..', '"secret":"00', text), content_type="application/json")

    await ada.page.route("**/hands/*", tamper)
    await ada.page.goto(f"{platform.url}/replay/{match}/1")
    await ada.page.get_by_role("button", name="Not right").click()
    wrong = ada.page.get_by_role("dialog").locator("li.no strong")
    assert await wrong.all_inner_texts() == [
        "The log is whole",
        "The secret is the one that was promised",
        "Each deal comes from the shuffle",
        "Each card lay where it was taken from",
    ]


async def test_the_rule_book_opens_at_a_rule_in_every_language(ada: Visitor, platform: Platform) -> None:
    await ada.page.goto(f"{platform.url}/rules#RD-13")
    heading = ada.page.locator("#RD-13")
    for language, text in {"es": "La partida", "pt": "A partida", "ru": "Матч", "en": "The match"}.items():
        await ada.page.locator("select").first.select_option(language)
        await expect(heading).to_have_text(f"RD-13 {text}")
        await expect(heading).to_be_in_viewport()
    assert await ada.page.locator("article h3").count() > 20
    sideways: Any = await ada.page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    assert sideways <= 0
    async with asyncio.timeout(30):
        await ada.page.locator("article a", has_text="RD-8").first.click()
        await expect(ada.page.locator("#RD-8")).to_be_in_viewport()
