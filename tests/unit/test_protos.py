"""The generated code in ``gen/`` is what the protos say now."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_generating_again_changes_nothing(tmp_path: Path) -> None:
    protos = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "protos").rglob("*.proto"))
    kinds = [
        f"--{kind}{tmp_path}" for kind in ("python_out=", "mypy_out=quiet:", "grpc_python_out=", "mypy_grpc_out=quiet:")
    ]
    # protoc looks for its plugins on the path.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    subprocess.run(
        [sys.executable, "-m", "grpc_tools.protoc", "-Iprotos", *kinds, *protos],
        cwd=ROOT,
        check=True,
        env={**os.environ, "PATH": path},
    )
    assert contents(tmp_path) == contents(ROOT / "gen"), "the generated code is stale: make protos"


def contents(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.py*") if file.suffix != ".pyc"}
