"""What is wrong with how a page lies: text that is cut or runs over, controls on each other, outside, or too small."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from playwright.async_api import Page

_SCRIPT: Final = Path(__file__).with_suffix(".js")


@cache
def _checker() -> str:
    return _SCRIPT.read_text().strip().rstrip(";")


async def settle(page: Page) -> None:
    """Waits until pictures are there and nothing moves any more."""
    await page.evaluate(
        """async () => {
          await document.fonts.ready;
          await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
          const ends = (each) => each.effect.getComputedTiming().endTime !== Infinity;
          await Promise.all(document.getAnimations().filter(ends).map((each) => each.finished.catch(() => {})));
          await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        }"""
    )


async def faults(page: Page) -> list[str]:
    """One sentence for each thing that is wrong, in the window's present size."""
    size = page.viewport_size
    assert size is not None
    call = f"({_checker()})({size['width']}, {size['height']})"
    found: list[str] = await page.evaluate(call)
    return found
