"""A player that sees only the page and touches only the page: real clicks, drags and keys."""

from __future__ import annotations

import random
from collections import Counter
from itertools import cycle
from typing import Any, Final

from playwright.async_api import Page

from services.rules.cards import Card, card
from services.rules.hand import Phase
from services.rules.moves import COLUMN, MoveToColumn, PlayToFoundation, Source
from services.rules.options import Options
from services.rules.useful import useful_moves
from services.rules.view import FoundationView, SeatView, TableView
from tests.web.pointer import Pointer

READ: Final = """() => {
  const number = (text) => Number((text ?? "").match(/\\d+/)?.[0] ?? 0);
  const cards = (from) => [...document.querySelectorAll(`[data-from=${from}]`)].map((each) => each.dataset.card);
  const count = (pile) => number(document.querySelector(`[data-count=${pile}]`)?.textContent);
  return {
    phase: document.querySelector("main.table")?.dataset.phase ?? null,
    mine: document.querySelector(".mine") !== null,
    demon: count("demon"), stock: count("stock"), waste: count("waste"),
    tops: [...cards("demon"), null].slice(0, 1).concat([...cards("waste"), null].slice(0, 1)),
    columns: ["c0", "c1", "c2", "c3"].map(cards),
    foundations: [...document.querySelectorAll("[data-f]")].map((each) => each.dataset.top),
  };
}"""


class PagePlayer:
    """Plays the seat that the page shows. ``did`` counts what it did, by kind and way."""

    def __init__(self, page: Page, seed: int, *, touch: bool = False, options: Options | None = None) -> None:
        self.page = page
        self.did: Counter[str] = Counter()
        self._luck = random.Random(seed)
        self._to_column = cycle(("drag", "clicks"))
        self._to_foundation = cycle(("drag", "double", "keys"))
        self._pointer = Pointer(page, touch=touch)
        self._options = options or Options()

    async def step(self) -> str:
        """Does the next useful thing; the phase that it saw."""
        seen: dict[str, Any] = await self.page.evaluate(READ)
        phase = seen["phase"] or ""
        if phase != Phase.PLAYING or not seen["mine"]:
            return phase
        view = self._view(seen)
        moves = sorted(useful_moves(view, 0), key=lambda useful: -useful.worth)
        if seen["demon"] == 0 and await self._call():
            self.did["call"] += 1
        elif moves:
            await self._move(moves[0].move)
        elif seen["stock"] or seen["waste"]:
            await self._turn()
        else:
            await self._vote()
        return phase

    async def _call(self) -> bool:
        return await self._pointer.press(self.page.locator(".mine .call"))

    async def _move(self, move: PlayToFoundation | MoveToColumn) -> None:
        way = next(self._to_column if isinstance(move, MoveToColumn) else self._to_foundation)
        here = self.page.locator(f'[data-from="{move.source.value}"][data-card="{move.card.text}"]')
        if isinstance(move, MoveToColumn):
            there = self.page.locator(f'[data-column="{COLUMN[move.column].value}"]')
        else:
            there = self.page.locator("[data-foundations]")
        if way == "drag":
            done = await self._pointer.drag(here, there)
        elif way == "keys" and move.source in (Source.DEMON, Source.WASTE):
            await self.page.keyboard.press("d" if move.source is Source.DEMON else "w")
            done = True
        elif way == "clicks":
            done = await self._pointer.press(here, at=0.1) and await self._pointer.press(there, at=0.03)
        else:
            done = await self._pointer.press(here, at=0.1) and await self._pointer.press(here, at=0.1)
        if done:
            self.did[f"{'column' if isinstance(move, MoveToColumn) else 'foundation'} by {way}"] += 1

    async def _turn(self) -> None:
        if self._luck.random() < 0.3:
            await self.page.keyboard.press("Space")
        elif not await self._pointer.press(self.page.locator(".stock")):
            return
        self.did["turn"] += 1

    async def _vote(self) -> None:
        await self.page.keyboard.press("v")
        self.did["vote"] += 1

    async def look(self) -> TableView:
        """What the page shows of its own seat, as the rules see a table."""
        return self._view(await self.page.evaluate(READ))

    def _view(self, seen: dict[str, Any]) -> TableView:
        demon_top, waste_top = (named and card(named) for named in seen["tops"])
        waste: tuple[Card | None, ...] = (*(None,) * (seen["waste"] - 1), waste_top) if seen["waste"] else ()
        c0, c1, c2, c3 = (tuple(map(card, column)) for column in seen["columns"])
        foundations = tuple(FoundationView(top[1], ((0,),) * card(top).rank) for top in seen["foundations"])
        seat = SeatView(seen["demon"], demon_top, (c0, c1, c2, c3), seen["stock"], waste)
        return TableView(
            phase=Phase.PLAYING, options=self._options, votes=(None,), seats=(seat,), foundations=foundations
        )
