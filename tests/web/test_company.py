"""Who else is at a table: what players say to each other, who watches, and the code that brings them there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from services.cli.local_platform import Platform
from tests.web.access import violations
from tests.web.line import WITHIN_S
from tests.web.visitor import Visitor, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABLE = re.compile(r"/table/[0-9a-f]+$")
REFUSED = "status of 4"
"""What the browser's console says of a call that was refused, as it was meant to be."""
SPEAK = """language => {
  const kept = JSON.parse(localStorage.getItem("pandemonium.settings") ?? "{}");
  localStorage.setItem("pandemonium.settings", JSON.stringify({ ...kept, language }));
}"""


class Listening:
    """What a page's sockets bring, from the moment of listening on."""

    def __init__(self, guest: Visitor) -> None:
        self._frames: list[str] = []
        self._came = asyncio.Event()
        guest.page.on("websocket", lambda socket: socket.on("framereceived", self._take))

    def _take(self, frame: str | bytes) -> None:
        self._frames.append(str(frame))
        self._came.set()

    async def until(self, text: str) -> None:
        """Waits until a frame with this in it has come."""
        async with asyncio.timeout(WITHIN_S):
            while not any(text in frame for frame in self._frames):
                self._came.clear()
                await self._came.wait()


@asynccontextmanager
async def guest_at(browser: Browser, platform: Platform, name: str, code: str = "") -> AsyncIterator[Visitor]:
    """Somebody who opens a private table of two, or joins by a code."""
    async with visitor(browser, platform.url) as guest:
        await guest.sign_in_as(name)
        if code:
            await guest.page.get_by_label("Code or link").fill(code)
            await guest.page.get_by_role("region", name="Join by code").get_by_role("button", name="Join").click()
        else:
            await guest.page.get_by_text("2", exact=True).click()
            await guest.page.get_by_text("Whom I invite", exact=True).click()
            await guest.page.get_by_role("button", name="Open a table").click()
        await guest.page.wait_for_url(TABLE)
        yield guest
        assert [each for each in guest.complaints if REFUSED not in each] == []


@pytest_asyncio.fixture(loop_scope="session")
async def two(browser: Browser, platform: Platform) -> AsyncIterator[tuple[Visitor, Visitor]]:
    """Two at a table, the second by the code that the first was shown."""
    async with AsyncExitStack() as stack:
        ada = await stack.enter_async_context(guest_at(browser, platform, "Ada"))
        await ada.page.get_by_role("button", name="Invite").click()
        code = await ada.page.get_by_label("Code", exact=True).input_value()
        assert re.fullmatch(r"[0-9A-Z]{3} [0-9A-Z]{3}", code)
        await ada.page.get_by_role("button", name="Close").click()
        typed = code.lower().replace(" ", "-").replace("0", "o").replace("1", "l")
        bob = await stack.enter_async_context(guest_at(browser, platform, "Bob", typed))
        await expect(ada.page.get_by_role("article", name=re.compile("^Bob"))).to_be_visible()
        yield ada, bob


async def listening(guest: Visitor) -> Listening:
    """Listens to the page's socket, which is a new one."""
    heard = Listening(guest)
    await guest.page.reload()
    await heard.until('"t":"welcome"')
    return heard


def bubble(guest: Visitor, seat: int) -> Locator:
    """What the guest sees that a seat says."""
    return guest.page.locator(f"[data-emote-of='{seat}']")


async def say(guest: Visitor, word: str) -> None:
    """Opens the words and chooses one."""
    await guest.page.get_by_role("button", name="Say something").click()
    await guest.page.get_by_role("button", name=word).click()


async def say_to(guest: Visitor, word: str, *listeners: Visitor, seat: int = 1) -> None:
    """Says a word that all listeners get to see; who looks only afterwards may be late."""
    seen = (expect(bubble(each, seat)).to_contain_text(word) for each in listeners)
    await asyncio.gather(say(guest, word), *seen)


async def test_a_word_is_seen_by_both_heard_by_who_listens_and_gone_soon(two: tuple[Visitor, Visitor]) -> None:
    ada, bob = two
    told = ada.page.locator("[aria-live=polite]", has_text="Bob: Good luck!")
    await asyncio.gather(say_to(bob, "Good luck!", ada, bob), expect(told).to_have_count(1))
    await expect(bubble(ada, 1)).to_have_count(0)


async def test_a_bubble_lies_over_its_seat_and_within_the_window(two: tuple[Visitor, Visitor]) -> None:
    ada, bob = two
    seat = await ada.page.get_by_role("article", name=re.compile("^Bob")).bounding_box()
    _, said = await asyncio.gather(say(bob, "Hello!"), bubble(ada, 1).bounding_box())
    assert seat is not None
    assert said is not None
    assert abs(seat["x"] + seat["width"] / 2 - said["x"] - said["width"] / 2) < seat["width"] / 2
    assert abs(seat["y"] + seat["height"] / 2 - said["y"] - said["height"] / 2) < seat["height"] / 2
    assert said["x"] >= 0


async def test_words_are_chosen_by_keys_and_escape_closes_them(two: tuple[Visitor, Visitor]) -> None:
    ada, bob = two
    opener = bob.page.get_by_role("button", name="Say something")
    await opener.focus()
    await bob.page.keyboard.press("Enter")
    await expect(bob.page.get_by_role("button", name="Hello!")).to_be_focused()
    await bob.page.keyboard.press("Escape")
    await expect(bob.page.get_by_role("button", name="Hello!")).to_be_hidden()
    await expect(opener).to_be_focused()
    await bob.page.keyboard.press("Enter")
    await expect(bob.page.get_by_role("button", name="Hello!")).to_be_focused()
    await bob.page.keyboard.press("Tab")
    seen = expect(bubble(ada, 1)).to_contain_text("Good luck!")
    await asyncio.gather(bob.page.keyboard.press(" "), seen)


async def test_what_is_touched_is_large_enough(two: tuple[Visitor, Visitor]) -> None:
    _, bob = two
    await bob.page.get_by_role("button", name="Say something").click()
    for button in await bob.page.locator("[popover] button, [popovertarget]").all():
        box = await button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


async def test_words_have_no_barriers_and_fit_a_phone_in_every_language(two: tuple[Visitor, Visitor]) -> None:
    _, bob = two
    await bob.page.set_viewport_size({"width": 360, "height": 640})
    for language in ("en", "es", "pt", "ru"):
        await bob.page.evaluate(SPEAK, language)
        await bob.page.reload()
        await bob.page.locator("[popovertarget]").click()
        words = bob.page.locator("[popover]")
        await expect(words.locator("button").first).to_be_focused()
        # What lies under the words is hard to hit while they are there; how large they are is seen to above.
        assert [each for each in await violations(bob.page) if not each.startswith("target-size")] == []
        box = await words.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] >= 0
        assert (
            await words.locator("button").evaluate_all("all => all.filter((b) => b.scrollWidth > b.clientWidth)") == []
        )


async def test_who_is_muted_is_not_seen_and_is_seen_again(two: tuple[Visitor, Visitor]) -> None:
    ada, bob = two
    heard = await listening(ada)
    await ada.page.get_by_role("button", name="Say something").click()
    mute = ada.page.get_by_role("group", name="Mute").get_by_role("button", name="Bob")
    await mute.click()
    await expect(mute).to_have_attribute("aria-pressed", "true")
    await say_to(bob, "Oops!", bob)
    await heard.until('"emote":"oops"')
    await expect(bubble(ada, 1)).to_have_count(0)
    await mute.click()
    await expect(bubble(bob, 1)).to_have_count(0)
    await say_to(bob, "Wow!", ada)


async def test_who_wants_no_words_has_none(two: tuple[Visitor, Visitor]) -> None:
    ada, bob = two
    heard = await listening(ada)
    await ada.page.get_by_role("button", name="Settings").click()
    await ada.page.get_by_role("group", name="Words between players").get_by_text("Hidden", exact=True).click()
    await ada.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await expect(ada.page.get_by_role("button", name="Say something")).to_have_count(0)
    await say_to(bob, "Nice!", bob)
    await heard.until('"emote":"nice"')
    await expect(bubble(ada, 1)).to_have_count(0)


async def test_who_repeats_words_is_asked_to_wait(two: tuple[Visitor, Visitor]) -> None:
    _, bob = two
    told = bob.page.get_by_role("status").get_by_text("One moment").first

    async def repeat() -> None:
        for _ in range(5):
            await say(bob, "Wow!")

    await asyncio.gather(repeat(), expect(told).to_be_visible())


async def test_a_spectator_is_counted_by_all_for_as_long_as_it_watches(
    two: tuple[Visitor, Visitor], browser: Browser, platform: Platform
) -> None:
    ada, bob = two
    await expect(ada.page.get_by_text("watching")).to_have_count(0)
    async with visitor(browser, platform.url) as eve, visitor(browser, platform.url) as joe:
        await eve.page.goto(ada.page.url)
        for page in (ada.page, bob.page, eve.page):
            await expect(page.get_by_title("1 watching")).to_be_visible()
        await expect(eve.page.get_by_role("button", name="Say something")).to_have_count(0)
        await joe.page.goto(ada.page.url)
        await expect(ada.page.get_by_title("2 watching")).to_be_visible()
    await asyncio.gather(*(expect(page.get_by_title("watching")).to_have_count(0) for page in (ada.page, bob.page)))


async def test_the_front_door_tells_how_many_watch_a_table(browser: Browser, platform: Platform) -> None:
    async with visitor(browser, platform.url) as ada, visitor(browser, platform.url) as eve:
        await ada.sign_in_as("Ada the watched")
        await ada.page.get_by_role("button", name="Open a table").click()
        await ada.page.wait_for_url(TABLE)
        await eve.page.goto(ada.page.url)
        await expect(ada.page.get_by_title("1 watching")).to_be_visible()
        async with visitor(browser, platform.url) as bob:
            line = bob.page.get_by_role("listitem").filter(has_text="Ada the watched")
            await expect(line).to_contain_text("1 watching")


async def test_a_code_that_no_table_has_is_told_as_such(browser: Browser, platform: Platform) -> None:
    async with visitor(browser, platform.url) as bob:
        await bob.sign_in_as("Bob")
        await bob.page.get_by_label("Code or link").fill("zzz zzz")
        await bob.page.get_by_role("region", name="Join by code").get_by_role("button", name="Join").click()
        await expect(bob.page.get_by_role("alert").filter(has_text="No table has this code")).to_be_visible()
