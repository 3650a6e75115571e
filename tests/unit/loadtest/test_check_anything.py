"""Whatever the files of a run say, the check tells of it and raises nothing."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from services.loadtest.check import check
from services.rules.events import digest
from tests.unit.loadtest import paper_run

SEEDS = 12


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "untouched"
    paper_run.write(folder, tables=1, seed=3, hands=1)
    return folder


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_log_with_anything_in_it(untouched: Path, tmp_path: Path, seed: int) -> None:
    run = shutil.copytree(untouched, tmp_path / "run")
    path = run / "logs" / "m0-1.json"
    luck = Random(seed)
    events = json.loads(path.read_bytes())["events"]
    for _ in range(3):
        place = luck.randrange(len(events))
        events[place] = _twisted(events[place], luck)
    path.write_text('{"events":[' + ",".join(_chained(events)) + "]}")

    assert not check(run).holds


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_history_with_anything_in_it(untouched: Path, tmp_path: Path, seed: int) -> None:
    run = shutil.copytree(untouched, tmp_path / "run")
    path = run / "histories" / "p0.jsonl.gz"
    luck = Random(seed)
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    for _ in range(20):
        place = luck.randrange(len(lines))
        lines[place] = _twisted(lines[place], luck)
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode(), 1))

    assert not check(run).holds


def _twisted(value: Any, luck: Random) -> Any:
    """Another value in some place within this one."""
    if isinstance(value, dict | list) and value and luck.random() < 0.9:
        keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = luck.choice(keys)
        value[key] = _twisted(value[key], luck)
        return value
    others: list[Any] = [None, True, -1, 0, 7, 10**20, "", "KD", "demon", "\u00e9", [], [[]], {}, value, [value]]
    return luck.choice([other for other in others if other != value])


def _chained(events: list[Any]) -> list[str]:
    """The events with digests that fit, so that more than the digests has to notice."""
    head, out = "", []
    for event in events:
        if isinstance(event, dict):
            body = json.dumps({key: of for key, of in event.items() if key != "digest"}, separators=(",", ":"))[:-1]
            head = digest(head, body)
            out.append(f'{body},"digest":"{head}"}}')
        else:
            out.append(json.dumps(event))
    return out
