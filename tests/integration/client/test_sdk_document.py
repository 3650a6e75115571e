"""The examples of docs/sdk.md, executed as they stand against a whole platform."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from tests.integration.bots.conftest import Hall, hall

__all__ = ["hall"]

DOCUMENT = Path(__file__).parents[3] / "docs" / "sdk.md"
MATCH, PATIENCE = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)


async def run(example: str, url: str) -> str:
    """What the example prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-W",
        "error",
        "-c",
        example,
        env={"PANDEMONIUM_URL": url},
        cwd=DOCUMENT.parents[1],
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


async def test_the_example_bot_plays_a_match_to_its_end(hall: Hall) -> None:
    async with asyncio.timeout(100), hall.bots():
        assert (await run(MATCH, hall.url)).startswith("won by (")


async def test_the_example_of_a_patience_wins_its_deal(hall: Hall) -> None:
    async with asyncio.timeout(60):
        assert await run(PATIENCE, hall.url) == "won 48 cards removed\n"
