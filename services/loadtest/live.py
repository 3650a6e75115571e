"""A run on the terminal while it goes on: a table that is drawn anew every second, plain lines elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from services.loadtest.director import Run
from services.loadtest.figures import matching
from services.loadtest.measures import Sample

_LINE_EVERY_S: Final = 5
_SHOWN: Final = (
    (Sample.PLAY, "play to verdict"),
    (Sample.HOT, "at hot tables"),
    (Sample.ACROSS, "across a break"),
    (Sample.DELIVERY, "play to the others"),
    (Sample.HOT_DELIVERY, "the same, at hot tables"),
    (Sample.BACK, "back after a break"),
    (Sample.LAG, "generator's lag"),
)


class LiveView:
    """Shows ``run`` whenever :meth:`changed` is called."""

    def __init__(self, run: Run, console: Console) -> None:
        self._run = run
        self._console = console
        self._live = Live(console=console, auto_refresh=False) if console.is_terminal else None
        self._said: tuple[str, int] = ("", 0)

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def changed(self) -> None:
        """The run has moved on."""
        run = self._run
        if self._live is not None:
            self._live.update(Group(_headline(run), Padding(_bar(run), (0, 0, 1, 0)), percentiles(run)), refresh=True)
            return
        said = run.stage, int(run.elapsed_s) // _LINE_EVERY_S
        if said != self._said:
            self._said = said
            self._console.print(_headline(run), soft_wrap=True)


def percentiles(run: Run) -> Table:
    """What was measured so far."""
    table = Table(box=None, padding=(0, 2), header_style="dim")
    table.add_column("ms")
    for name in ("count", "p50", "p90", "p99", "p99.9", "most"):
        table.add_column(name, justify="right")
    for sample, words in _SHOWN:
        latency = run.figures.latencies[sample]
        if latency.count:
            values = (f"{latency.ms(percentile):.1f}" for percentile in (50, 90, 99, 99.9, 100))
            table.add_row(words, f"{latency.count:,}", *values)
    return table


def _headline(run: Run) -> Text:
    figures = run.figures
    text = Text(f"{run.stage:<9}", style="bold")
    text.append(f" {run.elapsed_s:5.0f} s of {run.scenario.seconds:g}", style="not bold")
    if figures.judged and run.elapsed_s:
        last = figures.slices[-2:][0].counts
        rate = matching(last, "verdict")
        text.append(f"  {rate:,} plays/s, {last['deliveries']:,} deliveries/s", style="not bold")
        text.append(
            f"  contests {figures.contests:,} (ties {figures.verdicts('tied'):,})"
            f"  refused {figures.verdicts('refused'):,}",
            style="not bold",
        )
    wrong = sum(figures.wrong().values())
    text.append(f"  errors {wrong:,}", style="bold red" if wrong else "not bold")
    return text


def _bar(run: Run) -> ProgressBar:
    return ProgressBar(total=run.scenario.seconds, completed=min(run.elapsed_s, run.scenario.seconds), width=60)
