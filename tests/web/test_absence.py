"""Whoever made the table goes away, comes back, leaves for good: the others see it and play on."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from services.cli.local_platform import Platform
from tests.web.duel import duel

pytestmark = pytest.mark.asyncio(loop_scope="session")

BACK_MS = 15_000
"""The page tries again at least every 5 s."""


async def test_the_table_lives_on_without_its_creator_whose_cards_stay_where_they_are(
    browser: Browser, platform: Platform
) -> None:
    async with duel(browser, platform.url) as two:
        ada, bob = two.racers
        await ada.learn()
        ace = next(card for card in sorted(ada.reach) if card.startswith("A"))
        await two.build(ada, ace)
        area = bob.page.locator("article.away")

        await ada.line.cut()
        await expect(area.get_by_text("away", exact=True)).to_be_visible()
        before = await bob.layout()
        await bob.page.keyboard.press("Space")
        await expect(bob.page.locator("[data-count=stock]")).to_have_text(str(before["stock"] - 1))
        await expect(bob.landed(ace, ada.seat)).to_be_visible()
        ada.line.mend()
        await expect(area).to_have_count(0, timeout=BACK_MS)

        await ada.guest.call("POST", f"/tables/{two.table}/leave")
        await expect(bob.page.get_by_role("article", name="Bot")).to_be_visible()
        await expect(bob.landed(ace, ada.seat)).to_be_visible()
        table = await bob.guest.call("GET", f"/tables/{two.table}")
        assert (table["state"], table["seats"][ada.seat]["bot"]) == ("playing", True)
        assert table["host"] == table["seats"][bob.seat]["player"]
