"""A player has everything about them deleted: a question that says what happens, and nothing is left of them after."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from services.cli.local_platform import Platform
from services.client import Client
from tests.web.access import violations
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

LANGUAGES = ("en", "es", "pt", "ru")
QUESTION = "Delete your data?"


@pytest_asyncio.fixture(loop_scope="session")
async def ada(browser: Browser, platform: Platform) -> AsyncIterator[Visitor]:
    async with visitor(browser, platform.url) as guest:
        yield guest


async def test_who_is_nobody_yet_is_offered_nothing(ada: Visitor) -> None:
    await ada.page.get_by_role("button", name="Settings").click()
    await expect(ada.page.get_by_role("dialog").get_by_text("Kept in this browser")).to_be_visible()
    await expect(ada.page.get_by_role("button", name="Delete my data")).to_have_count(0)


async def test_a_player_is_asked_first_and_by_keys_alone_is_gone_from_a_table_and_from_the_browser(
    ada: Visitor, platform: Platform
) -> None:
    page = ada.page
    await ada.take_seat(platform.url, seats=2)
    await page.get_by_role("button", name="A bot for seat B").wait_for()
    player = (await ada.call("GET", "/me"))["player"]
    table = page.url.split("/")[-1]
    await page.evaluate("localStorage.setItem('pandemonium.settings', JSON.stringify({ name: 'Ada', hand: 'left' }))")
    await page.goto(f"{platform.url}/history")

    opener = page.get_by_role("button", name="Delete my data")
    question = page.get_by_role("dialog", name=QUESTION)
    for answer in ("Escape", "Enter"):  # Enter: what keeps everything comes first
        await opener.focus()
        await page.keyboard.press("Enter")
        await expect(question).to_contain_text("It can't be undone.")
        await page.keyboard.press(answer)
        await expect(question).to_have_count(0)
        await expect(opener).to_be_focused()
    assert (await ada.call("GET", "/me"))["player"] == player

    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Delete for good")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog", name="Everything about you has been deleted.")).to_be_visible()
    assert await violations(page) == []
    assert ada.complaints == []
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"{platform.url}/")
    assert await page.evaluate("localStorage.getItem('pandemonium.player')") is None
    assert await page.evaluate("JSON.parse(localStorage.getItem('pandemonium.settings')).name") == ""
    assert await page.evaluate("JSON.parse(localStorage.getItem('pandemonium.settings')).hand") == "left"
    assert (await ada.call("GET", "/me"))["code"] == "not_signed_in"
    async with Client(platform.url) as other:
        assert player not in [seat.player for seat in (await other.get_table(table)).seats]


async def test_if_it_fails_the_player_is_told_and_may_ask_again(ada: Visitor, platform: Platform) -> None:
    page = ada.page
    await ada.call("POST", "/guests", {"name": "Ada"})
    await ada.remember()
    await page.reload()
    await page.route(
        "**/api/v1/me", lambda route: route.abort() if route.request.method == "DELETE" else route.continue_()
    )
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("button", name="Delete my data").click()
    question = page.get_by_role("dialog", name=QUESTION)
    await question.get_by_role("button", name="Delete for good").click()
    await expect(question.get_by_role("alert")).to_have_text("The server can't be reached.")
    await page.unroute("**/api/v1/me")
    await question.get_by_role("button", name="Delete for good").click()
    await page.get_by_role("button", name="To the start").click()
    assert (await ada.call("GET", "/me"))["code"] == "not_signed_in"


async def test_the_question_has_no_barriers_in_any_language(ada: Visitor, platform: Platform) -> None:
    page = ada.page
    await ada.call("POST", "/guests", {"name": "Ada"})
    await ada.remember()
    await page.goto(f"{platform.url}/history")
    texts = set()
    for language in LANGUAGES:
        await page.locator("header select").select_option(language)
        await page.locator("main [aria-haspopup=dialog]").click()
        assert await violations(page) == []
        texts.add(await page.get_by_role("dialog").inner_text())
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(texts) == len(LANGUAGES)
