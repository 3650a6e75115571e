"""What a first visit loads, as it travels."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.gateway.page import DIST, read

MOST_BYTES = 250_000


@pytest.mark.skipif(not read(), reason="the page was not built: make install")
@pytest.mark.parametrize(
    "view",
    [
        "src/front/Front.svelte",
        "src/table/TableView.svelte",
        "src/aces-up/AcesUpView.svelte",
        "src/aces-up/AcesTable.svelte",
    ],
)
def test_a_first_visit_is_light(view: str) -> None:
    files = read()
    manifest: dict[str, Any] = json.loads((DIST / ".vite/manifest.json").read_text())
    needed = {"index.html", manifest["style.css"]["file"]}
    waiting = ["index.html", view, "src/i18n/ru.json"]
    seen = set()
    while waiting:
        entry = manifest[name := waiting.pop()]
        seen.add(name)
        needed |= {entry["file"], *entry.get("css", ())}
        waiting += [each for each in entry.get("imports", ()) if each not in seen]
    weight = sum(min(map(len, files[f"/{name}"].contents.values())) for name in needed)
    print(f"{view}: {weight} bytes in {len(needed)} files")
    assert weight <= MOST_BYTES
