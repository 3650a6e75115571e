"""``python -m services.engine``: one engine, until told to stop."""

from services.engine.build import build
from services.engine.settings import EngineSettings
from services.runtime.serve import run

if __name__ == "__main__":
    run(EngineSettings.read(), build)
