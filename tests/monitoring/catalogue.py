"""The catalogue of all metrics, docs/metrics.md, as the code has them; run as a module it writes that file.

Each service is loaded in a process of its own, since metrics of a process are one registry.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
DOCUMENT: Final = ROOT / "docs" / "metrics.md"
SERVICES: Final = ("gateway", "engine", "lobby", "scoring", "bots", "ops")

_LOOK: Final = """
import importlib, json, sys
from prometheus_client import REGISTRY
importlib.import_module(f"services.{sys.argv[1]}.build")
found = []
for collector in set(REGISTRY._collector_to_names):
    labels = getattr(collector, "_labelnames", ())
    for family in collector.collect():
        if family.name.startswith("pandemonium_"):
            found.append((family.name, family.type, list(labels), family.documentation, len(family.samples)))
print(json.dumps(found))
"""

_HEAD: Final = """\
# Metrics

Every process shows its metrics at `http://127.0.0.1:<metrics port>/metrics` in Prometheus' format; the port is the
setting `<SERVICE>_METRICS_PORT`. All series are there from the start, so that a first error is seen as a rise from 0,
and their number never grows: no label names a table, a player, an address, or anything else that players choose. Beside
these, each process tells its own memory, CPU and descriptors (`process_*`, `python_*`).

A counter's name ends in `_total`; of a histogram there are `_bucket`, `_sum` and `_count`. Alerts and dashboards
made of them are in `deploy/prometheus/rules` and `deploy/grafana/dashboards`; what to do when an alert fires is in
[operations.md](operations.md). This page is made from the code by `make monitoring`, and a test holds it to it.
"""


class Metric(NamedTuple):
    """A metric; ``series`` is how many samples it has in a process that has only just loaded the service."""

    name: str
    kind: str
    labels: tuple[str, ...]
    meaning: str
    series: int

    @property
    def shown(self) -> str:
        """The name that queries use."""
        return f"{self.name}_total" if self.kind == "counter" else self.name

    @property
    def unit(self) -> str:
        """What is counted or measured."""
        return next((unit for unit in ("seconds", "bytes") if unit in self.name.split("_")), "1")


@lru_cache
def metrics_of(service: str) -> tuple[Metric, ...]:
    """All metrics of a service, by name."""
    out = subprocess.run([sys.executable, "-c", _LOOK, service], cwd=ROOT, check=True, capture_output=True, timeout=60)
    return tuple(
        sorted(Metric(name, kind, tuple(labels), *rest) for name, kind, labels, *rest in json.loads(out.stdout))
    )


def document() -> str:
    """What docs/metrics.md has to say."""
    by_service = {service: {metric[:4]: metric for metric in metrics_of(service)} for service in SERVICES}
    everywhere = set.intersection(*(set(found) for found in by_service.values()))
    with_redis = set.intersection(*(set(by_service[service]) for service in SERVICES if service != "bots")) - everywhere
    shared = by_service["gateway"]
    parts = [_HEAD, _table("Every service", [shared[key] for key in sorted(everywhere)])]
    parts.append(_table("Every service but the bots", [shared[key] for key in sorted(with_redis)]))
    for service, found in by_service.items():
        own = sorted(set(found) - everywhere - with_redis)
        parts.append(_table(service.capitalize(), [found[key] for key in own]))
    return "\n".join(parts)


def _table(title: str, metrics: list[Metric]) -> str:
    lines = [f"## {title}", "", "| name | type | labels | unit | meaning |", "|---|---|---|---|---|"]
    for metric in metrics:
        labels = ", ".join(f"`{label}`" for label in metric.labels)
        lines.append(f"| `{metric.shown}` | {metric.kind} | {labels} | {metric.unit} | {metric.meaning} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    DOCUMENT.write_text(document())
