from __future__ import annotations

from pathlib import Path
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


def test_a_file_named_like_the_variable_holds_a_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "echo_database_url").write_text("postgresql+asyncpg://scoring:tuna@db/scoring\n")
    (tmp_path / "redis_url").write_text("redis://:herring@cache:6379/0")
    (tmp_path / "of_somebody_else").write_text("x")
    monkeypatch.setenv("SECRETS_DIR", str(tmp_path))
    settings = EchoSettings.read()
    assert settings.database_url == "postgresql+asyncpg://scoring:tuna@db/scoring"
    assert settings.redis_url == "redis://:herring@cache:6379/0"
    assert settings.describe()["redis_url"] == "redis://:***@cache:6379/0"

    monkeypatch.setenv("REDIS_URL", "redis://elsewhere:6379/0")
    assert EchoSettings.read().redis_url == "redis://elsewhere:6379/0"


def test_a_bad_secret_or_no_folder_of_secrets_fails_at_once_and_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "redis_url").write_text("herring")
    monkeypatch.setenv("SECRETS_DIR", str(tmp_path))
    with pytest.raises(SettingsError, match=r"^REDIS_URL: (?!.*herring)"):
        EchoSettings.read()
    monkeypatch.setenv("SECRETS_DIR", str(tmp_path / "missing"))
    with pytest.raises(SettingsError, match=r"^SECRETS_DIR: "):
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
