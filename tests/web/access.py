"""What axe-core finds wrong with a page for people who don't see it, or can't point."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Page

_SCRIPT: Final = Path(__file__).parents[2] / "services/gateway/web/node_modules/axe-core/axe.min.js"
_RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@cache
def _axe() -> str:
    return _SCRIPT.read_text()


async def violations(page: Page) -> list[str]:
    """Each violation with the elements that it concerns. Animations are waited for: what fades has no contrast yet."""
    await page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))")
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(_axe())
    found: list[dict[str, Any]] = await page.evaluate(
        "async (tags) => (await axe.run({ runOnly: { type: 'tag', values: tags } })).violations", _RULES
    )
    return [
        f"{each['id']}: {each['help']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in found
        for node in each["nodes"]
    ]
