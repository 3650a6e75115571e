"""The example of docs/sdk.md, executed as it stands against a whole platform."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from tests.integration.bots.conftest import Hall, hall

__all__ = ["hall"]

DOCUMENT = Path(__file__).parents[3] / "docs" / "sdk.md"


async def test_the_example_bot_plays_a_match_to_its_end(hall: Hall) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    async with asyncio.timeout(100), hall.bots():
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-W",
            "error",
            "-c",
            example,
            env={"PANDEMONIUM_URL": hall.url},
            cwd=DOCUMENT.parents[1],
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert out.decode().startswith("won by (")
