"""``python -m services.ops``: the operators' console as a process."""

from services.ops.build import build
from services.ops.settings import OpsSettings
from services.runtime.serve import run_app

if __name__ == "__main__":
    run_app(OpsSettings.read(), build)
