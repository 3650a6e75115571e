"""The limit of descriptors, each time in a process of its own."""

from __future__ import annotations

import subprocess
import sys

_RAISE = """
import resource, sys
from services.runtime import descriptors, log
log.configure("test")
resource.setrlimit(resource.RLIMIT_NOFILE, (64, int(sys.argv[1])))
print(descriptors.raise_limit(), descriptors.limit())
"""


def raised(hard: int) -> tuple[str, str]:
    """What a process says whose limit is 64 and could be ``hard``: its limit then, twice, and its log."""
    done = subprocess.run([sys.executable, "-c", _RAISE, str(hard)], capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr


def test_the_limit_is_raised_as_far_as_may_be_and_a_low_one_is_warned_of() -> None:
    numbers, log = raised(512)
    assert numbers == "512 512"
    assert "few descriptors" in log
    assert '"limit": 512' in log


def test_enough_is_not_warned_of() -> None:
    numbers, log = raised(10_000)
    assert numbers == "10000 10000"
    assert log == ""
