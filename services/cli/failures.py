"""Failures that are told in one sentence, without a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

from services.cli.folder import FolderInUse
from services.cli.ports import PortTaken
from services.cli.process import NotReady
from services.client.errors import ClientError
from services.loadtest.director import GeneratorFailed
from services.loadtest.scenario import BadScenario
from services.rules.options import OptionError
from services.runtime.redis_server import RedisFailed, RedisNotFound

_TOLD: Final = (
    *(FolderInUse, PortTaken, NotReady, RedisNotFound, RedisFailed),
    *(ClientError, OptionError, BadScenario, GeneratorFailed, OSError),
)


@contextmanager
def told() -> Iterator[None]:
    """Turns the failures that a user can do something about into one line on stderr and exit code 1."""
    try:
        yield
    except _TOLD as error:
        typer.secho(f"pandemonium: {error}", err=True, fg=typer.colors.RED)
        raise typer.Exit(1) from None
