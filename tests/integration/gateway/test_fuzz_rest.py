"""Every REST call with what its description allows and what it does not: never a fault of ours, always as described.

The requests are drawn from the OpenAPI description, the same in each run.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from services.gateway.schema import openapi
from tests.integration.gateway.place import Place

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    # The edge, in the same process, draws numbers of its own meanwhile.
    pytest.mark.filterwarnings("ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"),
]

EXAMPLES: Final = 10
"""Requests of each call and kind."""
CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
MODES: Final = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]

SCHEMA: Final = schemathesis.openapi.from_dict(openapi())
_FOUND: Final[list[Any]] = [result.ok() for result in SCHEMA.get_all_operations()]  # type: ignore[union-attr]
OPERATIONS: Final = {found.definition.raw["operationId"]: found for found in _FOUND}


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_a_call_is_answered_as_described_whatever_is_asked(place: Place, operation: str) -> None:
    ada = await place.guest("Ada")
    table = await place.table(ada)
    url = f"http://127.0.0.1:{place.port}"
    asked: list[int] = []

    def ask(case: Case[Any]) -> None:
        # What is wrong stays so; of what is right, every other one is about a table that there is.
        right = case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE
        if right and "table" in case.path_parameters and len(asked) % 2:
            case.path_parameters["table"] = table
        answer = case.call(base_url=url, headers=ada.headers)
        asked.append(answer.status_code)
        case.validate_response(answer, checks=CHECKS, excluded_checks=[])

    def fuzz() -> None:
        for mode in MODES:
            strategy: Any = OPERATIONS[operation].as_strategy(generation_mode=mode, headers=ada.headers)
            exact: Any = settings(
                max_examples=EXAMPLES,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            # Where a call takes nothing, nothing can be wrong with it.
            with suppress(Unsatisfiable):
                drawn: Any = given(strategy)
                exact(drawn(ask))()

    await asyncio.to_thread(fuzz)
    assert asked


async def test_after_all_of_it_the_edge_still_serves(place: Place) -> None:
    async with place.http() as http:
        assert (await http.get("/readyz")).status_code == 200
