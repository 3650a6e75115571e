"""Somebody with a browser of their own: a context, a page, and everything that went wrong on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Locator, Page


class Visitor:
    """A page at the front door. ``complaints`` is what its console, its scripts and its requests reported."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self._note("error", str(error)))
        page.on("request", lambda request: self._check(request.url))

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(f"{kind}: {text}")

    def _check(self, url: str) -> None:
        if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:")):
            self.complaints.append(f"request to {url}")

    async def sign_in_as(self, name: str) -> None:
        """Types a name at the front door."""
        await self.page.get_by_label("Your name").fill(name)

    async def remember(self) -> None:
        """Has the page know that somebody is signed in, as after its own sign-in; the session itself is a cookie."""
        await self.page.evaluate("localStorage.setItem('pandemonium.player', 'here')")

    async def take_seat(self, url: str, **wish: Any) -> str:
        """Opens a table of these wishes, not listed, signed in as Ada, and goes there; its id."""
        await self.call("POST", "/guests", {"name": "Ada"})
        table: str = (await self.call("POST", "/tables", {"public": False, **wish}))["id"]
        await self.remember()
        await self.page.goto(f"{url}/table/{table}")
        return table

    def connection(self, state: str) -> Locator:
        """What the page shows while its table's connection is ``live``, ``lost`` or ``paused``."""
        return self.page.locator(f"p.{state}[role=status]")

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """A REST call with the page's own session; its answer, None if that is empty."""
        return await self.page.evaluate(
            """async ([method, path, body]) => {
              const asked = { method, headers: { "Content-Type": "application/json" } };
              if (body !== null) asked.body = JSON.stringify(body);
              const text = await (await fetch("/api/v1" + path, asked)).text();
              return text ? JSON.parse(text) : null;
            }""",
            [method, path, body],
        )


@asynccontextmanager
async def visitor(browser: Browser, url: str, **context: Any) -> AsyncIterator[Visitor]:
    """A visitor of the front door; with ``has_touch`` and the like a phone."""
    own = await browser.new_context(**{"locale": "en-GB"} | context)
    try:
        visiting = Visitor(await own.new_page())
        await visiting.page.goto(url)
        await visiting.page.wait_for_selector("form")
        yield visiting
    finally:
        await own.close()
