"""Everybody is spoken to in their own language from the first moment on, and in no other besides."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser, Page, expect

from services.cli.local_platform import Platform
from tests.web.visitor import visitor

in_browser = pytest.mark.asyncio(loop_scope="session")

TEXTS: Final = Path(__file__).parents[2] / "services/gateway/web/src/i18n"
LOCALES: Final = {"en": "en-AU", "es": "es-AR", "pt": "pt-BR", "ru": "ru-RU"}
_SHOWN: Final = """() => {
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
    else for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(node.getAttribute(name) ?? "");
  }
  return found.map((each) => each.trim()).filter(Boolean);
}"""
"""Every text of the page, and everything that is only read to people."""


def _flat(texts: dict[str, Any]) -> list[str]:
    return [text for each in texts.values() for text in (_flat(each) if isinstance(each, dict) else [each])]


def _texts(language: str) -> list[str]:
    return _flat(json.loads((TEXTS / f"{language}.json").read_text()))


def english_left(shown: list[str], language: str) -> list[str]:
    """What is shown in English although this language has words of its own for it."""
    own = set(_texts(language))
    foreign = [text for text in _texts("en") if text not in own and re.search(r"[A-Za-z]{2}", text)]
    patterns = [re.sub(r"\\\{\\\{\w+\\\}\\\}", ".+", re.escape(text)) for text in foreign]
    english = re.compile("|".join(patterns))
    return [text for text in shown if text not in own and english.fullmatch(text)]


async def _left(page: Page, language: str) -> list[str]:
    shown: list[str] = await page.evaluate(_SHOWN)
    assert len(shown) > 20
    return english_left(shown, language)


def test_english_is_found_where_it_does_not_belong() -> None:
    assert english_left(["Play now", "3 cards", "Hand 2", "Ada", "OK"], "ru") == ["Play now", "3 cards", "Hand 2"]
    assert english_left(_texts("ru"), "ru") == []


@in_browser
@pytest.mark.parametrize("language", LOCALES)
async def test_a_browser_s_own_language_is_spoken_everywhere(
    browser: Browser, platform: Platform, language: str
) -> None:
    async with visitor(browser, platform.url, locale=LOCALES[language]) as ada:
        html = ada.page.locator("html")
        await expect(html).to_have_attribute("lang", language)
        if language != "en":
            assert await _left(ada.page, language) == []
        await ada.take_seat(platform.url, seats=2, bots=1, strength="easy", pace="human")
        await ada.page.wait_for_selector("main.table[data-phase=playing]")
        await expect(html).to_have_attribute("lang", language)
        await ada.page.keyboard.press("Space")
        await expect(ada.page.locator("[data-from=waste]")).to_have_count(1)
        if language != "en":
            assert await _left(ada.page, language) == []
        assert ada.complaints == []


@in_browser
async def test_a_language_that_was_chosen_stays(browser: Browser, platform: Platform) -> None:
    async with visitor(browser, platform.url, locale="pt-PT") as ada:
        html = ada.page.locator("html")
        await expect(html).to_have_attribute("lang", "pt")
        await ada.page.locator("header select").select_option("es")
        await expect(html).to_have_attribute("lang", "es")
        await ada.page.reload()
        await expect(html).to_have_attribute("lang", "es")
        assert await _left(ada.page, "es") == []
        assert ada.complaints == []


@in_browser
async def test_who_speaks_none_of_them_is_spoken_to_in_english(browser: Browser, platform: Platform) -> None:
    async with visitor(browser, platform.url, locale="fi-FI") as ada:
        await expect(ada.page.locator("html")).to_have_attribute("lang", "en")
        assert ada.complaints == []
