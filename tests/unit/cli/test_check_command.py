from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.__main__ import app
from tests.unit.loadtest import paper_run
from tests.unit.loadtest.faults import FAULTS


@pytest.fixture
def run(tmp_path: Path) -> Path:
    paper_run.write(tmp_path / "run", tables=1, seed=1)
    return tmp_path / "run"


def _check(run: Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["check", str(run), "--processes", "1"])
    return result.exit_code, result.output


def test_a_run_that_holds_is_told_with_what_was_checked_and_what_was_not(run: Path) -> None:
    code, output = _check(run)

    assert code == 0
    assert "2 hands\n" in output
    assert "could not be checked\n" in output
    assert "acknowledged commands of hands without a log" in output
    assert "proven: nothing wrong was found" in output


def test_a_finding_is_told_with_its_table_hand_and_event_and_the_exit_code(run: Path) -> None:
    FAULTS["a contest has the wrong winner"].seed(run)

    code, output = _check(run)

    assert code == 1
    assert "contest_wrong: table t0, match m0, hand 1, event " in output
    assert "proven" not in output


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    code, output = _check(tmp_path)

    assert code != 0
    assert "nothing to" in output
