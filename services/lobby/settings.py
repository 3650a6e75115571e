"""What the lobby is told by its environment."""

from __future__ import annotations

from typing import ClassVar, Final

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from services.lobby.agenda import Timing
from services.runtime.settings import ServiceSettings

_DAY_MS: Final = 86_400_000


class LobbySettings(ServiceSettings):
    """Variables start with ``LOBBY_``. Times are seconds unless named ms."""

    model_config = SettingsConfigDict(env_prefix="LOBBY_")
    service: ClassVar[str] = "lobby"
    reports: ClassVar[bool] = True

    port: int = Field(7010, ge=0, le=65535)
    metrics_port: int = Field(9010, ge=0, le=65535)
    engines: str = Field("127.0.0.1:7001", pattern=r"^[^,\s]+(,[^,\s]+)*$")
    """Addresses of the engines, ``host:port,host:port``."""
    scoring: str = Field("127.0.0.1:7020", pattern=r"^[^,\s]+$")
    """Address of scoring, ``host:port``."""
    countdown_ms: int = Field(3000, ge=0, le=60_000)
    """From the deal to the start signal, where the table does not say."""
    fill_seconds: float = Field(20, gt=0)
    """A quick-play table that is not full by then gets bots."""
    ready_seconds: float = Field(30, gt=0)
    """Between hands, who is not ready by then counts as ready."""
    absent_seconds: float = Field(300, gt=0)
    """A seat before a match is kept for someone away, and a match for people who are all away, so long."""
    idle_seconds: float = Field(600, gt=0)
    """A table whose match is over closes if nobody goes on."""
    stale_seconds: float = Field(7200, gt=0)
    """Any table closes that gets no further in this time."""
    forget_seconds: float = Field(60, gt=0)
    """A closed table can be looked at for so long."""
    lease_seconds: float = Field(10, gt=0)
    """How long a bots worker keeps a seat without renewing it."""
    most_hosted: int = Field(8, ge=0, le=1000)
    """How many open tables a player may have made without sitting there; 0: no limit."""
    sweep_ms: int = Field(250, gt=0)
    """How often steps that are due are looked for."""
    retry_ms: int = Field(1000, gt=0)
    """When a step that could not be done is tried again."""
    take_over_ms: int = Field(5000, gt=0)
    """When a result that a lobby has read and not acknowledged is another's."""
    pending_ms: int = Field(5000, gt=0, le=60_000)
    """How long a player is claimed for a seat that is not taken yet."""

    @property
    def hosted_ms(self) -> int:
        """How long it is remembered which tables a player has made: they live no longer without a further hand."""
        return max(_DAY_MS, 2 * round(self.stale_seconds * 1000))

    @property
    def addresses(self) -> tuple[str, ...]:
        """The engines' addresses."""
        return tuple(self.engines.split(","))

    @property
    def timing(self) -> Timing:
        """The declared times of a table's life."""
        return Timing(
            fill_ms=round(self.fill_seconds * 1000),
            ready_ms=round(self.ready_seconds * 1000),
            absent_ms=round(self.absent_seconds * 1000),
            idle_ms=round(self.idle_seconds * 1000),
            stale_ms=round(self.stale_seconds * 1000),
            forget_ms=round(self.forget_seconds * 1000),
        )
