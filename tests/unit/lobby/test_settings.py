from __future__ import annotations

import pytest

from services.lobby.agenda import Timing
from services.lobby.settings import LobbySettings
from services.runtime.settings import SettingsError


def test_declared_times_are_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LobbySettings.read().timing == Timing()


def test_engines_are_a_list_of_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOBBY_ENGINES", "a:1,b:2")
    assert LobbySettings.read().addresses == ("a:1", "b:2")


@pytest.mark.parametrize(
    ("name", "value"),
    [("LOBBY_ENGINES", "a:1, b:2"), ("LOBBY_FILL_SECONDS", "0"), ("LOBBY_SCORING", "a:1,b:2"), ("LOBBY_SWEEP_MS", "x")],
)
def test_a_bad_value_is_refused_by_the_variables_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name):
        LobbySettings.read()
