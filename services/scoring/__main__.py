"""``python -m services.scoring``."""

from __future__ import annotations

from services.runtime.serve import run
from services.scoring.build import build
from services.scoring.settings import ScoringSettings

if __name__ == "__main__":
    run(ScoringSettings.read(), build)
