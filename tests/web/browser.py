"""A Chromium to test the page with. ``python -m tests.web.browser`` says where one is, and fails if there is none."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS: Final = ["--no-sandbox", "--disable-gpu"]
"""Containers have no sandbox to offer, and no screen."""


def found() -> str | None:
    """The path of a Chromium: what ``CHROMIUM`` names, one on the path, or what playwright installed."""
    named = os.environ.get("CHROMIUM")
    if named or (named := next(filter(None, map(shutil.which, _NAMES)), None)):
        return named
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


if __name__ == "__main__":
    path = found()
    print(path or "no Chromium on the path: `make browser` installs one")
    sys.exit(path is None)
