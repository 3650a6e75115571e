"""What pointers do at the table, and what they don't."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from services.cli.local_platform import Platform
from tests.web.pointer import Pointer
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def ada(browser: Browser, platform: Platform) -> AsyncIterator[Visitor]:
    """At a table with one slow bot, in a hand that has begun."""
    async with visitor(browser, platform.url) as guest:
        await guest.sign_in_as("Ada")
        await guest.page.locator(".counts label", has_text="2").click()
        await guest.page.get_by_role("button", name="Play against bots").click()
        await guest.page.wait_for_selector("main.table[data-phase=playing]")
        yield guest
        assert guest.complaints == []


def _has(name: str) -> re.Pattern[str]:
    """A list of classes with this one in it."""
    return re.compile(rf"\b{name}\b")


async def number(what: Locator) -> int:
    return int(await what.inner_text())


async def middle(what: Locator) -> tuple[float, float]:
    box = await what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def test_a_double_click_on_the_stock_turns_once(ada: Visitor) -> None:
    stock = ada.page.locator("[data-count=stock]")
    before = await number(stock)
    await Pointer(ada.page).double(ada.page.locator(".stock"))
    await expect(stock).to_have_text(str(before - 3))
    await expect(ada.page.locator("[data-from=waste]")).to_have_count(1)
    assert await number(stock) == before - 3
    await ada.page.keyboard.press("Space")
    await expect(stock).to_have_text(str(before - 6))


async def test_a_card_that_is_dropped_nowhere_glides_back_and_is_not_held(ada: Visitor) -> None:
    card = ada.page.locator(".demon [data-card]")
    home = await middle(card)
    await ada.page.mouse.move(*home)
    await ada.page.mouse.down()
    await ada.page.mouse.move(home[0], home[1] + 150, steps=3)
    await expect(card).to_have_class(_has("dragged"))
    await ada.page.mouse.up()
    await expect(card).not_to_have_class(_has("dragged"))
    await expect(card).not_to_have_class(_has("flying"))
    await expect(ada.page.locator(".card.held")).to_have_count(0)
    assert await middle(card) == home


async def test_a_pointer_that_the_browser_takes_away_gives_the_card_back(ada: Visitor) -> None:
    card = ada.page.locator(".demon [data-card]")
    home = await middle(card)
    await ada.page.mouse.move(*home)
    await ada.page.mouse.down()
    await ada.page.mouse.move(home[0] + 40, home[1] + 150, steps=3)
    await ada.page.locator("main.table").dispatch_event("pointercancel")
    await expect(card).not_to_have_class(_has("flying"))
    assert await middle(card) == home
    await ada.page.mouse.up()
    await expect(ada.page.locator(".card.held")).to_have_count(0)


async def test_escape_gives_back_what_is_in_the_hand(ada: Visitor) -> None:
    await ada.page.locator(".column [data-card]").first.click()
    await expect(ada.page.locator(".card.held")).to_have_count(1)
    await ada.page.keyboard.press("Escape")
    await expect(ada.page.locator(".card.held")).to_have_count(0)


async def test_leaving_a_running_hand_asks_first(ada: Visitor) -> None:
    await ada.page.get_by_role("button", name="Leave").click()
    await ada.page.get_by_role("button", name="Stay").click()
    await expect(ada.page.locator("main.table")).to_have_attribute("data-phase", "playing")
    await ada.page.get_by_role("button", name="Leave").click()
    await ada.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    await ada.page.wait_for_selector("form")
    assert (await ada.call("GET", "/me"))["table"] is None


async def test_a_second_window_takes_the_seat_and_can_give_it_back(ada: Visitor) -> None:
    stock = ada.page.locator("[data-count=stock]")
    before = await number(stock)
    second = await ada.page.context.new_page()
    await second.goto(ada.page.url)
    await second.wait_for_selector("main.table[data-phase=playing]")
    await expect(ada.page.get_by_text("You play on in another window.").last).to_be_visible()
    await second.keyboard.press("Space")
    await expect(second.locator("[data-from=waste]")).to_have_count(1)
    await ada.page.get_by_role("button", name="Play here").click()
    await expect(second.get_by_text("You play on in another window.").last).to_be_visible()
    # The second window is told first; the seat is here once the table shows itself again.
    await expect(ada.connection("live")).to_be_visible()
    await expect(stock).to_have_text(str(before - 3))
    await ada.page.keyboard.press("Space")
    await expect(stock).to_have_text(str(before - 6))
    await expect(ada.page.locator("[data-from=waste]")).to_have_count(1)


async def test_a_hand_goes_on_after_the_edge_has_died(ada: Visitor, platform: Platform) -> None:
    await ada.page.keyboard.press("Space")
    await expect(ada.page.locator("[data-from=waste]")).to_have_count(1)
    stock = ada.page.locator("[data-count=stock]")
    before = await number(stock)
    platform["gateway-1"].kill()
    await expect(ada.connection("lost")).to_be_visible()
    await ada.page.keyboard.press("Space")
    await expect(ada.connection("live")).to_be_visible()
    await expect(stock).to_have_text(str(before - 3))
    # The browser tells of vain tries: sockets, and what the page was still loading, such as pictures of cards to come.
    ada.complaints = [each for each in ada.complaints if "WebSocket" not in each and "net::ERR_" not in each]
