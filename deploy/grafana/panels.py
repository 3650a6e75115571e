"""What all dashboards look like: their panels, their grid, and where their figures come from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final

from grafana_foundation_sdk.builders.common import VizLegendOptions, VizTooltipOptions
from grafana_foundation_sdk.builders.dashboard import Dashboard, DatasourceVariable, Row, ThresholdsConfig
from grafana_foundation_sdk.builders.prometheus import Dataquery
from grafana_foundation_sdk.builders.stat import Panel as Stat
from grafana_foundation_sdk.builders.timeseries import Panel as TimeSeries
from grafana_foundation_sdk.models.common import LegendDisplayMode, LegendPlacement, TooltipDisplayMode
from grafana_foundation_sdk.models.dashboard import DataSourceRef, Threshold, ThresholdsMode

SOURCE: Final = DataSourceRef(type_val="prometheus", uid="${source}")
WIDTH: Final = 24
SERVICES: Final = '{job=~"gateway|engine|lobby|scoring|bots|ops"}'
"""The jobs of deploy/prometheus/prometheus.yml that are ours."""

Query = tuple[str, str]
"""An expression, and the legend of its series."""


def dashboard(uid: str, title: str, about: str) -> Dashboard:
    """An empty dashboard that looks at the last hour and can be pointed at another Prometheus."""
    return (
        Dashboard(f"Pandemonium: {title}")
        .uid(f"pandemonium-{uid}")
        .description(about)
        .tags(["pandemonium"])
        .refresh("10s")
        .time("now-1h", "now")
        .timezone("browser")
        .readonly()
        .with_variable(DatasourceVariable("source").label("Prometheus").type("prometheus"))
    )


def rows(board: Dashboard, content: Sequence[tuple[str, Sequence[Stat | TimeSeries]]]) -> Dashboard:
    """Adds rows of panels, each panel as wide as its row allows, three in a line at most (six figures)."""
    numbers = count(1)
    for title, panels in content:
        board.with_row(Row(title).id(next(numbers)))
        for panel in panels:
            in_line, height = (6, 4) if isinstance(panel, Stat) else (3, 8)
            board.with_panel(panel.id(next(numbers)).span(WIDTH // min(len(panels), in_line)).height(height))
    return board


def lines(title: str, unit: str, about: str, *queries: Query) -> TimeSeries:
    """Figures over time, from 0. ``unit`` is Grafana's: s, bytes, short, ops (a second), percentunit."""
    panel = (
        TimeSeries()
        .title(title)
        .description(about)
        .unit(unit)
        .min(0)
        .datasource(SOURCE)
        .line_width(1)
        .fill_opacity(10)
        .legend(
            VizLegendOptions().display_mode(LegendDisplayMode.LIST).placement(LegendPlacement.BOTTOM).show_legend(True)
        )
        .tooltip(VizTooltipOptions().mode(TooltipDisplayMode.MULTI))
    )
    for query in _queries(queries):
        panel.with_target(query)
    return panel


def figure(title: str, unit: str, about: str, query: str, *, bad_from: float | None = None) -> Stat:
    """One figure as it is now; red from ``bad_from`` on."""
    steps = [Threshold(color="green")]
    if bad_from is not None:
        steps.append(Threshold(value=bad_from, color="red"))
    panel = (
        Stat()
        .title(title)
        .description(about)
        .unit(unit)
        .datasource(SOURCE)
        .thresholds(ThresholdsConfig().mode(ThresholdsMode.ABSOLUTE).steps(steps))
    )
    for one in _queries([(query, "")]):
        panel.with_target(one)
    return panel


def percentiles(histogram: str, by: str = "", where: str = "") -> list[Query]:
    """The median and the 99th of 100 of a histogram, for each value of ``by`` (labels with commas between)."""
    legend = f"{{{{{by.split(',')[-1].strip()}}}}} " if by else ""
    return [
        (
            f"histogram_quantile({share}, sum by ({by + ', ' if by else ''}le) "
            f"(rate({histogram}_bucket{where}[$__rate_interval])))",
            f"{legend}p{round(100 * share)}",
        )
        for share in (0.5, 0.99)
    ]


def rate(counter: str, by: str = "", where: str = "") -> Query:
    """How often a second, for each value of ``by``."""
    clause = f" by ({by})" if by else ""
    legend = " ".join(f"{{{{{label.strip()}}}}}" for label in by.split(",")) if by else "all"
    return f"sum{clause} (rate({counter}{where}[$__rate_interval]))", legend


def _queries(queries: Sequence[Query]) -> list[Dataquery]:
    return [
        Dataquery().ref_id(chr(ord("A") + number)).expr(expression).legend_format(legend).datasource(SOURCE)
        for number, (expression, legend) in enumerate(queries)
    ]
