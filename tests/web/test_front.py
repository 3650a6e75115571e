"""The front door, and what a player has set: tables by any rules, invitations, the host's powers, settings."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from services.cli.local_platform import Platform
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABLE = re.compile(r"/table/[0-9a-f]+$")
REFUSED = "status of 4"
"""What the browser's console says of a call that was refused, as it was meant to be."""
COUNT_TONES = """() => {
  window.tones = 0;
  const Own = window.OscillatorNode;
  window.OscillatorNode = class extends Own { constructor(...all) { super(...all); window.tones += 1; } };
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def ada(browser: Browser, platform: Platform) -> AsyncIterator[Visitor]:
    async with visitor(browser, platform.url) as guest:
        yield guest
        assert [each for each in guest.complaints if REFUSED not in each] == []


@pytest_asyncio.fixture(loop_scope="session")
async def bob(browser: Browser, platform: Platform) -> AsyncIterator[Visitor]:
    async with visitor(browser, platform.url) as guest:
        yield guest
        assert [each for each in guest.complaints if REFUSED not in each] == []


async def _choose(page: Page, option: str, value: str) -> None:
    """Chooses a value of a house rule, whose group is opened if it is closed."""
    row = page.locator(f"[data-option={option}]")
    if not await row.is_visible():
        await page.locator("details", has=row).locator("summary").click()
    if await row.locator("input[type=number]").count():
        await row.locator("input[type=number]").fill(value)
    else:
        await row.get_by_text(value, exact=True).click()


async def _open(guest: Visitor, name: str, *, private: bool) -> None:
    await guest.page.get_by_role("link", name="All house rules").click()
    await guest.page.get_by_label("Your name").fill(name)
    if private:
        await guest.page.get_by_text("Whom I invite", exact=True).click()
    await guest.page.wait_for_selector("[data-option=draw]", state="attached")


async def test_a_table_is_opened_by_house_rules_that_everybody_at_it_can_read(ada: Visitor) -> None:
    page = ada.page
    await _open(ada, "Ada", private=False)
    await page.get_by_text("Nerts", exact=True).click()
    await _choose(page, "draw", "One")
    await _choose(page, "demon_size", "9")
    await page.get_by_label("A number of its own for each seat (handicap)").check()
    await page.get_by_label("Seat B").fill("7")
    await page.get_by_role("button", name="Open the table").click()
    await page.wait_for_url(TABLE)
    table = await ada.call("GET", f"/tables/{page.url.split('/')[-1]}")
    assert (table["options"]["draw"], table["options"]["demon_size"]) == (1, [9, 7, 9, 9])
    assert (table["options"]["names"], table["preset"]) == ("nerts", None)
    await page.get_by_role("button", name="Rules of this table").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.locator("dt")).to_have_count(7)
    await expect(dialog.locator("dt", has_text="Cards turned at once: One")).to_have_count(1)
    links = await dialog.locator("dt a").evaluate_all("all => all.map((each) => each.getAttribute('href'))")
    assert links[:2] == ["/rules#RD-2", "/rules#RD-9"]


async def test_rules_that_do_not_go_together_are_refused_at_the_rule(ada: Visitor) -> None:
    page = ada.page
    await _open(ada, "Ada", private=True)
    await _choose(page, "passes", "One only")
    await page.get_by_role("button", name="Open the table").click()
    row = page.locator("[data-option=stuck]")
    await expect(row.get_by_role("alert")).to_contain_text("With one pass only, nothing can be shifted")
    await expect(row.locator("input").first).to_be_focused()
    await row.get_by_text("The hand ends", exact=True).click()
    await expect(row.get_by_role("alert")).to_have_count(0)
    await page.get_by_role("button", name="Open the table").click()
    await page.wait_for_url(TABLE)


async def test_a_private_table_is_joined_by_its_code_and_its_host_sends_away(ada: Visitor, bob: Visitor) -> None:
    await _open(ada, "Ada", private=True)
    await ada.page.get_by_role("button", name="Open the table").click()
    await ada.page.get_by_role("button", name="Invite").click()
    code = await ada.page.get_by_label("Code", exact=True).input_value()
    link = await ada.page.get_by_label("Link", exact=True).input_value()
    await expect(ada.page.get_by_role("img", name="A picture of the link")).to_be_visible()
    await ada.page.get_by_role("button", name="Close").click()

    by_code = bob.page.get_by_role("region", name="Join by code")
    await by_code.get_by_label("Code or link").fill("not a code!")
    await by_code.get_by_role("button", name="Join").click()
    await expect(bob.page.get_by_role("alert").filter(has_text="neither a code")).to_be_visible()
    await bob.sign_in_as("Bob")
    await by_code.get_by_label("Code or link").fill(code)
    await by_code.get_by_role("button", name="Join").click()
    await expect(bob.page.get_by_role("button", name="Invite")).to_be_visible()

    await ada.page.get_by_role("button", name="Remove Bob").click()
    await ada.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    await expect(bob.page.get_by_role("alert").filter(has_text="no longer yours")).to_be_visible()
    await expect(ada.page.get_by_role("button", name="A bot for seat B")).to_be_visible()
    await bob.page.get_by_role("link", name="To the start").click()
    await bob.page.goto(link)
    await bob.page.get_by_role("button", name="Take a seat").click()
    await expect(bob.page.get_by_text("You were removed")).to_be_visible()


async def test_who_follows_an_invitation_gives_a_name_and_sits_down(ada: Visitor, bob: Visitor) -> None:
    await _open(ada, "Ada", private=True)
    await ada.page.get_by_role("button", name="Open the table").click()
    await ada.page.get_by_role("button", name="Invite").click()
    link = await ada.page.get_by_label("Link", exact=True).input_value()
    await bob.page.goto(link)
    await bob.page.get_by_label("Your name at this table").fill("Bob")
    await bob.page.get_by_role("button", name="Take a seat").click()
    await expect(bob.page.get_by_role("button", name="Invite")).to_be_visible()
    await ada.page.keyboard.press("Escape")
    await expect(ada.page.get_by_role("button", name="Remove Bob")).to_be_visible()


async def test_the_host_has_bots_come_and_go_as_strong_as_was_chosen(ada: Visitor) -> None:
    await ada.page.get_by_text("Hard", exact=True).click()
    await ada.page.get_by_role("button", name="Open a table").click()
    await ada.page.get_by_role("button", name="A bot for seat B").click()
    remove = ada.page.get_by_role("button", name=re.compile("^Remove "))
    await expect(remove).to_have_count(1)
    table = await ada.call("GET", f"/tables/{ada.page.url.split('/')[-1]}")
    assert (table["seats"][1]["bot"], table["seats"][1]["strength"]) == (True, "hard")
    await remove.click()
    await expect(remove).to_have_count(0)


async def test_open_tables_come_into_sight_by_themselves_and_are_joined(ada: Visitor, bob: Visitor) -> None:
    await ada.sign_in_as("Ada")
    await ada.page.get_by_role("button", name="Open a table").click()
    await ada.page.wait_for_url(TABLE)
    await bob.sign_in_as("Bob")
    line = bob.page.locator("li", has_text="Ada").first
    await expect(line).to_be_visible()
    await line.get_by_role("button", name="Join").click()
    await bob.page.wait_for_url(TABLE)


async def _set(page: Page, *values: str) -> None:
    await page.get_by_role("button", name="Settings").click()
    for value in values:
        await page.get_by_role("dialog").get_by_text(value, exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_settings_take_effect_at_once_and_are_kept(ada: Visitor) -> None:
    page = ada.page
    await page.add_init_script(f"({COUNT_TONES})()")
    await page.reload()
    await page.locator(".counts label", has_text="2").click()
    await page.get_by_role("button", name="Play against bots").click()
    await page.wait_for_selector("main.table[data-phase=playing]")
    picture = page.locator(".demon img")
    first, width = await picture.get_attribute("src"), await picture.evaluate("each => each.clientWidth")
    await _set(page, "Four colours", "Classic figures", "Large", "On the left", "Click only", "On")
    assert await picture.get_attribute("src") != first
    assert await picture.evaluate("each => each.clientWidth") > width
    await expect(page.locator(".mine.left")).to_have_count(1)
    heard = await page.evaluate("window.tones")
    assert heard > 0  # the sound that tells what sounds are like
    await page.locator(".stock").click()
    await page.wait_for_function("heard => window.tones > heard", arg=heard)

    card = page.locator(".demon [data-card]")
    box = await card.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 9, box["y"] + 9)
    await page.mouse.down()
    await page.mouse.move(box["x"] + 120, box["y"] + 150, steps=3)
    await expect(page.locator(".dragged")).to_have_count(0)
    await page.mouse.up()

    await page.reload()
    await page.wait_for_selector(".mine.left [data-card]")
    await _set(page, "Drag only", "Off")
    await page.locator(".demon [data-card]").click()
    await expect(page.locator(".held")).to_have_count(0)
