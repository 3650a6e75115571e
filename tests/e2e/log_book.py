"""The log of a platform under test, kept so that a test can say what must not be in it."""

from __future__ import annotations

from services.cli.log_lines import readable

_BAD = ("error", "critical")


class LogBook:
    """Takes every line of every process."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def __call__(self, name: str, line: str) -> None:
        self.lines.append((name, line))

    def errors(self, since: int = 0) -> list[str]:
        """Lines at level error or above, tracebacks included, from line ``since`` on."""
        found = []
        for name, line in self.lines[since:]:
            level, text = readable(line)
            if level in _BAD or "Traceback" in line:
                found.append(f"{name}: {text}")
        return found

    def tail(self, count: int = 60) -> str:
        """What was wrong at any time, and the last lines, for a failure's message."""
        last = [f"{name:<10} {readable(line)[1][:400]}" for name, line in self.lines[-count:]]
        return "\n".join([*self.errors(), *last])
