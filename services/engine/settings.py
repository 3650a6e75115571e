"""What the engine is told by its environment."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from services.runtime.settings import ServiceSettings


class EngineSettings(ServiceSettings):
    """Variables begin with ``ENGINE_``."""

    model_config = SettingsConfigDict(env_prefix="ENGINE_")
    service: ClassVar[str] = "engine"
    reports: ClassVar[bool] = True

    port: int = Field(7001, ge=0, le=65535)
    metrics_port: int = Field(9001, ge=0, le=65535)
    replicas: int = Field(0, ge=0, le=9)
    """How many of Redis' replicas must have a play before it is acknowledged; a failover then loses none that was."""
    remembered_seats: int = Field(50_000, ge=1, le=10_000_000)
    """How many seats' layouts are remembered; each takes about 2 KiB."""
