"""What the console is told by its environment (prefix ``OPS_``)."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from services.runtime.settings import ServiceSettings

_ADDRESS = r"[^\s,:]+:\d{1,5}"


class OpsSettings(ServiceSettings):
    """The console's settings. It listens on loopback unless told otherwise."""

    model_config = SettingsConfigDict(env_prefix="OPS_")
    service: ClassVar[str] = "ops"

    port: int = Field(8090, ge=0, le=65535)
    metrics_port: int = Field(9040, ge=0, le=65535)
    lobby: str = Field("127.0.0.1:7010", pattern=rf"^{_ADDRESS}$")
    engines: str = Field("127.0.0.1:7001", pattern=rf"^{_ADDRESS}(,{_ADDRESS})*$")
    """Addresses of all engines, with commas between."""
    accounts_file: Path | None = None
    """Who may log in; none: the console is off. Read again when it changes."""
    failed_logins_per_minute: int = Field(10, ge=1)
    """Of one address, and of one account, before no more are looked at in that minute."""
    audit_days: float = Field(365.0, gt=0)
    """So many days what operators did is kept; of the last 100,000 entries at most."""
    session_minutes: int = Field(60, ge=1)
    """How long a session lives after its last use."""
    forwarded_allow_ips: str = ""
    """Proxies whose word on the client's address and scheme is taken, with commas between; none unless named."""
