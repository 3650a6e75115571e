from __future__ import annotations

import inspect
import re
from pathlib import Path
from zlib import crc32

from services.runtime import keys

DOC = Path(__file__).parents[3] / "docs" / "architecture.md"


SHARD_7 = next(name for name in map(str, range(1000)) if keys.shard(name) == 7)
SAMPLES = {"table": SHARD_7, "shard": 7, "player": "<player>", "token_hash": "<sha256 of the token>"}
"""What each parameter is given; one that is not named here stands for itself, as in the document."""


def made() -> dict[str, str]:
    """Every key and channel that this module makes, by the function's name."""
    functions = [item for item in inspect.getmembers(keys, inspect.isfunction) if item[0] != "shard"]
    return {
        name: make(*(SAMPLES.get(parameter, f"<{parameter}>") for parameter in inspect.signature(make).parameters))
        for name, make in functions
        if make.__module__ == keys.__name__
    }


def test_all_keys_of_a_table_and_of_its_shard_carry_the_shards_tag() -> None:
    tag = f"{{s{crc32(SHARD_7.encode()) % 64}}}:"
    for name, key in made().items():
        parameters = set(inspect.signature(getattr(keys, name)).parameters)
        assert key.startswith(tag) == bool(parameters & {"table", "shard"}), name


def test_the_architecture_document_names_exactly_the_keys_that_are_made_here() -> None:
    section = DOC.read_text().partition("## Keys")[2].partition("\n### ")[0]
    named = [key.replace("<table>", SHARD_7) for key in re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE)]
    assert sorted(named) == sorted(made().values())


def test_tables_spread_over_all_shards() -> None:
    assert {keys.shard(f"table-{number}") for number in range(2000)} == set(range(keys.SHARDS))
