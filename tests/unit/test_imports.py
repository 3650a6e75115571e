"""Who may import what, file by file: the part of the dependency rules that import-linter has no words for."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SERVICES = ROOT / "services"

IMPURE = {
    "asyncio", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets", "selectors",
    "shutil", "signal", "socket", "subprocess", "sys", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
"""The parts of the standard library that read a clock, take chances or reach outside the process."""
GENERATED_IN = {"service.py", "convert.py", "backend.py"}


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(), str(file))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def files(*services: str) -> list[Path]:
    found = [file for service in services for file in sorted((SERVICES / service).rglob("*.py"))]
    assert found, f"no files in {services}"
    return found


def roots(file: Path) -> set[str]:
    return {module.partition(".")[0] for module in imported(file)}


def name(file: Path) -> str:
    return str(file.relative_to(ROOT))


@pytest.mark.parametrize("file", files("rules"), ids=name)
def test_rules_import_only_the_pure_part_of_the_standard_library(file: Path) -> None:
    foreign = {module for module in imported(file) if not module.startswith("services.rules")}
    tops = {module.partition(".")[0] for module in foreign}
    assert tops <= set(sys.stdlib_module_names), "rules need nothing installed"
    assert not tops & IMPURE, "rules take time and chance as arguments"


OUTSIDE_RUNTIME = [
    file
    for file in files(*(folder.name for folder in SERVICES.iterdir() if (folder / "__init__.py").exists()))
    if "runtime" not in file.parts
]


@pytest.mark.parametrize("file", OUTSIDE_RUNTIME, ids=name)
def test_redis_is_imported_only_by_the_files_that_own_keys(file: Path) -> None:
    assert file.name.startswith("redis_") or not roots(file) & {"redis", "hiredis"}


@pytest.mark.parametrize("file", OUTSIDE_RUNTIME, ids=name)
def test_generated_code_is_imported_only_where_it_is_translated(file: Path) -> None:
    assert file.name in GENERATED_IN or "pandemonium" not in roots(file)
