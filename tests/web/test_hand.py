"""Whole hands, played in browsers by clicks, drags, taps and keys."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from services.cli.local_platform import Platform
from services.rules.hand import Phase
from services.rules.options import Options
from tests.web.page_player import PagePlayer
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHORT = Options(demon_size=5, target=10)
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


async def play(player: PagePlayer, within_s: float = 200) -> None:
    """Plays until the hand is over."""
    async with asyncio.timeout(within_s):
        while await player.step() != Phase.OVER:
            await player.page.wait_for_timeout(60)


async def test_two_people_and_two_bots_play_a_whole_hand(browser: Browser, platform: Platform) -> None:
    async with visitor(browser, platform.url) as ada, visitor(browser, platform.url) as bob:
        for each, name in ((ada, "Ada"), (bob, "Bob")):
            await each.call("POST", "/guests", {"name": name})
        wish = {"seats": 4, "bots": 2, "options": {"demon_size": 5, "target": 10}, "strength": "easy", "pace": "human"}
        table = await ada.call("POST", "/tables", wish)
        await bob.call("POST", f"/tables/{table['id']}/join", {})
        players = [PagePlayer(each.page, seed, options=SHORT) for seed, each in enumerate((ada, bob))]
        await asyncio.gather(*(_sit_down(each, table["id"]) for each in (ada, bob)))
        await asyncio.gather(*map(play, players))

        for each in (ada, bob):
            await expect(each.page.locator(".sheet [data-points]")).to_have_count(4)
            await expect(each.page.locator(".sheet thead").first).to_contain_text("Ada" if each is bob else "Bob")
            assert each.complaints == []
        # How much is played is up to the bots, who may be done early; both have to have played, and by dragging.
        for player in players:
            assert sum(count for way, count in player.did.items() if "by drag" in way) > 0
            assert sum(player.did.values()) > 3
        await _agrees_with_the_log(ada, table["id"])


async def _sit_down(guest: Visitor, table: str) -> None:
    # The page remembers its player where its own sign-in does; the session itself is a cookie.
    await guest.page.evaluate("localStorage.setItem('pandemonium.player', 'here')")
    await guest.page.goto(guest.page.url.rstrip("/") + f"/table/{table}")
    await guest.page.wait_for_selector(".mine")


async def _agrees_with_the_log(guest: Visitor, table: str) -> None:
    """The sheet shows the points that the platform has counted."""
    shown = await guest.page.locator(".sheet [data-points]").evaluate_all(
        "points => points.map((each) => Number(each.textContent.replace('\\u2212', '-')))"
    )
    state: dict[str, Any] = await guest.call("GET", f"/tables/{table}")
    async with asyncio.timeout(60):
        while not (match := await guest.call("GET", f"/matches/{state['match']}")).get("hands"):
            await asyncio.sleep(0.1)
    assert sorted(shown) == sorted(seat["points"] for seat in match["hands"][0]["seats"])


async def test_on_a_phone_a_table_of_eight_fits_and_is_played_by_touch(browser: Browser, platform: Platform) -> None:
    async with visitor(browser, platform.url, **PHONE) as ada:
        await ada.sign_in_as("Ada")
        await ada.page.locator(".counts label", has_text="8").tap()
        await ada.page.get_by_role("button", name="Play against bots").tap()
        await ada.page.wait_for_selector(".mine [data-card]")
        player = PagePlayer(ada.page, 3, touch=True)
        async with asyncio.timeout(120):
            while not (player.did["turn"] and player.did["column by drag"] + player.did["foundation by drag"]):
                assert await player.step() != Phase.OVER
                await ada.page.wait_for_timeout(50)
        assert await _out_of_sight(ada) == []
        assert ada.complaints == []


async def _out_of_sight(guest: Visitor) -> list[str]:
    """What of the table does not lie within the window, or makes it scroll."""
    found: list[str] = await guest.page.evaluate(
        """() => {
          const out = [];
          const root = document.scrollingElement;
          if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) out.push("the page scrolls");
          for (const each of document.querySelectorAll(".mine .card, .mine p, .place, article, header button")) {
            const { left, top, right, bottom } = each.getBoundingClientRect();
            if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
              out.push(each.className + " " + (each.ariaLabel ?? each.textContent));
          }
          return out;
        }"""
    )
    return found
