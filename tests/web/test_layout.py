"""Nothing is cut, nothing lies on anything else, and everything can be hit, in every language and on every screen."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser

from services.gateway import page
from tests.web.layout import faults, settle
from tests.web.views import LANGUAGES, SIZES, VIEWS, View, shown

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(not page.read(), reason="the page was not built: make install"),
]
LOOKED_AT = ("front", "table-8", "table-8-sheet", "aces-table")
"""Those of the views where there is least room; ``make shots`` looks at all."""


@pytest.mark.parametrize("view", [view for view in VIEWS if view.name in LOOKED_AT], ids=lambda view: view.name)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_view_lies_as_it_should_on_every_screen(browser: Browser, view: View, language: str) -> None:
    found = {}
    async with shown(browser, view, language, SIZES[-1]) as looked_at:
        for size in SIZES:
            width, height = map(int, size.split("x"))
            await looked_at.set_viewport_size({"width": width, "height": height})
            await settle(looked_at)
            found[size] = await faults(looked_at)
    assert found == {size: [] for size in SIZES}


async def test_what_is_wrong_is_found(browser: Browser) -> None:
    view = next(view for view in VIEWS if view.name == "table-8")
    async with shown(browser, view, "en", "1440x900") as looked_at:
        assert await faults(looked_at) == []
        await looked_at.evaluate(_SPOIL, _SPOILT)
        await settle(looked_at)
        told = " ".join(await faults(looked_at))
    for kind in ("cut: ", "outside the window: ", "small, ", "on each other: "):
        assert kind in told


# Inline styles are what the page's policy forbids.
_SPOIL = """async (rules) => {
  const sheet = await new CSSStyleSheet().replace(rules);
  document.adoptedStyleSheets.push(sheet);
}"""
_SPOILT = """
  article .name { min-width: 0 !important; max-width: 1rem; overflow: hidden; white-space: nowrap; }
  header .leave { position: absolute; left: -3rem; }
  footer .plain { height: 20px; min-height: 0; }
  [data-f] { margin-inline: -6px; }
"""
