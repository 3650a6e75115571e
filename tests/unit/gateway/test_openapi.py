"""The REST description: complete, and errors as they really are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from services.gateway import schema
from services.gateway.problems import MEDIA_TYPE

SCHEMA = schema.openapi()
OPERATIONS = [
    (f"{method.upper()} {path}", operation)
    for path, item in SCHEMA["paths"].items()
    for method, operation in item.items()
]

PROTOCOL = (Path(__file__).parents[3] / "docs/protocol.md").read_text()
DOCUMENTED = {
    f"{method} /api/v1{path.partition('?')[0]}"
    for method, path in re.findall(
        r"`(GET|POST|PUT|PATCH|DELETE) (/[^ `]+)", PROTOCOL.partition("## The table socket")[0]
    )
}


def test_exactly_the_documented_calls_exist() -> None:
    assert len(DOCUMENTED) > 10
    assert {name for name, _ in OPERATIONS} == DOCUMENTED


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_each_call_has_an_id_a_summary_a_typed_answer_and_its_errors(name: str, operation: dict[str, Any]) -> None:
    assert "_" not in operation["operationId"]
    assert operation["description"]
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            assert status == "204" or "$ref" in answer["content"]["application/json"]["schema"], name
        else:
            assert answer["content"][MEDIA_TYPE]["schema"]["$ref"].endswith("/Problem"), (name, status)
            assert "`" in answer["description"]
    assert {"422", "500", "503", "504"} <= operation["responses"].keys()


def test_operation_ids_are_unique() -> None:
    ids = [operation["operationId"] for _, operation in OPERATIONS]
    assert len(set(ids)) == len(ids)


def test_every_reference_leads_somewhere() -> None:
    def references(node: Any) -> set[str]:
        if isinstance(node, dict):
            found = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
            return found.union(*map(references, node.values()), set())
        return set().union(*map(references, node), set()) if isinstance(node, list) else set()

    assert {reference.rsplit("/", 1)[1] for reference in references(SCHEMA)} <= SCHEMA["components"]["schemas"].keys()


def test_calls_of_a_player_say_that_they_need_a_session() -> None:
    secured = {operation["operationId"] for _, operation in OPERATIONS if operation.get("security")}
    assert {"getMe", "createTable", "joinTable", "quickPlay"} <= secured
    assert "createGuest" not in secured
