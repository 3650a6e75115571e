"""What one platform consists of: which processes, with which environment. Starts nothing."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from services.cli import probes
from services.cli.ports import LOOPBACK, Ports
from services.cli.process import Spec

STOP_S: Final = 7.0
"""How long a process may take to stop before it is killed; it is told a little less, to end by itself."""
_GATEWAY_STOP_S: Final = 61.0
"""A third of that is for sending sockets away, sixty a second."""


def stop_s(process: str) -> float:
    """How long the process of this name may take to stop."""
    return _GATEWAY_STOP_S if process.startswith("gateway") else STOP_S


@dataclass(frozen=True, slots=True)
class Plan:
    """The processes of a platform and what they are told."""

    ports: Ports
    redis_url: str
    database_url: str
    bots: bool = True
    accounts: Path | None = None
    """Those of the console; None: there is no console."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Further settings, given to every service."""

    def services(self) -> list[Spec]:
        """Every process but Redis."""
        specs = [self._bots()] if self.bots else []
        specs += [self._gateway(i, port) for i, port in enumerate(self.ports.gateways, start=1)]
        specs += [self._ops(self.accounts)] if self.accounts else []
        specs += [self._lobby(), self._scoring()]
        specs += [self._engine(i, port) for i, port in enumerate(self.ports.engines, start=1)]
        return specs

    def _bots(self) -> Spec:
        gateways = ",".join(f"http://{_address(port)}" for port in self.ports.gateways)
        env = {"BOTS_GATEWAY": gateways, "BOTS_LOBBY": _address(self.ports.lobby)}
        metrics = self.ports.metrics_of("bots")
        return self._spec("bots", "bots", probes.http_answers(f"http://{_address(metrics)}/metrics"), env)

    def _gateway(self, number: int, port: int) -> Spec:
        env = {
            "GATEWAY_PORT": str(port),
            "GATEWAY_ENGINES": self._engines(),
            "GATEWAY_LOBBY": _address(self.ports.lobby),
            "GATEWAY_SCORING": _address(self.ports.scoring),
            # Where there is no other gateway, nobody gains by being sent away slowly.
            **({} if len(self.ports.gateways) > 1 else {"GATEWAY_DRAIN_PER_SECOND": "0"}),
        }
        probe = probes.http_answers(f"http://{_address(port)}/readyz")
        return self._spec(f"gateway-{number}", "gateway", probe, env)

    def _lobby(self) -> Spec:
        env = {
            "LOBBY_PORT": str(self.ports.lobby),
            "LOBBY_ENGINES": self._engines(),
            "LOBBY_SCORING": _address(self.ports.scoring),
        }
        return self._spec("lobby", "lobby", probes.grpc_serves(self.ports.lobby), env)

    def _ops(self, accounts: Path) -> Spec:
        env = {
            "OPS_PORT": str(self.ports.ops),
            "OPS_LOBBY": _address(self.ports.lobby),
            "OPS_ENGINES": self._engines(),
            "OPS_ACCOUNTS_FILE": str(accounts),
        }
        return self._spec("ops", "ops", probes.http_answers(f"http://{_address(self.ports.ops)}/readyz"), env)

    def _scoring(self) -> Spec:
        env = {"SCORING_PORT": str(self.ports.scoring), "SCORING_DATABASE_URL": self.database_url}
        return self._spec("scoring", "scoring", probes.grpc_serves(self.ports.scoring), env)

    def _engine(self, number: int, port: int) -> Spec:
        return self._spec(f"engine-{number}", "engine", probes.grpc_serves(port), {"ENGINE_PORT": str(port)})

    def _engines(self) -> str:
        return ",".join(map(_address, self.ports.engines))

    def _spec(self, name: str, service: str, probe: probes.Probe, env: Mapping[str, str]) -> Spec:
        return Spec(
            name=name,
            command=(sys.executable, "-m", f"services.{service}"),
            probe=probe,
            env={
                "REDIS_URL": self.redis_url,
                f"{service.upper()}_METRICS_PORT": str(self.ports.metrics_of(name)),
                f"{service.upper()}_STOP_SECONDS": str(stop_s(name) - 1),
                **env,
                **self.env,
            },
        )


def _address(port: int) -> str:
    return f"{LOOPBACK}:{port}"
