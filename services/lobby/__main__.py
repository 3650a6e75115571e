"""``python -m services.lobby``: one lobby, until told to stop."""

from services.lobby.build import build
from services.lobby.settings import LobbySettings
from services.runtime.serve import run

if __name__ == "__main__":
    run(LobbySettings.read(), build)
