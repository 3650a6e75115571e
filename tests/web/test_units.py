"""The page's own unit tests, with hands from the real rules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web import paper_games, paper_hands

ROOT = Path(__file__).parents[2]
WEB = ROOT / "services/gateway/web"


@pytest.mark.skipif(not (WEB / "node_modules").exists(), reason="the page's tools are not installed: make install")
def test_the_page_s_unit_tests_pass(tmp_path: Path) -> None:
    hands, games = tmp_path / "hands.json", tmp_path / "games.json"
    paper_hands.write(hands)
    paper_games.write(games)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["npm", "--silent", "test"],
        cwd=WEB,
        env=os.environ | {"PATH": path, "PAPER_HANDS": str(hands), "PAPER_GAMES": str(games), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
