"""What the README has its reader type."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
README: Final = (ROOT / "README.md").read_text()

RUN_HERE: Final = ("git clone ", "make run", "make test")
"""How the newcomer's commands begin that tests/e2e/test_readme.py runs."""
RUN_IN_CONTAINERS: Final = ("make up", ".venv/bin/pandemonium load ", "make down")
"""How those begin that tests/deploy runs."""


def at_a_prompt(**given: str) -> dict[str, str]:
    """The environment in which a newcomer types; what `make test` was given here is not for their `make`."""
    ours = {"MAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "MFLAGS", "ARGS", "JOBS", "APART"}
    return {name: value for name, value in os.environ.items() if name not in ours} | given


def section(title: str) -> str:
    """What stands under that heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", README, re.DOTALL | re.MULTILINE)
    assert found is not None, f"the README has no section {title}"
    return found[1]


def examples(language: str, text: str = README) -> list[str]:
    """The code blocks of that language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def newcomer() -> list[str]:
    """The commands from the clone to the end of the containers, each as it stands, without its comment."""
    lines = [line for block in examples("sh", section("Run it")) for line in block.splitlines()]
    return [re.sub(r"\s+#.*", "", line) for line in lines]


def command(beginning: str) -> str:
    """The one command of the newcomer's that begins so."""
    (found,) = [line for line in newcomer() if line.startswith(beginning)]
    return found
