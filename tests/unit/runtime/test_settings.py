from __future__ import annotations

from typing import ClassVar

import pytest
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import SettingsConfigDict

from services.runtime.settings import ServiceSettings, SettingsError, redact_url


class EchoSettings(ServiceSettings):
    model_config = SettingsConfigDict(env_prefix="ECHO_")
    service: ClassVar[str] = "echo"
    port: int = Field(7777, ge=0, le=65535)
    api_secret: SecretStr = SecretStr("hush")
    database_url: str = "postgresql+asyncpg://scoring:swordfish@db:5432/scoring"


def test_a_service_reads_its_own_prefix_and_shares_redis_and_log_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHO_PORT", "7001")
    monkeypatch.setenv("REDIS_URL", "redis://cache:6380/1")
    monkeypatch.setenv("ECHO_REDIS_URL", "redis://ignored:1")
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    settings = EchoSettings.read()
    assert (settings.port, settings.redis_url, settings.log_level) == (7001, "redis://cache:6380/1", "DEBUG")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ECHO_PORT", "70000"),
        ("ECHO_PORT", "http"),
        ("REDIS_URL", "localhost"),
        ("LOG_LEVEL", "LOUD"),
        ("ECHO_STOP_SECONDS", "0"),
    ],
)
def test_a_bad_value_fails_at_once_and_names_the_variable_but_not_the_value(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        EchoSettings.read()
    assert str(caught.value).startswith(f"{variable}: ")
    assert f"{value!r}" not in str(caught.value)


def test_all_bad_values_are_named_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHO_PORT", "-1")
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    with pytest.raises(SettingsError, match=r"LOG_LEVEL: .*; ECHO_PORT: "):
        EchoSettings.read()


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        EchoSettings().port = 1  # type: ignore[misc]


def test_what_is_logged_holds_no_secret() -> None:
    described = EchoSettings(redis_url="redis://user:swordfish@cache:6379/0").describe()
    assert described["port"] == 7777
    assert described["redis_url"] == "redis://user:***@cache:6379/0"
    assert described["database_url"] == "postgresql+asyncpg://scoring:***@db:5432/scoring"
    assert "swordfish" not in str(described)
    assert "hush" not in str(described)


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHO_PORT", "")
    assert EchoSettings.read().port == 7777


@pytest.mark.parametrize(
    "url", ["redis://127.0.0.1:6379/0", "sqlite+aiosqlite:////data/scoring.db", "unix:///run/redis.sock"]
)
def test_a_url_without_a_password_is_shown_as_it_is(url: str) -> None:
    assert redact_url(url) == url
