"""Two people at one table, each with a browser and a line of their own, racing for the same cards by keys."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from playwright.async_api import Browser, Locator, Page, expect

from services.rules.cards import ACE, RANKS, SUITS
from tests.web.line import WITHIN_S, Frame, Line
from tests.web.visitor import Visitor, visitor

WINDOW_MS: Final = 250
RULES: Final = {"demon_size": 5, "draw": 1, "target": 1000, "stuck": "end", "tie_window_ms": WINDOW_MS}
"""Every card of a stock can be reached, races are decided as usual, and the two may agree to end the hand."""

_LAYOUT: Final = """() => {
  const count = (pile) => Number(document.querySelector(`[data-count=${pile}]`).textContent);
  return {
    stock: count("stock"), waste: count("waste"),
    top: document.querySelector("[data-from=waste]")?.dataset.card ?? null,
    ends: [...document.querySelectorAll("[data-column]")].map(
      (column) => [...column.querySelectorAll("[data-card]")].at(-1)?.dataset.card ?? null),
  };
}"""
_KNOWN: Final = f"""() => new Promise((done) => {{
  const look = () => {{
    const now = ({_LAYOUT})();
    if (now.waste && !now.top) return;
    watching.disconnect();
    done(now);
  }};
  const watching = new MutationObserver(look);
  watching.observe(document.querySelector("main.table"), {{ subtree: true, childList: true }});
  look();
}})"""
"""The layout, as soon as the waste's top is known."""
_FOUNDATIONS: Final = """() => [...document.querySelectorAll("[data-f]")].map((place) => [
  place.dataset.top, [...place.querySelectorAll("[data-seat]")].map((card) => Number(card.dataset.seat)).sort()])"""
_WATCH: Final = """([card, seat]) => {
  const seen = (window.seen = { most: 0, least: 9, flew: false });
  const look = () => {
    const shown = document.querySelectorAll(
      `.mine [data-card="${card}"], [data-top="${card}"] [data-seat="${seat}"]`);
    seen.most = Math.max(seen.most, shown.length);
    seen.least = Math.min(seen.least, shown.length);
    seen.flew ||= [...shown].some((each) => each.classList.contains("flying"));
  };
  look();
  new MutationObserver(look).observe(document.querySelector("main.table"), {
    subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
}"""

Foundations = list[tuple[str, list[int]]]
"""The top of each, and the seats whose card it is."""


class Racer:
    """One of the two, who looks only at the page and presses only keys. ``reach`` are the cards that can be played."""

    def __init__(self, guest: Visitor, line: Line, name: str) -> None:
        self.guest = guest
        self.page: Page = guest.page
        self.line = line
        self.name = name
        self.seat = -1
        self.reach: set[str] = set()

    async def sit_down(self, url: str) -> None:
        await self.guest.remember()
        await self.page.goto(url)
        await self.page.wait_for_selector("main.table[data-phase=playing]")
        self.seat = self.line.told[0]["seat"]

    async def learn(self) -> None:
        """Goes through the whole stock once."""
        layout = await self.layout()
        self.reach.update(filter(None, layout["ends"]))
        while layout["stock"]:
            layout = await self._turn(layout)
            self.reach.add(layout["top"])

    async def layout(self) -> dict[str, Any]:
        """``stock`` and ``waste`` (how many), the waste's ``top``, the columns' ``ends``."""
        shown: dict[str, Any] = await self.page.evaluate(_LAYOUT)
        return shown

    async def show(self, card: str) -> None:
        """Turns until the card, which is in reach, can be played."""
        layout = await self.layout()
        for _ in range(layout["stock"] + layout["waste"] + 2):
            if card in (layout["top"], *layout["ends"]):
                return
            layout = await self._turn(layout)
        raise AssertionError(f"{card} is not in the stock")

    async def _turn(self, layout: dict[str, Any]) -> dict[str, Any]:
        """Turns one card, or the waste over; the layout once the page knows what came.

        While one turn is on its way the page takes no other: then the key is pressed again.
        """
        turned = layout
        async with asyncio.timeout(WITHIN_S):
            while turned["stock"] == layout["stock"]:
                await self.page.keyboard.press("Space")
                turned = await self.page.evaluate(_KNOWN)
        return turned

    async def play(self, card: str) -> None:
        """Puts a card that can be played on a foundation."""
        await self.page.keyboard.press(await self.aim(card))

    async def aim(self, card: str) -> str:
        """Takes a card that can be played in hand; the key that puts it on a foundation."""
        layout = await self.layout()
        if card == layout["top"]:
            return "w"
        await self.page.keyboard.press(str(layout["ends"].index(card) + 1))
        return "f"

    def card(self, card: str) -> Locator:
        """The card in this racer's own layout."""
        return self.page.locator(f'.mine [data-card="{card}"]')

    def landed(self, card: str, seat: int) -> Locator:
        """The card of this seat, on top of a foundation."""
        return self.page.locator(f'[data-top="{card}"] [data-seat="{seat}"]')

    async def foundations(self) -> Foundations:
        return [(top, seats) for top, seats in await self.page.evaluate(_FOUNDATIONS)]

    async def watch(self, card: str) -> None:
        """From now on the page counts how often it shows this racer's card: see :meth:`seen`."""
        await self.page.evaluate(_WATCH, [card, self.seat])

    async def seen(self) -> dict[str, Any]:
        """``least`` and ``most`` times at once that the watched card was shown, and whether it ``flew``."""
        seen: dict[str, Any] = await self.page.evaluate("window.seen")
        return seen


class Duel:
    """The table of the two."""

    def __init__(self, table: str, racers: Sequence[Racer]) -> None:
        self.table = table
        self.racers = racers

    async def contest(self) -> str:
        """Builds until both have the next card of a foundation before them; that card."""
        await asyncio.gather(*(racer.learn() for racer in self.racers))
        for suit in SUITS:
            for rank, figure in enumerate(RANKS, start=ACE):
                card = figure + suit
                having = [racer for racer in self.racers if card in racer.reach]
                if rank > ACE and len(having) == 2:
                    await asyncio.gather(*(racer.show(card) for racer in self.racers))
                    return card
                if not having:
                    break
                await self.build(having[0], card)
        raise AssertionError("no card was in the reach of both")

    async def build(self, racer: Racer, card: str) -> None:
        """One of them puts the card up; both see it."""
        await racer.show(card)
        await racer.play(card)
        for each in self.racers:
            await expect(each.landed(card, racer.seat)).to_be_visible()

    async def end(self) -> list[Frame]:
        """They agree to end the hand; its log."""
        for racer in self.racers:
            await racer.page.keyboard.press("v")
        for racer in self.racers:
            await expect(racer.page.locator(".sheet .details a")).to_be_visible()  # it is counted
        guest = self.racers[0].guest
        match = (await guest.call("GET", f"/tables/{self.table}"))["match"]
        log: list[Frame] = (await guest.call("GET", f"/matches/{match}/hands/1"))["events"]
        return log


def foundations_of(log: Sequence[Frame]) -> Foundations:
    """What lies on the foundations after these events."""
    ranks: dict[int, dict[str, list[int]]] = {}
    for event in log:
        if event["e"] == "play":
            ranks.setdefault(event["f"], {}).setdefault(event["card"], []).append(event["seat"])
    tops = (list(ranks[f].items())[-1] for f in sorted(ranks))
    return [(card, sorted(seats)) for card, seats in tops]


@asynccontextmanager
async def duel(browser: Browser, url: str) -> AsyncIterator[Duel]:
    """Ada and Bob in a hand that has begun. Their pages must complain of nothing."""
    async with visitor(browser, url) as first, visitor(browser, url) as second:
        racers = [Racer(guest, await Line.of(guest.page), name) for guest, name in ((first, "Ada"), (second, "Bob"))]
        for racer in racers:
            await racer.guest.call("POST", "/guests", {"name": racer.name})
        table = await first.call("POST", "/tables", {"seats": 2, "options": RULES, "public": True})
        await second.call("POST", f"/tables/{table['id']}/join", {})
        await asyncio.gather(*(racer.sit_down(f"{url}/table/{table['id']}") for racer in racers))
        yield Duel(table["id"], racers)
        complaints = first.complaints + second.complaints
        assert not complaints, complaints
