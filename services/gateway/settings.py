"""What the edge is told by its environment (prefix ``GATEWAY_``)."""

from __future__ import annotations

from typing import ClassVar, Final

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from services.gateway.limits import DEAREST
from services.runtime.settings import ServiceSettings

BACK_SECONDS: Final = 1.5
"""The first tries of a client that has lost its connection all fall into it."""

_ADDRESS = r"[^\s,:]+:\d{1,5}"


class GatewaySettings(ServiceSettings):
    """The edge's settings."""

    model_config = SettingsConfigDict(env_prefix="GATEWAY_")
    service: ClassVar[str] = "gateway"
    reports: ClassVar[bool] = True

    port: int = Field(8080, ge=0, le=65535)
    metrics_port: int = Field(9080, ge=0, le=65535)
    engines: str = Field("127.0.0.1:7001", pattern=rf"^{_ADDRESS}(,{_ADDRESS})*$")
    """Addresses of all engines, with commas between."""
    lobby: str = Field("127.0.0.1:7010", pattern=rf"^{_ADDRESS}$")
    scoring: str = Field("127.0.0.1:7020", pattern=rf"^{_ADDRESS}$")
    rate_limit: float = Field(40.0, ge=0)
    """Frames per second that one socket may send in the long run; 0: no limit."""
    rate_burst: float = Field(120.0, ge=1)
    """Frames that it may send at once."""
    sockets_per_second: float = Field(250.0, ge=0)
    """Sockets that are let in per second in the long run; 0: no limit."""
    sockets_at_once: float = Field(250.0, ge=1)
    """Sockets that are let in at once."""
    sockets_per_player: int = Field(16, ge=0)
    """Table sockets that one player may have open at a time, seats and watchers together; 0: no limit."""
    longest_wait_seconds: float = Field(3.0, ge=0, le=4)
    """How long a socket may wait to be let in; for whom it would take longer is closed with 1013."""
    session_days: float = Field(30.0, ge=0.001, le=3650)
    """So many days after its last use a guest's session ends. A guest who never played is nothing but a session."""
    stop_seconds: float = Field(60.0, gt=0, le=300)
    """The longest that its end may take; a third of it is for sending sockets away."""
    drain_per_second: float = Field(60.0, ge=0)
    """Sockets that are sent away per second when this edge is to go, more if they are too many for a third of
    ``stop_seconds``; 0: all at once. Where they go, each costs as much as some ten plays."""
    requests_per_second: float = Field(10.0, ge=0)
    """REST requests of one session per second in the long run; 0: no limit. Dear ones count several times."""
    requests_at_once: float = Field(60.0, ge=DEAREST)
    """Requests of one session at once."""
    address_per_second: float = Field(100.0, ge=0)
    """REST requests and new sockets of one address per second in the long run; 0: no limit."""
    address_at_once: float = Field(600.0, ge=DEAREST)
    """Requests and new sockets of one address at once."""
    guests_per_minute: int = Field(120, ge=0)
    """New guests per address and minute; 0: no limit."""
    tables_per_minute: int = Field(30, ge=0)
    """New tables and games per player and minute; 0: no limit."""
    wrong_codes_per_minute: int = Field(20, ge=0)
    """Codes that no table has, per address and minute, before no more are looked up; 0: no limit."""
    most_backlog_bytes: int = Field(256 * 1024, ge=1024)
    """Bytes that may wait for a slow client before it is cut off."""
    forwarded_allow_ips: str = ""
    """Proxies whose word on the client's address and scheme is taken: addresses and networks with commas between, or
    ``*`` where nobody but proxies reaches the edge. Empty: nobody's word."""

    @property
    def back_seconds(self) -> float:
        """Who comes back within so long was not away; of a short stop's time a part, since it has to wait for it."""
        return min(BACK_SECONDS, self.stop_seconds * 0.15)

    @property
    def engine_addresses(self) -> tuple[str, ...]:
        """Each engine once."""
        return tuple(dict.fromkeys(self.engines.split(",")))
