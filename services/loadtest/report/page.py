"""``report.html``: which charts and tables a run has. Reads the facts of ``run.json`` and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from services.loadtest.measures import Sample
from services.loadtest.report.chart import Chart, Line, Point, number

_WORDS: Final = {
    Sample.PLAY: "play to verdict",
    Sample.HOT: "play to verdict, at hot tables",
    Sample.ACROSS: "across a broken connection",
    Sample.DELIVERY: "play to the others",
    Sample.HOT_DELIVERY: "play to the others, at hot tables",
    Sample.BACK: "back after a break",
    Sample.LAG: "generator: frames late",
    Sample.LOOP: "generator: event loop late",
}


def write(facts: Mapping[str, Any], file: Path) -> None:
    """Writes the report of a run."""
    environment = Environment(
        loader=PackageLoader("services.loadtest.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    page = environment.get_template("report.html.j2").render(
        run=facts, charts=charts(facts), latencies=_latencies(facts)
    )
    file.write_text(page, encoding="utf-8")


def charts(facts: Mapping[str, Any]) -> list[Chart]:
    """Every chart that the run has something for."""
    seconds: Sequence[Mapping[str, Any]] = facts["seconds"]
    found = [
        Chart("Latency by percentile", "of all", "ms", _percentiles(facts), log=True, tail=True),
        Chart(
            "Latency over time",
            "s",
            "ms",
            [
                Line("p50 of plays", _over(seconds, "play_p50_ms")),
                Line("p99 of plays", _over(seconds, "play_p99_ms")),
                Line("p99 of the generator's lag", _over(seconds, "lag_p99_ms")),
            ],
            log=True,
        ),
        Chart(
            "Plays each second",
            "s",
            "1/s",
            [Line("plays", _counted(seconds, "verdict")), Line("sent", _counted(seconds, "sent"))],
        ),
        Chart("Events that reached a socket", "s", "1/s", [Line("deliveries", _counted(seconds, "deliveries"))]),
        Chart(
            "Races for one place",
            "s",
            "1/s",
            [
                Line("lost", _counted(seconds, "verdict.returned")),
                Line("shared", _counted(seconds, "verdict.tied")),
            ],
        ),
        Chart(
            "Connections",
            "s",
            "1/s",
            [
                Line("broken", _counted(seconds, "closed")),
                Line("started from a snapshot", _counted(seconds, "snapshots")),
            ],
        ),
        Chart("CPU by process", "s", "cores", _services(facts, "cpu")),
        Chart("Memory by process", "s", "MiB", _services(facts, "mib")),
        Chart("Descriptors by process", "s", "", _services(facts, "descriptors")),
        Chart("Redis: commands", "s", "1/s", [Line("commands", _redis(facts, "commands_per_s"))]),
        Chart("Redis: keys", "s", "", [Line("keys", _redis(facts, "keys"))]),
        Chart(
            "Redis: memory",
            "s",
            "MiB",
            [
                Line("memory", _redis(facts, "memory_bytes", 1 << 20)),
                Line("append-only file", _redis(facts, "aof_bytes", 1 << 20)),
            ],
        ),
    ]
    return [chart for chart in found if not chart.empty]


def _latencies(facts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The rows of the table of latencies: those that were measured."""
    return [(words, told) for name, words in _WORDS.items() if (told := facts["latencies"][name.value])["count"]]


def _percentiles(facts: Mapping[str, Any]) -> list[Line]:
    lines = []
    for name, words in _WORDS.items():
        told = facts["latencies"][name.value]
        if told["count"] and name is not Sample.LOOP:
            lines.append(Line(words, [(float(p), max(0.01, ms)) for p, ms in told["percentiles_ms"].items()]))
    return lines


def _over(seconds: Sequence[Mapping[str, Any]], name: str) -> list[Point]:
    return [(i + 1, second[name]) for i, second in enumerate(seconds)]


def _counted(seconds: Sequence[Mapping[str, Any]], name: str) -> list[Point]:
    """A count of each second, with those below it; nothing at all if there never was any."""
    points = [
        (i + 1.0, float(sum(n for key, n in second["counts"].items() if key == name or key.startswith(f"{name}."))))
        for i, second in enumerate(seconds)
    ]
    return list(points) if any(y for _, y in points) else []


def _services(facts: Mapping[str, Any], what: str) -> list[Line]:
    return [Line(name, list(enumerate(told[what]))) for name, told in facts["services"].items()]


def _redis(facts: Mapping[str, Any], name: str, by: int = 1) -> list[Point]:
    return [(i, told[name] / by if name in told else None) for i, told in enumerate(facts["redis"])]
