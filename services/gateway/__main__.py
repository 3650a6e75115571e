"""``python -m services.gateway``: the edge as a process."""

from services.gateway.build import build
from services.gateway.settings import GatewaySettings
from services.runtime.serve import run_app

if __name__ == "__main__":
    run_app(GatewaySettings.read(), build)
