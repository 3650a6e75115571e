"""Cards moved by finger and mouse at a Racing Demon table: where they end up, and what doesn't happen besides."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from services.cli.local_platform import Platform
from services.rules.moves import COLUMN, MoveToColumn
from services.rules.options import Options
from tests.web.line import Line
from tests.web.page_player import PagePlayer
from tests.web.pointer import Pointer
from tests.web.test_hand import PHONE
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


ONE_BY_ONE = Options(draw=1)
"""Every card of the stock comes to lie on top, so that one of them fits onto a column."""
FULL_STOCK = 35


class Mover:
    """Sits at a table with one slow bot and looks for cards that can be laid onto a column."""

    def __init__(self, guest: Visitor, line: Line, *, touch: bool) -> None:
        self.page = guest.page
        self.line = line
        self.pointer = Pointer(guest.page, touch=touch)
        self._player = PagePlayer(guest.page, 0, touch=touch, options=ONE_BY_ONE)

    async def find(self) -> tuple[MoveToColumn, Locator, Locator]:
        """A move to a column that has a card, the card and that column's end; turns until there is one."""
        for _ in range(2 * FULL_STOCK):
            view = await self._player.look()
            for move in view.legal_moves(0):
                if isinstance(move, MoveToColumn) and view.seats[0].columns[move.column]:
                    return move, self.card(move), self.column(move.column).locator("[data-card]").last
            await self._turn()
        raise AssertionError("no card fits onto a column")

    async def _turn(self) -> None:
        """Turns cards, or the waste over, and waits until it is judged and shown."""
        before = self._turned()
        await self.page.keyboard.press("Space")
        await self.line.until(lambda: self._turned() > before)
        await expect(self.page.locator(".waste span.card:not(.below, .empty)")).to_have_count(0)

    def _turned(self) -> int:
        return self.line.count("turn", seat=0) + self.line.count("recycle", seat=0)

    def card(self, move: MoveToColumn) -> Locator:
        return self.page.locator(f'.mine [data-card="{move.card.text}"]')

    def column(self, index: int) -> Locator:
        return self.page.locator(f'[data-column="{COLUMN[index].value}"]')

    async def moved(self, move: MoveToColumn) -> None:
        """Waits until the referee and the page have the card there; nothing else of this hand is on its way."""
        await self.line.until(lambda: self.line.count("move", seat=0, card=move.card.text) == 1)
        there = self.column(move.column).locator(f'[data-card="{move.card.text}"]')
        await expect(there).to_be_visible()
        await expect(self.page.locator(".held, .dragged, .flying")).to_have_count(0)

    @property
    def asked(self) -> list[str]:
        """The moves and plays that the page has asked for."""
        return [frame["card"] for frame in self.line.sent if frame["t"] in ("move", "play")]


async def _sit_down(guest: Visitor, url: str, *, touch: bool) -> Mover:
    line = await Line.of(guest.page)
    await guest.take_seat(url, seats=2, bots=1, strength="easy", pace="human", options={"draw": ONE_BY_ONE.draw})
    await guest.page.wait_for_selector("main.table[data-phase=playing]")
    return Mover(guest, line, touch=touch)


@pytest_asyncio.fixture(loop_scope="session")
async def finger(browser: Browser, platform: Platform) -> AsyncIterator[Mover]:
    """On a phone."""
    async with visitor(browser, platform.url, **PHONE) as ada:
        yield await _sit_down(ada, platform.url, touch=True)
        assert ada.complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def mouse(browser: Browser, platform: Platform) -> AsyncIterator[Mover]:
    async with visitor(browser, platform.url) as ada:
        yield await _sit_down(ada, platform.url, touch=False)
        assert ada.complaints == []


async def _window(mover: Mover) -> Any:
    """How far the page is scrolled and magnified."""
    return await mover.page.evaluate(
        """() => [scrollX, scrollY, visualViewport.scale, visualViewport.offsetTop,
          ...[...document.querySelectorAll("*")].map((each) => each.scrollTop).filter(Boolean)]"""
    )


async def test_a_finger_moves_a_card_and_the_page_stays_where_it_is(finger: Mover) -> None:
    still = await _window(finger)
    move, card, end = await finger.find()
    assert await finger.pointer.drag(card, end)
    await finger.moved(move)
    assert finger.asked == [move.card.text]
    assert await _window(finger) == still == [0, 0, 1, 0]


async def test_a_touch_that_the_phone_takes_away_gives_the_card_back(finger: Mover) -> None:
    move, card, end = await finger.find()
    home = await card.bounding_box()
    assert await finger.pointer.drag(card, end, cancelled=True)
    await expect(finger.page.locator(".held, .dragged, .flying")).to_have_count(0)
    assert await card.bounding_box() == home
    assert finger.asked == []
    assert await _window(finger) == [0, 0, 1, 0]
    assert await finger.pointer.drag(card, end)  # and it can be moved as before
    await finger.moved(move)


async def test_a_drop_beside_a_column_goes_to_the_nearest_that_takes_the_card(mouse: Mover) -> None:
    move, card, _ = await mouse.find()
    box, column = await card.bounding_box(), await mouse.column(move.column).bounding_box()
    assert box is not None
    assert column is not None
    beside = -0.6 if move.column else 1.6  # on the next column, or on none at all
    await mouse.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5)
    await mouse.page.mouse.down()
    await mouse.page.mouse.move(column["x"] + column["width"] * beside, column["y"] + 40, steps=5)
    await mouse.page.mouse.up()
    await mouse.moved(move)


async def test_the_click_that_ends_a_drag_is_no_second_move(mouse: Mover) -> None:
    move, card, end = await mouse.find()
    assert await mouse.pointer.drag(card, end)
    # Some browsers click what lies where a drag has ended, others what holds both its ends, this one nothing.
    for clicked in (card, end, mouse.column(move.column).locator(".place"), mouse.page.locator("main.table")):
        await clicked.dispatch_event("click", {"detail": 1})
    await mouse.moved(move)
    assert mouse.asked == [move.card.text]


async def test_a_player_moves_cards_by_clicks_alone_or_by_drags_alone(mouse: Mover) -> None:
    async def choose(way: str) -> None:
        await mouse.page.get_by_role("button", name="Settings").click()
        await mouse.page.get_by_role("dialog").get_by_text(way, exact=True).click()
        await mouse.page.keyboard.press("Escape")
        await expect(mouse.page.get_by_role("dialog")).to_have_count(0)
        await mouse.page.locator(".mine .count").first.click()  # so that keys are the table's again

    await choose("Click only")
    first, card, end = await mouse.find()
    assert await mouse.pointer.drag(card, end)
    assert mouse.asked == []
    await mouse.page.keyboard.press("Escape")  # it was a press, if a long one, and has taken the card
    assert await mouse.pointer.press(card, at=0.1)
    assert await mouse.pointer.press(end, at=0.1)
    await mouse.moved(first)

    await choose("Drag only")
    second, card, end = await mouse.find()
    assert await mouse.pointer.press(card, at=0.1)
    assert await mouse.pointer.press(end, at=0.1)
    assert mouse.asked == [first.card.text]
    assert await mouse.pointer.drag(card, end)
    await mouse.moved(second)
    assert mouse.asked == [first.card.text, second.card.text]
