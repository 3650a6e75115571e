"""Every example in the docstrings of ``services.rules`` runs as written."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from services import rules

MODULES = ["services.rules", *(module.name for module in pkgutil.walk_packages(rules.__path__, "services.rules."))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run_as_written(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_front_page_is_a_tutorial() -> None:
    assert doctest.testmod(rules).attempted > 20
