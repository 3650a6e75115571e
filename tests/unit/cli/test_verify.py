from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.__main__ import app
from services.rules.options import PRESETS
from tests.unit.cli import played_hand
from tests.unit.scoring import games


@pytest.fixture(scope="module")
def log() -> list[bytes]:
    return played_hand.log()


def answer(log: list[bytes]) -> bytes:
    """As REST gives it."""
    return b'{"events":[' + b",".join(log) + b"]}"


def run(path: Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["verify", str(path)])
    return result.exit_code, result.output


def test_a_true_log_is_verified(tmp_path: Path, log: list[bytes]) -> None:
    (tmp_path / "hand.json").write_bytes(answer(log))

    code, output = run(tmp_path / "hand.json")

    assert code == 0
    assert f"verified, {len(log)} events" in output
    assert output.startswith("hand 1: Player ")
    assert ' called "Demon!"\n  seat 0 Player 0: ' in output
    assert "total" not in output


def test_a_log_is_told_in_the_words_of_its_table_and_partners_together(tmp_path: Path) -> None:
    log = played_hand.log(options=PRESETS["pairs"], seats=4)
    (tmp_path / "hand.json").write_bytes(answer(log))

    code, output = run(tmp_path / "hand.json")

    assert code == 0
    assert ' called "Out!"\n' in output
    for team in ("Player 0 and Player 2", "Player 1 and Player 3"):
        assert f"  {team} together: " in output


def test_a_game_of_aces_up_is_verified_and_told(tmp_path: Path) -> None:
    log = games.whole(games.WINS[0])
    (tmp_path / "game.json").write_bytes(answer(log))

    code, output = run(tmp_path / "game.json")

    assert code == 0
    assert output.startswith(f"Aces Up, deal {games.WINS[0]}: Ann, won, 48 cards removed\n")
    assert f"verified, {len(log)} events" in output

    (tmp_path / "game.json").write_bytes(answer([*log[:-1], log[-1].replace(b'"removed":48', b'"removed":47')]))

    assert run(tmp_path / "game.json")[0] == 1


def test_an_altered_log_is_refused_and_the_place_named(tmp_path: Path, log: list[bytes]) -> None:
    played = next(i for i, event in enumerate(log) if b'"e":"play"' in event)
    altered = [*log[:played], log[played].replace(b'"tie":false', b'"tie":true'), *log[played + 1 :]]
    (tmp_path / "hand.json").write_bytes(answer(altered))

    code, output = run(tmp_path / "hand.json")

    assert code == 1
    assert f"event {played + 1}:" in output


def test_a_log_without_its_end_is_refused(tmp_path: Path, log: list[bytes]) -> None:
    (tmp_path / "hand.json").write_bytes(answer(log[:-1]))

    assert run(tmp_path / "hand.json")[0] == 1


def test_a_file_that_is_no_log_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "hand.json").write_text("hello")

    code, output = run(tmp_path / "hand.json")

    assert code == 1
    assert output.startswith("pandemonium: not the log of a hand")


def test_without_a_command_there_is_help() -> None:
    result = CliRunner().invoke(app, [])

    assert result.exit_code == 0
    assert all(command in result.output for command in ("up", "match", "watch", "verify"))
