from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.loadtest.process_use import cores_waited_us, used

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")


def test_a_descriptor_that_is_opened_is_counted(tmp_path: Path) -> None:
    before = used(os.getpid())
    with (tmp_path / "file").open("w"):
        after = used(os.getpid())
    assert before is not None
    assert after is not None
    assert after.descriptors == before.descriptors + 1
    assert after.cpu_s >= before.cpu_s > 0
    assert 1 < after.mib < 10_000


def test_of_a_process_that_is_gone_nothing_is_known() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert used(child.pid) is None


def test_work_is_time_that_was_run() -> None:
    before, _ = cores_waited_us()
    sum(range(1_000_000))
    after, waited = cores_waited_us()
    assert after > before
    assert waited >= 0
