"""Names: those that nobody could read are refused in words, all others are shown as what they are, text."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from services.cli.local_platform import Platform
from tests.web.test_front import REFUSED
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

UNREADABLE = {
    "blanks": "   ",
    "blanks of other scripts": "\u3000\u2003",
    "letters that cannot be seen": "\u3164\u2800",
    "text turned around": "Ada\u202edA",
    "a heap of marks": "Ada" + 5 * "\u0301",
    "a word of the house in look-alikes": "\u0430dmin",
}
MARKUP = "<b onclick=x>Ada</b>"
RIGHT_TO_LEFT = "\u05d0\u05d3\u05d4 \u05d0"


@pytest_asyncio.fixture(loop_scope="session")
async def ada(browser: Browser, platform: Platform) -> AsyncIterator[Visitor]:
    async with visitor(browser, platform.url) as guest:
        yield guest
        assert [each for each in guest.complaints if REFUSED not in each] == []


async def test_nobody_takes_a_seat_by_a_name_that_cannot_be_read(ada: Visitor) -> None:
    play = ada.page.get_by_role("button", name="Play now")
    said = ada.page.get_by_role("alert").filter(has_text="That name can't be")
    await ada.sign_in_as("")
    await play.click()
    assert await ada.page.get_by_label("Your name").evaluate("each => each.validity.valueMissing")
    for kind, name in UNREADABLE.items():
        await ada.sign_in_as(name)
        async with ada.page.expect_response("**/guests") as answered:
            await play.click()
        assert (await answered.value).status == 422, kind
        await expect(said).to_be_visible()
        await expect(play).to_be_enabled()
    assert await ada.page.evaluate("localStorage.getItem('pandemonium.player')") is None
    await ada.sign_in_as("")
    await ada.page.get_by_label("Your name").press_sequentially("A" * 30)
    await expect(ada.page.get_by_label("Your name")).to_have_value("A" * 20)


@pytest.mark.parametrize("name", [MARKUP, RIGHT_TO_LEFT])
async def test_a_name_is_shown_as_text_whatever_it_holds(
    browser: Browser, platform: Platform, ada: Visitor, name: str
) -> None:
    await ada.sign_in_as(name)
    await ada.page.get_by_role("button", name="Open a table").click()
    await ada.page.wait_for_selector("main.table")
    async with visitor(browser, platform.url) as watcher:
        await watcher.page.goto(ada.page.url)
        shown = watcher.page.locator("article .name", has_text=name)
        await expect(shown).to_have_text(name)
        assert await shown.locator("*").count() == 0
        assert watcher.complaints == []
