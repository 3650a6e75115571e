"""Settings fail fast and name the variable."""

from __future__ import annotations

import pytest

from services.gateway.settings import GatewaySettings
from services.runtime.settings import SettingsError


def test_each_engine_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_ENGINES", "a:1,b:2,a:1")
    assert GatewaySettings.read().engine_addresses == ("a:1", "b:2")


@pytest.mark.parametrize("value", ["nowhere", "a:1,,b:2", "a:1 b:2", "a:b"])
def test_a_bad_address_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_ENGINES", value)
    with pytest.raises(SettingsError, match="GATEWAY_ENGINES"):
        GatewaySettings.read()


def test_the_rate_limit_can_be_lifted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_RATE_LIMIT", "0")
    assert GatewaySettings.read().rate_limit == 0
