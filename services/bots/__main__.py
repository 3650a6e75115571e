"""``python -m services.bots``: players for the seats that wait for one, until told to stop."""

from services.bots.build import build
from services.bots.settings import BotsSettings
from services.runtime.serve import run

if __name__ == "__main__":
    run(BotsSettings.read(), build)
