"""One readable stream out of the logs of many processes: whose line it is in front, JSON lines made readable."""

from __future__ import annotations

import json
import sys
from typing import Final, TextIO

from rich.console import Console
from rich.text import Text

_COLOURS: Final = ("cyan", "magenta", "green", "yellow", "blue", "bright_cyan", "bright_magenta", "bright_green")
_LEVEL_COLOURS: Final = {"warning": "yellow", "error": "red", "critical": "red"}
_WIDTH: Final = 10
_SHOWN_APART: Final = frozenset({"timestamp", "level", "service", "event", "exception", "color_message"})
CLI: Final = "pandemonium"


class LogLines:
    """Writes lines to ``stream`` (stderr), in colours if it is a terminal."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._console = Console(file=stream if stream is not None else sys.stderr, soft_wrap=True, highlight=False)
        self._colours: dict[str, str] = {}

    def __call__(self, name: str, line: str) -> None:
        """One line that ``name`` said."""
        colour = self._colours.setdefault(name, _COLOURS[len(self._colours) % len(_COLOURS)])
        level, text = readable(line)
        for part in text.splitlines() or [""]:
            shown = Text(f"{name:<{_WIDTH}} ", style=colour)
            shown.append(part, style=_LEVEL_COLOURS.get(level, "default"))
            self._console.print(shown)


def readable(line: str) -> tuple[str, str]:
    """Level and text of a log line. A line that is no JSON object is passed on as it is, at level "info".

    >>> readable('{"level": "warning", "event": "slow", "ms": 12, "service": "engine"}')
    ('warning', 'warning: slow ms=12')
    >>> readable("Ready to accept connections")
    ('info', 'Ready to accept connections')
    """
    try:
        entry = json.loads(line)
    except ValueError:
        return "info", line
    if not isinstance(entry, dict) or "event" not in entry:
        return "info", line
    level = str(entry.get("level", "info"))
    values = [f"{key}={value}" for key, value in entry.items() if key not in _SHOWN_APART]
    text = " ".join([str(entry["event"]), *values])
    if level != "info":
        text = f"{level}: {text}"
    if entry.get("exception"):
        text = f"{text}\n{entry['exception']}"
    return level, text
