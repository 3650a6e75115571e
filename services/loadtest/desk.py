"""What all sockets of a generator process share: the history that is written, the measures, the luck, the path."""

from __future__ import annotations

import random
from itertools import count
from typing import Final

from services.loadtest.history import Recorder
from services.loadtest.line import Lines, to_edge
from services.loadtest.measures import Measures
from services.loadtest.wire import Post

_MOST_PROBLEMS: Final = 20


class Desk:
    """One process's. Each connection takes the next of ``numbers``."""

    def __init__(self, recorder: Recorder, measures: Measures, luck: random.Random, lines: Lines = to_edge) -> None:
        self.recorder = recorder
        self.measures = measures
        self.luck = luck
        self.lines = lines
        self.post = Post()
        self.numbers = count(1)
        self.problems: list[str] = []
        """What was told, the first of it."""

    def wrong(self, what: str, said: str) -> None:
        """Something that should never happen."""
        self.measures.count(f"wrong.{what}")
        self.tell(f"{what}: {said}")

    def tell(self, what: str) -> None:
        """Something that whoever reads the report should know."""
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(what)
