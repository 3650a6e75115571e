"""From one hand to the next."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from services.cli.local_platform import Platform
from tests.web.duel import duel
from tests.web.test_front import COUNT_TONES

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_next_hand_begins_once_both_are_ready_and_nothing_sounds_unasked(
    browser: Browser, platform: Platform
) -> None:
    async with duel(browser, platform.url) as two:
        ada, bob = two.racers
        for racer in two.racers:
            await racer.page.evaluate(f"({COUNT_TONES})()")
            await racer.page.keyboard.press("Space")
            await expect(racer.page.locator("[data-from=waste]")).to_have_count(1)
        await two.end()
        await ada.page.get_by_role("button", name="Next hand").click()
        await expect(ada.page.locator(".sheet")).to_contain_text("Waiting for Bob")
        assert ada.line.count("deal", hand=2) == 0
        await bob.page.get_by_role("button", name="Next hand").click()
        for racer in two.racers:
            await expect(racer.page.locator("main.table")).to_have_attribute("data-phase", "playing")
            await expect(racer.page.locator(".sheet")).to_have_count(0)
            assert racer.line.count("deal", hand=2) == 1
            assert await racer.page.evaluate("window.tones") == 0


async def test_a_counted_hand_is_asked_for_once_however_often_the_table_is_told_anew(
    browser: Browser, platform: Platform
) -> None:
    async with duel(browser, platform.url) as two:
        ada, bob = two.racers
        asked = list[str]()
        bob.page.on("request", lambda request: asked.append(request.url))
        await two.end()
        for _ in range(3):
            await ada.page.reload()
            await expect(ada.page.locator(".sheet .details a")).to_be_visible()
        await ada.page.get_by_role("button", name="Next hand").click()
        await bob.page.get_by_role("button", name="Next hand").click()
        await expect(bob.page.locator(".sheet")).to_have_count(0)
        assert len([url for url in asked if re.search(r"/matches/[^/]+$", url)]) == 1
        assert len([url for url in asked if url.endswith("/hands/1")]) == 1
