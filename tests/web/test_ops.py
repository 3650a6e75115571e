"""The operators' console in a browser: charts move, a table is held still and closed; no barriers, on a phone too.

And what operators do as players' pages show it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import httpx2
import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Page, ViewportSize, expect

from services.cli.local_platform import Platform
from services.cli.ops_accounts import LOGIN, add, first_operator
from services.client import Client
from services.ops.app import DIST
from tests.e2e.log_book import LogBook
from tests.e2e.platforms import platform as running_platform
from tests.web.access import violations
from tests.web.layout import faults
from tests.web.visitor import visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

PATIENCE_MS = 60_000
LONG: Final = {"target": 300}
"""A match that does not end meanwhile."""
PHONE: Final[ViewportSize] = {"width": 360, "height": 720}


@pytest.fixture(scope="module")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = first_operator(tmp_path_factory.mktemp("accounts"))
    add(file, "vic", "viewer", "vic's own password")
    return file


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def watched(tmp_path_factory: pytest.TempPathFactory, accounts: Path) -> AsyncIterator[Platform]:
    """A platform with a console."""
    if not DIST.is_dir():
        pytest.skip("the console's page was not built: make install")
    log = LogBook()
    async with running_platform(tmp_path_factory.mktemp("platform"), log, engines=1, accounts=accounts) as running:
        yield running
    assert log.errors() == []


@asynccontextmanager
async def desk(platform: Platform, accounts: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """What an operator does by program."""
    name, password = (accounts.parent / LOGIN).read_text().split()
    async with httpx2.AsyncClient(base_url=f"{platform.ops_url}/api/ops/v1", trust_env=False) as http:
        entered = await http.post("/login", json={"name": name, "password": password, "token": True})
        http.headers["Authorization"] = f"Bearer {entered.json()['token']}"
        yield http


def done(answer: httpx2.Response) -> None:
    assert answer.status_code == 200, answer.text


async def log_in(page: Page, platform: Platform, name: str, password: str) -> None:
    await page.goto(platform.ops_url)
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Log in").click()


async def test_an_operator_sees_charts_move_and_holds_a_table_still_and_closes_it(
    browser: Browser, watched: Platform, accounts: Path
) -> None:
    name, password = (accounts.parent / LOGIN).read_text().split()
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []

    def complain(message: ConsoleMessage) -> None:
        # That nobody is logged in yet is asked, and answered with 401.
        if message.type in ("error", "warning") and "401" not in message.text:
            complaints.append(message.text)

    page.on("console", complain)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    async with Client(watched.url) as host:
        await host.guest("Ada")
        made = await host.create_table(seats=2, public=False, host_plays=False, bots=2, options=LONG)
        await log_in(page, watched, name, "not the password")
        await expect(page.get_by_role("alert")).to_have_text("name or password is wrong")
        assert await violations(page) == []
        await page.get_by_label("Password").fill(password)
        await page.get_by_role("button", name="Log in").click()

        # Charts move: plays are told, and another point is drawn.
        plays = page.locator("figure", has_text="Rates").locator("polyline").first
        await expect(page.locator("figure", has_text="Rates").locator("output").nth(1)).not_to_have_text("\u2013")
        drawn = await plays.get_attribute("points")
        await expect(plays).not_to_have_attribute("points", drawn or "")
        await expect(page.get_by_role("row").filter(has_text="engine-").first).to_contain_text("ready")
        assert await violations(page) == []
        assert await faults(page) == []

        await page.get_by_role("link", name="Tables").click()
        await page.get_by_label("Search").fill(made.id)
        await expect(page.get_by_role("status")).to_have_text("1 table")
        assert await violations(page) == []
        assert await faults(page) == []
        await page.get_by_role("link", name=made.id).click()
        lines = page.get_by_role("region", name="Log").get_by_role("listitem")
        await expect(lines.nth(5)).to_be_visible()
        await expect(page.get_by_role("region", name="Seats")).to_contain_text(" ms")
        await page.get_by_role("button", name="Freeze").click()
        await expect(page.get_by_role("status")).to_contain_text("frozen")
        assert (await host.get_table(made.id)).frozen
        assert await violations(page) == []
        await page.emulate_media(color_scheme="dark")
        assert await violations(page) == []
        await page.set_viewport_size(PHONE)
        width = await page.evaluate("document.scrollingElement.scrollWidth")
        assert width <= PHONE["width"]
        assert await violations(page) == []
        assert await faults(page) == []
        await page.get_by_role("button", name="Close").click()
        await page.get_by_role("button", name="Really close the table?").click()
        await expect(page.get_by_role("status")).to_contain_text("closed")

        await page.get_by_role("link", name="Record").click()
        await expect(page.get_by_role("row").filter(has_text=made.id)).to_have_count(4)
        assert await violations(page) == []
        assert await faults(page) == []
        await page.get_by_role("button", name="Log out").click()
        await expect(page.get_by_role("button", name="Log in")).to_be_visible()
    assert complaints == []
    await page.close()


async def test_a_viewer_is_offered_nothing_to_do(browser: Browser, watched: Platform) -> None:
    page = await browser.new_page(viewport=PHONE)
    page.set_default_timeout(PATIENCE_MS)
    await log_in(page, watched, "vic", "vic's own password")
    await expect(page.get_by_role("row").filter(has_text="gateway-").first).to_be_visible()
    assert await page.get_by_role("button").all_inner_texts() == ["Log out"]
    assert await violations(page) == []
    await page.close()


async def test_what_operators_announce_stands_over_a_running_hand_until_it_is_withdrawn(
    browser: Browser, watched: Platform, accounts: Path
) -> None:
    text = "Back <b>at ten</b>"
    async with visitor(browser, watched.url) as ada, desk(watched, accounts) as http:
        await ada.take_seat(watched.url, seats=2, bots=1, options=LONG)
        await ada.page.wait_for_selector("main.table[data-phase=playing]", timeout=PATIENCE_MS)
        banner = ada.page.get_by_role("status").filter(has_text=text)
        assert await banner.count() == 0
        done(await http.post("/notice", json={"texts": {"en": text, "es": "Volvemos a las diez"}}))
        await expect(banner).to_be_visible()
        assert await violations(ada.page) == []
        done(await http.delete("/notice"))
        await expect(banner).to_have_count(0)

        # Who has read it is not shown it again, but the next one.
        done(await http.post("/notice", json={"texts": {"en": text}}))
        await banner.get_by_role("button", name="Close the message").click()
        await expect(banner).to_have_count(0)
        done(await http.post("/notice", json={"texts": {"en": "Once more"}}))
        await expect(ada.page.get_by_role("status").filter(has_text="Once more")).to_be_visible()
        done(await http.delete("/notice"))
        await expect(ada.page.get_by_role("status").filter(has_text="Once more")).to_have_count(0)
        assert ada.complaints == []


async def test_a_table_that_is_held_still_says_so_and_plays_on_afterwards(
    browser: Browser, watched: Platform, accounts: Path
) -> None:
    async with visitor(browser, watched.url) as ada, desk(watched, accounts) as http:
        table = await ada.take_seat(watched.url, seats=2, bots=1, options=LONG)
        await ada.page.wait_for_selector("main.table[data-phase=playing]", timeout=PATIENCE_MS)
        done(await http.post(f"/tables/{table}/freeze"))
        await expect(ada.connection("frozen")).to_have_text("Held by an operator; nothing is lost")
        assert await violations(ada.page) == []
        stock = ada.page.locator(".mine .stock")
        stood = await stock.get_attribute("aria-label") or ""
        assert "35" in stood
        await ada.page.keyboard.press("Space")
        await expect(stock).to_have_attribute("aria-label", stood)
        done(await http.post(f"/tables/{table}/thaw"))
        await expect(ada.connection("live")).to_be_visible()
        await expect(ada.connection("frozen")).to_have_count(0)
        await ada.page.keyboard.press("Space")
        await expect(stock).not_to_have_attribute("aria-label", stood)
        await expect(ada.page.locator(".mine [data-from=waste]")).to_have_count(1)
        assert ada.complaints == []


async def test_while_no_tables_are_opened_the_front_door_says_so(
    browser: Browser, watched: Platform, accounts: Path
) -> None:
    async with visitor(browser, watched.url) as ada, desk(watched, accounts) as http:
        await ada.sign_in_as("Ada")
        done(await http.post("/creation", json={"paused": True}))
        try:
            for button in ("Open a table", "Play against bots"):
                await ada.page.get_by_role("button", name=button).click()
                told = ada.page.get_by_role("alert").filter(has_text="No new tables are opened at the moment.")
                await expect(told).to_be_visible()
                assert await violations(ada.page) == []
        finally:
            done(await http.post("/creation", json={"paused": False}))
        await ada.page.get_by_role("button", name="Open a table").click()
        await ada.page.wait_for_url("**/table/*")
        # The browser's console says of each refusal that it was one.
        assert [each for each in ada.complaints if "status of 503" not in each] == []
