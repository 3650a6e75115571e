"""What is run in containers. Without a Docker engine or the image they are skipped, or fail if REQUIRE_DOCKER=1."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.deploy.docker import IMAGE, Stack, has_image, stack
from tests.docker_engine import docker_answers


@pytest.fixture(scope="session")
def image() -> str:
    """The name of the image that all services run from."""
    if not docker_answers():
        _missing("no Docker engine answers (deploy/docker/engine.sh starts one)")
    if not has_image(IMAGE):
        _missing(f"there is no image {IMAGE} (make image)")
    return IMAGE


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def running(image: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """The whole stack, healthy. Each test leaves it with every container running."""
    async with stack(tmp_path_factory.mktemp("secrets")) as started:
        yield started


def _missing(reason: str) -> None:
    if os.environ.get("REQUIRE_DOCKER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
