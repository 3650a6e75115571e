"""A player that touches nothing but keys: those of the table, and where these don't reach, Enter on a card."""

from __future__ import annotations

from typing import Final

from playwright.async_api import Page

from services.rules.moves import MoveToColumn, PlayToFoundation, Source
from services.rules.options import Options
from tests.web.page_player import PagePlayer

_KEYS: Final = {Source.DEMON: "d", Source.WASTE: "w", Source.C0: "1", Source.C1: "2", Source.C2: "3", Source.C3: "4"}


class KeyPlayer(PagePlayer):
    """Plays the seat that the page shows, by keys alone."""

    def __init__(self, page: Page, options: Options) -> None:
        super().__init__(page, 0, options=options)

    async def _call(self) -> bool:
        await self.page.keyboard.press("c")
        return True

    async def _move(self, move: PlayToFoundation | MoveToColumn) -> None:
        keys = self.page.keyboard
        await keys.press("Escape")
        if isinstance(move, MoveToColumn):
            await self._take(move)
            await keys.press(str(move.column + 1))
            self.did["column"] += 1
        elif move.source in (Source.DEMON, Source.WASTE):
            await keys.press(_KEYS[move.source])
            self.did["foundation"] += 1
        else:
            await keys.press(_KEYS[move.source])
            await keys.press("f")
            self.did["foundation"] += 1

    async def _take(self, move: MoveToColumn) -> None:
        """Takes the card into the hand; a tail by Enter on its first card, to which Tab leads."""
        card = self.page.locator(f'[data-from="{move.source.value}"][data-card="{move.card.text}"]')
        if await card.count():
            await card.focus(timeout=1000)
            await self.page.keyboard.press("Enter")

    async def _turn(self) -> None:
        await self.page.locator(".stock").focus()
        await self.page.keyboard.press("Space")
        self.did["turn"] += 1
