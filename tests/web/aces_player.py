"""A player of Aces Up that sees only the page and touches only the page: taps, drags and keys."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

from playwright.async_api import Page

from services.rules.aces_up.moves import Action, Applied, Fill, Remove, Row, apply
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.state import State
from tests.web.pointer import Pointer

DOUBLE_CLICK_MS: Final = 300
SHOWN: Final = """() => [...document.querySelectorAll("[data-pile]")].map(
  (pile) => pile.querySelector("[data-card]")?.dataset.card ?? null
).concat([Number(document.querySelector("[data-count=stock]")?.textContent)])"""
"""The four tops and the size of the stock, as the page shows them."""


class AcesPlayer:
    """Plays the game that the page shows, from ``state`` on. ``did`` counts what it did, by kind and way."""

    def __init__(self, page: Page, state: State, options: AcesUpOptions, *, seed: int = 0, touch: bool = False) -> None:
        self.page = page
        self.state = state
        self.did: Counter[str] = Counter()
        self._dealt_at = 0.0
        self._options = options
        self._pointer = Pointer(page, touch=touch)
        self._luck = random.Random(seed)
        self._ways = ("tap", "drag") if touch else ("tap", "drag", "keys")

    async def play(self, actions: Sequence[Action]) -> None:
        """Makes these actions, one after the other, each as soon as the page shows what the last one did."""
        for action in actions:
            applied = apply(self.state, action, self._options)
            assert isinstance(applied, Applied)
            await self._do(action)
            self.state = applied.state
            await self.until_shown()

    async def until_shown(self) -> None:
        """Waits until the page shows this state, and every card lies where it belongs."""
        tops = [top.text if top else None for top in self.state.tops]
        await self.page.wait_for_function(
            f"wanted => JSON.stringify(({SHOWN})()) === wanted && !document.querySelector('.flying')",
            arg=_json(tops, self.state),
        )

    async def _do(self, action: Action) -> None:
        way = self._luck.choice(self._ways)
        match action:
            case Row():
                await (self.page.keyboard.press("Space") if way == "keys" else self._deal())
            case Remove(pile):
                await self._move(pile, way, "[data-gone]", None)
            case Fill(source, _, to):
                await self._move(source, way, f"[data-pile='{to}'] .place", to)
            case _:
                raise TypeError(f"not played here: {action!r}")
        self.did[f"{type(action).__name__.lower()} by {way}"] += 1

    async def _deal(self) -> None:
        """On the stock; two rows by pointer at once would be a double click, which deals one."""
        now = asyncio.get_running_loop().time
        await self.page.wait_for_timeout(max(0, DOUBLE_CLICK_MS - (now() - self._dealt_at) * 1000))
        await self._press(".stock")
        self._dealt_at = now()

    async def _move(self, pile: int, way: str, place: str, to: int | None) -> None:
        """To the place; removals by tap or key are the second one on the same card."""
        card = f"[data-from='{pile}']"
        if way == "keys":
            await self.page.keyboard.press(str(pile + 1))
            await self.page.keyboard.press(str((pile if to is None else to) + 1))
        elif way == "drag":
            assert await self._pointer.drag(self.page.locator(card), self.page.locator(place))
        else:
            await self._press(card)
            await self._press(card if to is None else place)

    async def _press(self, selector: str) -> None:
        assert await self._pointer.press(self.page.locator(selector)), selector


def _json(tops: list[str | None], state: State) -> str:
    shown = ",".join("null" if top is None else f'"{top}"' for top in tops)
    return f"[{shown},{state.stock_count}]"
