"""Everything can be reached by keys and is told to those who don't see it, in every language."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from services.cli.local_platform import Platform
from services.rules.hand import Phase
from services.rules.options import Options
from tests.web.access import violations
from tests.web.key_player import KeyPlayer
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

WIDTH = 360
PHONE = {"viewport": {"width": WIDTH, "height": 640}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LANGUAGES = ("en", "es", "pt", "ru")
VIEWS = ("/", "/new", "/aces-up", "/history", "/leaderboard", "/rules", "/nothing-here")


@pytest_asyncio.fixture(loop_scope="session")
async def ada(browser: Browser, platform: Platform) -> AsyncIterator[Visitor]:
    async with visitor(browser, platform.url) as guest:
        yield guest
        assert guest.complaints == []


@pytest.mark.parametrize("view", VIEWS)
async def test_a_view_has_no_barriers_and_speaks_every_language(ada: Visitor, platform: Platform, view: str) -> None:
    await ada.page.goto(platform.url + view)
    await ada.page.wait_for_selector("main h1")
    texts = set()
    for language in LANGUAGES:
        await _speak(ada, language)
        assert await violations(ada.page) == []
        assert await ada.page.title() != ""
        texts.add(await ada.page.locator("body").inner_text())
    assert len(texts) == len(LANGUAGES)


async def _speak(guest: Visitor, language: str) -> None:
    await guest.page.locator("header select").select_option(language)
    await expect(guest.page.locator("html")).to_have_attribute("lang", language)


@pytest.mark.parametrize("view", ["/", "/new", "/aces-up", "/rules"])
async def test_a_view_needs_no_scrolling_sideways_on_a_phone(browser: Browser, platform: Platform, view: str) -> None:
    async with visitor(browser, platform.url, **PHONE) as ada:
        await ada.page.goto(platform.url + view)
        await ada.page.wait_for_selector("main h1")
        for language in LANGUAGES:
            await _speak(ada, language)
            width = await ada.page.evaluate("document.scrollingElement.scrollWidth")
            assert width <= WIDTH, language
        assert await violations(ada.page) == []
        assert ada.complaints == []


async def test_dialogs_have_no_barriers_and_give_the_focus_back(ada: Visitor) -> None:
    opener = ada.page.get_by_role("button", name="Settings")
    await opener.focus()
    await ada.page.keyboard.press("Enter")
    await expect(ada.page.get_by_role("dialog", name="Settings")).to_be_visible()
    assert await violations(ada.page) == []
    await ada.page.keyboard.press("Escape")
    await expect(ada.page.get_by_role("dialog")).to_have_count(0)
    await expect(opener).to_be_focused()


async def test_a_hand_is_played_by_keys_alone_without_barriers(browser: Browser, platform: Platform) -> None:
    rules = {"demon_size": 5, "target": 10}
    # What glides lies over its neighbours for a moment, and a film that runs has something gliding all the time.
    async with visitor(browser, platform.url, reduced_motion="reduce") as ada:
        await ada.call("POST", "/guests", {"name": "Ada"})
        wish = {"seats": 2, "options": rules, "public": False}
        table = await ada.call("POST", "/tables", wish)
        await ada.remember()
        await ada.page.goto(f"{platform.url}/table/{table['id']}")
        await ada.page.get_by_role("button", name="A bot for seat B").wait_for()
        assert await violations(ada.page) == []  # waiting
        await ada.page.get_by_role("button", name="A bot for seat B").focus()
        await ada.page.keyboard.press("Enter")
        await ada.page.wait_for_selector("main.table[data-phase=playing]")
        assert await violations(ada.page) == []  # playing
        told = ada.page.locator("[aria-live=polite]")
        player = KeyPlayer(ada.page, options=Options.from_mapping(rules))
        heard = set()
        async with asyncio.timeout(200):
            while await player.step() != Phase.OVER:
                await ada.page.wait_for_timeout(60)
                heard.update(await told.all_inner_texts())
        assert len(heard) > 5
        assert player.did["turn"] + player.did["foundation"] + player.did["column"] > 5
        await ada.page.wait_for_selector(".sheet")
        assert await violations(ada.page) == []  # the sheet
        ended = await ada.call("GET", f"/tables/{table['id']}")
        await ada.page.goto(f"{platform.url}/replay/{ended['match']}/1")
        await _tables_own_line(ada)
        assert ada.complaints == []


async def test_a_game_for_one_has_no_barriers(browser: Browser, platform: Platform) -> None:
    async with visitor(browser, platform.url, **PHONE) as ada:
        await ada.call("POST", "/guests", {"name": "Ada"})
        table = await ada.call("POST", "/aces-up", {"number": 2**31, "practice": True})
        await ada.remember()
        await ada.page.goto(f"{platform.url}/table/{table['id']}")
        await _tables_own_line(ada)
        for button in await ada.page.locator("header button, header a, footer button").all():
            box = await button.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= WIDTH
        assert ada.complaints == []


async def _tables_own_line(guest: Visitor) -> None:
    """A view that fills the window has no barriers, and the settings, with the language, are on its own line."""
    await guest.page.locator("[data-card], .card").first.wait_for()
    assert await violations(guest.page) == []
    await guest.page.get_by_role("button", name="Settings").click()
    await guest.page.get_by_role("dialog").locator("select").select_option("ru")
    await expect(guest.page.locator("html")).to_have_attribute("lang", "ru")
    await guest.page.keyboard.press("Escape")
    assert await violations(guest.page) == []
