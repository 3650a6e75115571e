"""Pictures of every view of the page, in every language and size: ``make shots`` puts them into ``results/shots``.

They are for looking at. What a script can see it looks for itself (``tests/web/layout.py``): the command tells what is
wrong with which picture, and fails if anything is. ``make shots ARGS='--lang ru --size 360x640 --view table-8'`` takes
a few of them only; ``make shots ARGS=--docs`` renews those that the README shows.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import sys
import time
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, TimeoutError, async_playwright

from tests.web.browser import FLAGS, found
from tests.web.layout import faults
from tests.web.views import LANGUAGES, OTHER_SIZES, SIZES, VIEWS, View, shown

FOLDER: Final = Path(__file__).parents[2] / "results" / "shots"
AT_ONCE: Final = 4
DOCS: Final = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN: Final = {"table": ("table-4", "1440x900"), "phone": ("table-8", "360x640")}
"""What the README shows: pictures by name, each a view and a size."""


async def shoot(browser: Browser, view: View, language: str, size: str) -> list[str]:
    """One picture; what is wrong with it."""
    try:
        async with shown(browser, view, language, size) as page:
            wrong = await faults(page)
            dialog = await page.locator("dialog").count()
            tall = await page.evaluate("document.scrollingElement.scrollHeight > 4 * innerHeight")
            await page.screenshot(path=FOLDER / f"{view.name}-{language}-{size}.png", full_page=not dialog and not tall)
    except TimeoutError as error:
        wrong = [str(error).partition("\n")[0]]
    return [f"{view.name} {language} {size}: {each}" for each in wrong]


async def shoot_for_docs() -> None:
    """The pictures of the README, as WebP: a third of what PNG weighs."""
    DOCS.mkdir(exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=await asyncio.to_thread(found), args=FLAGS)
        for name, (of, size) in SHOWN.items():
            view = next(view for view in VIEWS if view.name == of)
            async with shown(browser, view, "en", size) as page:
                session = await page.context.new_cdp_session(page)
                taken = await session.send("Page.captureScreenshot", {"format": "webp", "quality": 85})
                (DOCS / f"{name}.webp").write_bytes(base64.b64decode(taken["data"]))
        await browser.close()


async def main(views: list[View], languages: list[str], sizes: list[str]) -> list[str]:
    """All views in all languages and sizes; everything that is wrong."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(browser: Browser, view: View, language: str, size: str) -> list[str]:
        async with gate:
            return await shoot(browser, view, language, size)

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=await asyncio.to_thread(found), args=FLAGS)
        shots = [one(browser, view, language, size) for view in views for language in languages for size in sizes]
        wrong = await asyncio.gather(*shots)
        await browser.close()
    return [each for few in wrong for each in few]


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.shots", description=__doc__)
    parser.add_argument("--lang", action="append", choices=LANGUAGES, help="default: all")
    parser.add_argument("--size", action="append", choices=SIZES + OTHER_SIZES, help=f"default: {', '.join(SIZES)}")
    parser.add_argument("--view", action="append", metavar="NAME", help="views whose names begin so; default: all")
    parser.add_argument("--docs", action="store_true", help=f"only {', '.join(SHOWN)}, into docs/pictures")
    return parser.parse_args()


if __name__ == "__main__":
    asked = arguments()
    if asked.docs:
        sys.exit(asyncio.run(shoot_for_docs()))
    chosen = [view for view in VIEWS if not asked.view or view.name.startswith(tuple(asked.view))]
    began = time.monotonic()
    complaints = asyncio.run(main(chosen, asked.lang or list(LANGUAGES), asked.size or list(SIZES)))
    print(*complaints, sep="\n")
    print(f"{len(list(FOLDER.glob('*.png')))} pictures in {FOLDER}, {time.monotonic() - began:.0f} s")
    sys.exit(bool(complaints))
