"""Games of Aces Up in a browser: a whole one by touch, one in two tabs, steps taken back, what no gesture may do."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.async_api import Browser, Page, expect

from services.cli.local_platform import Platform
from services.rules.aces_up.deal import deal
from services.rules.aces_up.options import AcesUpOptions
from tests.unit.scoring.games import WINS, straight
from tests.web.access import violations
from tests.web.aces_player import AcesPlayer
from tests.web.line import Line
from tests.web.pointer import Pointer
from tests.web.test_hand import PHONE
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

NUMBER: Final = WINS[0]
PLAYING: Final = "main.aces[data-phase=playing]"


async def begin(guest: Visitor, url: str, number: int = NUMBER, *, practice: bool = False) -> AcesPlayer:
    """A game of that deal, by a link to it."""
    await guest.page.goto(f"{url}/aces-up?deal={number}")
    if practice:
        await guest.page.get_by_label("Practice").check()
    await guest.page.locator("form button[type=submit]").click()
    await guest.page.wait_for_selector(PLAYING)
    player = AcesPlayer(guest.page, deal(number), AcesUpOptions(number, practice=practice))
    await player.until_shown()
    return player


async def count(page: Page, what: str) -> int:
    """How many cards lie in the stock, or are removed, as the page says."""
    return int(await page.locator(f"[data-count={what}]").inner_text())


async def test_a_phone_plays_a_whole_deal_by_touch_with_a_reload_on_the_way(
    browser: Browser, platform: Platform
) -> None:
    async with visitor(browser, platform.url, **PHONE) as ada:
        await ada.page.get_by_role("link", name="Aces Up").first.tap()
        await ada.page.get_by_label("Number of the deal").fill(str(NUMBER))
        await ada.page.locator("form button[type=submit]").tap()
        await ada.page.wait_for_selector(PLAYING)
        line, half = straight(NUMBER), 25
        player = AcesPlayer(ada.page, deal(NUMBER), AcesUpOptions(NUMBER), seed=1, touch=True)
        await player.play(line[:half])
        await ada.page.reload()
        await player.until_shown()
        assert await _out_of_sight(ada.page) == []
        await ada.page.emulate_media(reduced_motion="reduce")  # the rest without waiting for what glides
        await player.play(line[half:])

        result = ada.page.locator(".result")
        await expect(result).to_have_attribute("data-why", "won")
        await expect(result).to_contain_text("48 cards removed")
        await expect(result.locator("[data-figure=rate]")).to_have_text("100%")
        assert {way.split()[-1] for way in player.did} == {"tap", "drag"}
        await result.get_by_role("link", name="Statistics").tap()
        await expect(ada.page.locator("[data-figure=best]")).to_have_text("48")
        await expect(ada.page.locator("figure svg rect")).to_have_count(1)
        await expect(ada.page.locator("ol li")).to_have_count(1)
        assert ada.complaints == []


async def _out_of_sight(page: Page) -> list[str]:
    found: list[str] = await page.evaluate(
        """() => {
          const root = document.scrollingElement;
          const out = root.scrollHeight > innerHeight || root.scrollWidth > innerWidth ? ["the page scrolls"] : [];
          for (const each of document.querySelectorAll(".pile .card, .stock, [data-gone], header *, footer button")) {
            const { left, top, right, bottom } = each.getBoundingClientRect();
            if (left < -6 || top < 0 || right > innerWidth + 6 || bottom > innerHeight + 0.5) out.push(each.outerHTML);
          }
          return out;
        }"""
    )
    return found


async def test_a_second_tab_has_the_game_and_the_first_can_take_it_back(browser: Browser, platform: Platform) -> None:
    async with visitor(browser, platform.url) as ada:
        line = straight(NUMBER)
        player = await begin(ada, platform.url)
        await player.play(line[:12])
        tab = await ada.page.context.new_page()
        await tab.goto(ada.page.url)
        second = AcesPlayer(tab, player.state, AcesUpOptions(NUMBER), seed=2)
        await second.until_shown()
        await expect(ada.page.get_by_text("You play on in another window.").last).to_be_visible()
        await second.play(line[12:20])
        await ada.page.bring_to_front()
        await ada.page.get_by_role("button", name="Play here").click()
        player.state = second.state
        await player.until_shown()
        await player.play(line[20:26])
        assert ada.complaints == []


async def test_in_practice_steps_are_taken_back_and_advice_is_given(browser: Browser, platform: Platform) -> None:
    async with visitor(browser, platform.url) as ada:
        player = await begin(ada, platform.url, practice=True)
        page, start = ada.page, player.state
        await player.play(straight(NUMBER)[:3])
        after = player.state
        for _ in range(3):
            await page.get_by_role("button", name="Take back").click()
        player.state = start
        await player.until_shown()
        await page.keyboard.press("y")
        await page.keyboard.press("Control+Shift+Z")
        await page.get_by_role("button", name="Make again").click()
        player.state = after
        await player.until_shown()
        await page.reload()
        await player.until_shown()
        await page.keyboard.press("Control+z")
        await expect(page.get_by_role("button", name="Make again")).to_be_enabled()

        await page.get_by_role("button", name="Hint").click()
        await expect(page.locator(".hint")).to_be_visible()
        await expect(page.locator(".pointed").first).to_be_visible()
        await page.get_by_role("button", name="Outlook").click()
        await expect(page.locator(".outlook")).to_have_text("Can still be won")
        assert await violations(page) == []
        await page.keyboard.press("m")
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await violations(page) == []
        await page.get_by_role("button", name="Same deal again").click()
        player.state = start
        await player.until_shown()
        assert (await ada.call("GET", "/aces-up/statistics"))["played"] == 0
        assert ada.complaints == []


async def test_no_gesture_does_what_the_rules_forbid_and_a_double_click_deals_once(
    browser: Browser, platform: Platform
) -> None:
    async with visitor(browser, platform.url) as ada:
        await begin(ada, platform.url, 2)  # 5H 8S QH KC: only the five may go
        page, hand = ada.page, Pointer(ada.page)
        king = page.locator("[data-card=KC]")
        moving = page.locator(".dragged, .held, .flying")
        await expect(moving).to_have_count(0)
        home = await king.bounding_box()
        for nowhere in ("[data-gone]", "[data-pile='0']"):
            assert await hand.drag(king, page.locator(nowhere))
            await expect(moving).to_have_count(0)  # where it flies over other cards, these would be pressed
        await king.dblclick()
        for key in ("4", "4", "x", "4", "1", "Escape"):
            await page.keyboard.press(key)
        await expect(moving).to_have_count(0)
        assert await king.bounding_box() == home
        assert (await count(page, "stock"), await count(page, "removed")) == (48, 0)

        await page.locator("[data-card='5H']").dblclick()
        await expect(page.locator("[data-count=removed]")).to_have_text("1")
        await hand.double(page.locator(".stock"))
        await expect(page.locator("[data-pile='0'] [data-card='7D']")).to_have_count(1)
        assert await count(page, "stock") == 44

        await page.get_by_role("button", name="Menu").click()
        await page.get_by_role("button", name="Give up").click()
        await expect(page.locator(".result")).to_have_attribute("data-why", "given_up")
        await expect(page.locator(".result [data-figure=played]")).to_have_text("1")
        assert await violations(page) == []
        assert ada.complaints == []


async def test_a_move_is_shown_before_the_answer_and_taken_back_when_it_is_refused(
    browser: Browser, platform: Platform
) -> None:
    async with visitor(browser, platform.url) as ada:
        line = await Line.of(ada.page)
        await begin(ada, platform.url, 2)
        page = ada.page
        line.holds = True
        await page.locator("[data-card='5H']").dblclick()
        await page.locator(".stock").click()
        await expect(page.locator("[data-count=removed]")).to_have_text("1")
        await expect(page.locator("[data-count=stock]")).to_have_text("44")
        await expect(page.locator("[data-pile] [data-card]")).to_have_count(0)  # nobody knows yet what was dealt
        line.release()
        await expect(page.locator("[data-card='7D']")).to_have_count(1)
        line.change = lambda frame: frame | {"stock": frame["stock"] + 4} if frame["t"] == "row" else frame
        await page.keyboard.press("Space")
        await expect(page.get_by_text("stock has changed")).to_be_visible()
        await expect(page.locator("[data-count=stock]")).to_have_text("44")
        assert ada.complaints == []


async def test_a_deal_of_the_day_and_one_that_can_be_won_are_begun_from_the_page(
    browser: Browser, platform: Platform
) -> None:
    async with visitor(browser, platform.url) as ada:
        await ada.page.goto(f"{platform.url}/aces-up")
        await ada.page.get_by_role("button", name="Deal of the day: Play").click()
        await ada.page.wait_for_selector(PLAYING)
        today = await ada.call("GET", "/aces-up/daily")
        await expect(ada.page.locator(".deal")).to_contain_text(str(today["number"]))
        await ada.page.get_by_role("link", name="Aces Up").click()
        await expect(ada.page.get_by_role("link", name="Back to your game")).to_be_visible()
        await ada.page.get_by_label("Only deals that can be won").check()
        await ada.page.get_by_role("button", name="New deal").click()
        await ada.page.wait_for_selector(PLAYING)
        table = ada.page.url.rsplit("/", 1)[-1]
        assert (await ada.call("GET", f"/tables/{table}/outlook"))["winnable"] is True
        assert ada.complaints == []
