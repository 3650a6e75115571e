"""Every error of every service has one place where it becomes HTTP."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import grpc
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from services.gateway import problems
from services.runtime import errors
from services.runtime.errors import BY_CODE, Fault, Internal, InvalidArgument, NotFound

ROOT = Path(__file__).parents[3]
CODES = "|".join(code.name for code in grpc.StatusCode)


def reasons_of_protos() -> set[str]:
    """The reasons that the contracts' comments name after a code: ``NOT_FOUND: UNKNOWN_TABLE, UNKNOWN_SEAT.``"""
    found: set[str] = set()
    for proto in (ROOT / "protos").rglob("*.proto"):
        text = re.sub(r"\s*//\s?", " ", proto.read_text())
        for group in re.findall(rf"\b(?:{CODES}): ([^.;]*)\.", text):
            found |= set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", group))
    return found


def reasons_of_code() -> set[str]:
    """The reasons that services raise, where they are written out; the console's reach its own clients only."""
    names = {cls.__name__ for cls in BY_CODE.values()}
    found: set[str] = set()
    for source in (ROOT / "services").rglob("*.py"):
        if source.is_relative_to(ROOT / "services" / "ops"):
            continue
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and node.args:
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                first = node.args[0]
                if name in names and isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found.add(first.value)
    return found


def test_the_contracts_name_reasons() -> None:
    assert {"UNKNOWN_TABLE", "BAD_OPTION", "HAND_RUNNING", "BAD_PAGE", "MATCH_NOT_OVER"} <= reasons_of_protos()


@pytest.mark.parametrize("reason", sorted(reasons_of_protos() | reasons_of_code()))
def test_every_reason_is_mapped(reason: str) -> None:
    status, title = problems.TITLES[reason]
    assert 400 <= status < 600
    assert title


@pytest.mark.parametrize("kind", BY_CODE.values())
def test_a_reason_that_is_not_known_yet_still_gets_its_kinds_status(kind: type[Fault]) -> None:
    answer = problems.problem(kind("BRAND_NEW", "detail"))
    assert 400 <= answer.status < 600
    assert answer.code == ("internal" if kind is Internal else "brand_new")


def test_a_code_is_the_reason_and_the_refused_option_is_named() -> None:
    answer = problems.problem(InvalidArgument("BAD_OPTION", "option 'draw': must be one of 3, 1", {"option": "draw"}))
    assert (answer.status, answer.code, answer.option) == (400, "bad_option", "draw")


def test_nothing_of_a_mistake_of_ours_is_told_and_all_of_it_is_in_the_log() -> None:
    fault = Internal("INTERNAL", "secret address 10.0.0.7")
    app = FastAPI()
    problems.install(app)

    @app.get("/broken")
    async def broken() -> None:
        raise fault

    with capture_logs() as said, TestClient(app) as client:
        answer = client.get("/broken")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert [(line["log_level"], line["path"], line["exc_info"]) for line in said] == [("error", "/broken", fault)]


def test_the_services_domain_makes_no_difference() -> None:
    there = errors.to_status(NotFound("UNKNOWN_TABLE", "no table abc"), "lobby.pandemonium")
    assert there.message == "no table abc"
    assert problems.problem(NotFound("UNKNOWN_TABLE", "no table abc")).status == 404
