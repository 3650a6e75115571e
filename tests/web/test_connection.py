"""What becomes of moves while the line breaks, the page is loaded anew, or answers arrive in another order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from services.cli.local_platform import Platform
from tests.web.line import Frame, Line
from tests.web.page_player import READ
from tests.web.test_aces_up import begin
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def ada(browser: Browser, platform: Platform) -> AsyncIterator[Visitor]:
    async with visitor(browser, platform.url) as guest:
        yield guest
        assert guest.complaints == []


async def _playing(guest: Visitor, url: str) -> Line:
    """Sits down with one slow bot, in a hand that has begun."""
    line = await Line.of(guest.page)
    await guest.take_seat(url, seats=2, bots=1, strength="easy", pace="human")
    await guest.page.wait_for_selector("main.table[data-phase=playing]")
    return line


async def _own(guest: Visitor) -> dict[str, Any]:
    """All of the own layout that the page shows."""
    seen: dict[str, Any] = await guest.page.evaluate(READ)
    return {key: seen[key] for key in ("demon", "tops", "columns", "stock", "waste")}


def _is_verdict(frame: Frame) -> bool:
    return frame.get("t") == "verdict"


async def test_a_move_that_was_on_its_way_before_a_reload_is_there_after_it(ada: Visitor, platform: Platform) -> None:
    line = await _playing(ada, platform.url)
    before = await _own(ada)
    line.holds = True
    await ada.page.keyboard.press("Space")
    await line.until_held("turn")
    await expect(ada.page.locator("[data-from=waste]")).to_have_count(0)  # nothing was answered
    line.mend()
    await ada.page.reload()
    await expect(ada.page.locator("[data-from=waste]")).to_have_count(1)
    after = await _own(ada)
    assert (after["stock"], after["waste"]) == (before["stock"] - 3, 3)
    assert (after["demon"], after["columns"], after["tops"][0]) == (
        before["demon"],
        before["columns"],
        before["tops"][0],
    )
    await ada.page.keyboard.press("Space")
    await expect(ada.page.locator("[data-count=stock]")).to_have_text(str(before["stock"] - 6))


async def test_what_was_played_before_and_after_the_line_broke_counts_once(ada: Visitor, platform: Platform) -> None:
    line = await _playing(ada, platform.url)
    stock = ada.page.locator("[data-count=stock]")
    before = (await _own(ada))["stock"]
    line.holds = True
    await ada.page.keyboard.press("Space")
    await line.until_held("turn")
    await line.cut()  # it was judged, and its answer is lost
    await expect(ada.connection("lost")).to_contain_text("Connection lost. Trying again")
    line.mend()
    await expect(ada.connection("live")).to_be_visible()
    await expect(ada.page.locator("[data-from=waste]")).to_have_count(1)
    await line.cut()
    await expect(ada.connection("lost")).to_be_visible()
    await ada.page.keyboard.press("Space")  # this one never leaves the page
    await expect(stock).to_have_text(str(before - 6))
    line.mend()
    await line.until(lambda: line.count("turn", seat=0) == 2)
    await expect(ada.connection("live")).to_be_visible()
    await ada.page.keyboard.press("Space")
    await line.until(lambda: line.count("turn", seat=0) == 3)
    await expect(stock).to_have_text(str(before - 9))
    assert [frame["n"] for frame in line.told if frame.get("e") == "turn" and frame["seat"] == 0] == [1, 2, 3]


async def test_several_moves_made_while_cut_off_all_count_in_their_order(ada: Visitor, platform: Platform) -> None:
    line = await Line.of(ada.page)
    await begin(ada, platform.url, 2)  # 5H 8S QH KC: the five may go, and the next row brings 7D
    await line.cut()
    await expect(ada.connection("lost")).to_be_visible()
    await ada.page.locator("[data-card='5H']").dblclick()
    await ada.page.locator(".stock").click()
    await expect(ada.page.locator("[data-count=removed]")).to_have_text("1")
    await expect(ada.page.locator("[data-count=stock]")).to_have_text("44")
    line.mend()
    await expect(ada.page.locator("[data-card='7D']")).to_have_count(1)
    assert [frame["e"] for frame in line.told if "n" in frame and "e" in frame] == ["remove", "row"]
    await expect(ada.page.locator("[data-count=stock]")).to_have_text("44")


async def test_a_move_is_made_once_whether_its_answer_or_its_event_comes_first(
    ada: Visitor, platform: Platform
) -> None:
    line = await _playing(ada, platform.url)
    stock = ada.page.locator("[data-count=stock]")
    before = (await _own(ada))["stock"]
    for turned, order in enumerate((_is_verdict, lambda frame: not _is_verdict(frame)), start=1):
        line.holds = True
        await ada.page.keyboard.press("Space")
        await line.until_held("turn")
        await line.until_held("verdict")
        line.release(order)
        await expect(ada.page.locator("[data-from=waste]")).to_have_count(1)
        await expect(stock).to_have_text(str(before - 3 * turned))
        assert (await _own(ada))["waste"] == 3 * turned
    told = [frame for frame in line.told if _is_verdict(frame) or (frame.get("e") == "turn" and frame["seat"] == 0)]
    assert [_is_verdict(frame) for frame in told] == [False, True, True, False]
    assert line.count("welcome") == 1


async def test_who_comes_back_after_the_hand_and_after_the_table_sees_how_they_ended(
    ada: Visitor, platform: Platform
) -> None:
    line = await Line.of(ada.page)
    table = await ada.take_seat(platform.url, seats=3, options={"demon_size": 5, "target": 1000})
    await line.until(lambda: line.count("welcome") == 1)
    for _ in range(2):  # only now, since these two need less time for a hand than a busy machine for a page
        await ada.call("POST", f"/tables/{table}/bots", {"strength": "hard", "pace": "fast"})
    await line.until(lambda: line.count("deal") == 1)
    await line.cut()
    async with asyncio.timeout(60):
        while (await ada.call("GET", f"/tables/{table}"))["state"] != "between":
            await asyncio.sleep(0.2)
    line.mend()
    await expect(ada.page.locator(".sheet [data-points]")).to_have_count(3)
    await expect(ada.page.locator("main.table")).to_have_attribute("data-phase", "over")
    await line.cut()
    await expect(ada.connection("lost")).to_be_visible()
    await ada.call("DELETE", f"/tables/{table}")
    line.mend()
    await expect(ada.page.get_by_role("alert").get_by_text("The table is closed.")).to_be_visible()
    await expect(ada.page.get_by_role("link", name="To the start")).to_be_visible()
