from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli.folder import DataFolder, FolderInUse


def test_a_folder_that_is_in_use_is_refused_and_its_holder_named(tmp_path: Path) -> None:
    with DataFolder(tmp_path), pytest.raises(FolderInUse, match=rf"process {os.getpid()}\) uses the folder"):
        DataFolder(tmp_path).__enter__()


def test_a_folder_that_was_left_can_be_used_again(tmp_path: Path) -> None:
    with DataFolder(tmp_path):
        pass
    with DataFolder(tmp_path) as folder:
        assert folder.redis.is_dir()


def test_the_lock_ends_with_a_process_that_was_killed(tmp_path: Path) -> None:
    holder = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from services.cli.folder import DataFolder\n"
        "DataFolder(Path(sys.argv[1])).__enter__()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", holder, str(tmp_path)], check=False, timeout=30)

    with DataFolder(tmp_path):
        pass
