"""Writes the dashboards as Grafana reads them: ``python -m deploy.grafana``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grafana_foundation_sdk.cog.encoder import JSONEncoder

from deploy.grafana.boards import BOARDS

FOLDER: Final = Path(__file__).parent / "dashboards"


def files() -> dict[Path, str]:
    """What every file has to say."""
    encoder = JSONEncoder(sort_keys=True, indent=2)
    return {FOLDER / f"{name}.json": encoder.encode(board().build()) + "\n" for name, board in BOARDS.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in files().items():
        path.write_text(text)
