"""What scoring is told by its environment."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from services.runtime.settings import ServiceSettings


class ScoringSettings(ServiceSettings):
    """Prefix ``SCORING_``."""

    model_config = SettingsConfigDict(env_prefix="SCORING_")

    service: ClassVar[str] = "scoring"
    reports: ClassVar[bool] = True

    port: int = Field(7020, ge=0, le=65535)
    metrics_port: int = Field(9020, ge=0, le=65535)
    database_url: str = Field(
        "sqlite+aiosqlite:///scoring.db", pattern=r"^(sqlite\+aiosqlite:///.+|postgresql\+asyncpg://.+)$"
    )
    """Where matches are kept: a file (relative to the working folder, or absolute with four slashes) or PostgreSQL."""
    logs_days: float = Field(365.0, ge=0)
    """So many days a hand's log is kept; its score stays. 0: for ever."""
    players_days: float = Field(730.0, ge=0)
    """Who has not played for so many days is deleted, as if they had asked for it. 0: nobody."""
    claim_after_ms: int = Field(5000, ge=100, le=600_000)
    """A finished hand that its scorer has held this long is taken over by another one."""
