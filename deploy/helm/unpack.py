"""``python deploy/helm/unpack.py FOLDER``: takes Helm out of the wheel that carries it, installed in ``FOLDER``.

The wheel holds the archive of a package for Node, and that one a zip with the program, for Linux on x86-64.
"""

from __future__ import annotations

import io
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path


def main(folder: Path) -> None:
    """Leaves ``helm/helm`` there, and nothing else of that wheel."""
    carrier = folder / "aws_cdk"
    (archive,) = carrier.glob("**/*.jsii.tgz")
    with tarfile.open(archive) as package:
        layer = package.extractfile("package/lib/layer.zip")
        assert layer is not None
        with zipfile.ZipFile(io.BytesIO(layer.read())) as zipped:
            zipped.extract("helm/helm", folder)
    (folder / "helm" / "helm").chmod(0o755)
    shutil.rmtree(carrier)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
