"""Every view of the page on a paper server: the scene behind it, its path, and how it is brought to what is to be seen.

Steps name elements by class, role or place and never by words, since views are looked at in every language.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from playwright.async_api import Browser, Page

from tests.unit.bots.paper_match import NOON
from tests.web import paper_scenes as scenes
from tests.web.layout import settle
from tests.web.paper_server import URL, PaperServer, Scene

LANGUAGES: Final = ("en", "es", "pt", "ru")
SIZES: Final = ("360x640", "768x1024", "1440x900")
OTHER_SIZES: Final = ("640x360", "2560x1440", "3840x2160")
"""Looked at when they are asked for: a phone on its side, and screens of many pixels."""
LARGEST_PHONE: Final = 700
"""Windows whose shorter and longer side are at most this are those of phones: touched, and of two pixels to each px."""

Steps = Callable[[Page], Awaitable[None]]
NEWS_MS: Final = 4_000
"""What players are told in passing is gone by then. It passes in halves: a server has to be heard from in between."""
SILENCE_MS: Final = 9_000
_TABLE: Final = f"/table/{scenes.TABLE}"


async def _nothing(_: Page) -> None:
    """The view is what it is to be once it is there."""


@dataclass(frozen=True)
class View:
    """A view. ``there`` is what it has once it is loaded; ``settings`` are choices that the visitor has made."""

    name: str
    scene: Callable[[], Scene]
    path: str
    there: str
    steps: Steps = _nothing
    settings: dict[str, Any] | None = None


def _press(selector: str, then: str) -> Steps:
    async def steps(page: Page) -> None:
        await page.locator(selector).first.click()
        await page.wait_for_selector(then)

    return steps


async def _stuck(page: Page) -> None:
    """A card is held, and the others are asked whether they are stuck as well."""
    await page.locator(".column [data-from]:last-of-type").first.click(position={"x": 8, "y": 8})
    await page.locator("footer .plain").first.click()
    await page.wait_for_selector(".stuck")


async def _lost(page: Page) -> None:
    """Nothing has been heard for so long that the connection is given up."""
    await page.clock.fast_forward(SILENCE_MS)
    await page.wait_for_selector("header .lost")


async def _contest(page: Page) -> None:
    """The replay stands where somebody was first."""
    await page.keyboard.press("Home")
    await page.keyboard.press("Shift+ArrowRight")


async def _deck(page: Page) -> None:
    """The proof is open, and in it a proven deck."""
    await _press("button.badge", "dialog summary")(page)
    await page.locator("dialog summary").last.click()
    await page.locator("dialog").evaluate("dialog => dialog.scrollTo(0, dialog.scrollHeight)")


async def _advice(page: Page) -> None:
    """It is told whether the game can still be won."""
    await page.wait_for_selector(".outlook.yes")


async def _data(page: Page) -> None:
    """The settings, as far down as one goes to be deleted."""
    await _press("header .own button", "dialog [aria-haspopup=dialog]")(page)
    await page.locator("dialog [aria-haspopup=dialog]").scroll_into_view_if_needed()


def _beside(name: str, path: str, there: str, steps: Steps = _nothing, *, known: bool = True) -> View:
    return View(name, lambda: scenes.front(known=known), path, there, steps)


def _of_table(seats: int) -> tuple[View, ...]:
    return (
        View(f"table-{seats}-waiting", lambda: scenes.waiting(seats), _TABLE, "main.table details"),
        View(f"table-{seats}", lambda: scenes.playing(seats), _TABLE, ".mine [data-card]"),
        View(f"table-{seats}-sheet", lambda: scenes.ended(seats, over=False), _TABLE, ".sheet .details a"),
        View(f"table-{seats}-match", lambda: scenes.ended(seats, over=True), _TABLE, ".sheet .details a"),
        View(f"replay-{seats}", lambda: scenes.ended(seats, over=False), "/replay/m1/1#150", ".badge.yes", _contest),
    )


VIEWS: Final = (
    _beside("front", "/", "main li", known=False),
    _beside("front-known", "/", "main li"),
    _beside("create", "/new", "main summary", _press("summary", "details[open] .options")),
    _beside("rules", "/rules", "article h2"),
    _beside("rules-RD-8", "/rules#RD-8", "article h2"),
    _beside("history", "/history", "main li a"),
    _beside("match", "/match/m1#hand-1", ".details a"),
    _beside("leaderboard", "/leaderboard", "main table"),
    _beside("not-found", "/nothing-here", "main h1"),
    _beside("settings", "/", "main li", _press("header .own button", "dialog")),
    _beside("settings-data", "/", "main li", _data),
    _beside("delete", "/history", "main li a", _press("main [aria-haspopup=dialog]", "dialog li")),
    *_of_table(2),
    *_of_table(4),
    *_of_table(8),
    View("table-4-call", lambda: scenes.to_call(4), _TABLE, ".mine .call"),
    View("table-4-watched", lambda: scenes.playing(4, watched=True), _TABLE, "[data-foundations] [data-f]"),
    View("table-8-tied", lambda: scenes.tied(8), _TABLE, "[data-f] .tied"),
    View(
        "table-4-words",
        lambda: scenes.playing(4),
        _TABLE,
        ".mine [data-card]",
        _press("[popovertarget]", "[popover] button"),
    ),
    View("table-8-lost", lambda: scenes.lost(8), _TABLE, ".mine [data-card]", _lost),
    View("table-4-stuck", lambda: scenes.playing(4), _TABLE, ".mine [data-card]", _stuck),
    View("table-4-leave", lambda: scenes.playing(4), _TABLE, ".mine [data-card]", _press("header .leave", "dialog")),
    View("table-8-left", lambda: scenes.playing(8), _TABLE, ".mine [data-card]", settings={"hand": "left"}),
    View(
        "table-8-big",
        lambda: scenes.playing(8),
        _TABLE,
        ".mine [data-card]",
        settings={"size": "xl", "faces": "4color", "figures": "classic"},
    ),
    View("invite", lambda: scenes.waiting(4), _TABLE, "main.table details", _press("main section .primary", "dialog")),
    View(
        "table-rules",
        lambda: scenes.playing(4),
        _TABLE,
        ".mine [data-card]",
        _press("header button:has(path[d^=M12])", "dialog"),
    ),
    View("proof", lambda: scenes.ended(8, over=False), "/replay/m1/1#150", ".badge.yes", _deck),
    View("aces-page", lambda: scenes.front(known=True), "/aces-up", "figure"),
    View(
        "aces-table",
        lambda: scenes.aces_up(30, practice=True),
        _TABLE,
        ".piles [data-card]",
        _advice,
        {"acesOutlook": True},
    ),
    View("aces-menu", lambda: scenes.aces_up(30), _TABLE, ".piles [data-card]", _press("footer .menu", "dialog")),
    View("aces-won", lambda: scenes.aces_up(None), _TABLE, ".result dl"),
    View("aces-replay", lambda: scenes.aces_up(30), "/replay/a1/1#30", ".badge.yes"),
)


def _remembered(name: str | None, settings: dict[str, Any]) -> str:
    """A script that has the browser remember what it would from an earlier visit."""
    kept = {"pandemonium.settings": json.dumps(settings | {"name": name or ""})}
    if name is not None:
        kept["pandemonium.player"] = "p0"
    return "".join(f"localStorage.setItem({json.dumps(key)}, {json.dumps(value)});" for key, value in kept.items())


@asynccontextmanager
async def shown(browser: Browser, view: View, language: str, size: str) -> AsyncIterator[Page]:
    """The view in a window of that size, at rest. Raises playwright's TimeoutError if it does not get there."""
    width, height = map(int, size.split("x"))
    phone = max(width, height) <= LARGEST_PHONE
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2 if phone else 1,
        is_mobile=phone,
        has_touch=phone,
        locale=language,
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    try:
        scene = view.scene()
        await PaperServer(scene).serve(context)
        page = await context.new_page()
        await page.clock.install(time=NOON / 1_000)
        await page.add_init_script(_remembered(scene.name, (view.settings or {}) | {"language": language}))
        await page.goto(URL + view.path)
        await page.wait_for_selector(view.there)
        await view.steps(page)
        for _ in range(2):
            await settle(page)
            await page.clock.fast_forward(NEWS_MS // 2)
        await settle(page)
        yield page
    finally:
        await context.close()
