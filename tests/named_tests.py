"""The names of the tests in a file, for documents that point to them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent


@cache
def names_of_tests(path: Path) -> frozenset[str]:
    """Every function of the file whose name begins with ``test_``."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = (node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, functions))
    return frozenset(name for name in found if name.startswith("test_"))


def is_a_test(named: str) -> bool:
    """Whether ``folder/file.py::test_name``, seen from the folder of tests, is there."""
    path, _, name = named.partition("::")
    return (TESTS / path).is_file() and name in names_of_tests(TESTS / path)
