"""Child processes that do not outlive the process that started them, even when it is killed on the spot."""

from __future__ import annotations

import shutil
from typing import Literal


def dies_with_parent(signal: Literal["TERM", "INT"] = "TERM") -> tuple[str, ...]:
    """A prefix for a command that has the system send it ``signal`` when its parent dies.

    It replaces itself by the command, so the process id is the command's. "Parent" is the *thread* that started the
    child: start it from one that lasts. Empty where there is no such program, as on other systems than Linux.
    """
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", signal, "--") if setpriv else ()
