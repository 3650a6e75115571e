"""What the bots are told by their environment (prefix ``BOTS_``)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from services.runtime.settings import ServiceSettings

_URL = r"https?://[^\s/,]+/?"


class BotsSettings(ServiceSettings):
    """The bots' settings. Times are seconds. The port serves health only."""

    model_config = SettingsConfigDict(env_prefix="BOTS_")
    service: ClassVar[str] = "bots"

    port: int = Field(0, ge=0, le=65535)
    metrics_port: int = Field(9030, ge=0, le=65535)
    gateway: str = Field("http://127.0.0.1:8080", pattern=rf"^{_URL}(,{_URL})*$")
    """The edge's address: bots play through the front door. Of several gateways, with commas between, any will do."""
    lobby: str = Field("127.0.0.1:7010", pattern=r"^[^\s,:]+:\d{1,5}$")
    most_seats: int = Field(800, ge=1, le=10_000)
    """How many seats this process plays at once."""
    offers: int = Field(16, ge=1, le=64)
    """How many bots are offered to the lobby at a time."""
    patience_seconds: float = Field(30, ge=0)
    """How long a bot stays at a table whose match is over."""
    renew_seconds: float = Field(3, gt=0)
    """How often leases are renewed; the lobby's last 10 s."""
