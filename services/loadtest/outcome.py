"""What a finished run amounts to: passed, failed, or void because the generator itself was too slow. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from services.loadtest.director import MOST_LAG_MS, SUSTAINED_P99_MS, Run
from services.loadtest.growth import Trend, trends
from services.loadtest.harms import longest_wait_ms, waited_ms
from services.loadtest.measures import RAN, WAITED, Sample

_MUCH_WAITING: Final = 0.3
"""A generator that is its own bottleneck runs; one that waits so much was kept from running."""


class Outcome(Enum):
    """The exit code is the value; 2 is the shell's word for a wrong command line."""

    PASSED = 0
    FAILED = 1
    VOID = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome and why: one sentence for each aim that was missed, and for each reason that makes the run void."""

    outcome: Outcome
    missed: tuple[str, ...]
    void: tuple[str, ...]


def judge(run: Run, proof_failed: bool = False) -> Judgement:
    """What the run amounts to. A failed proof, or anything that should never happen, is no matter of measurement.

    So a run that is void for its figures can fail all the same.
    """
    void, broken, missed = tuple(_void(run)), tuple(_broken(run)), tuple(_missed(run))
    if broken or proof_failed:
        return Judgement(Outcome.FAILED, broken + missed, void)
    if void:
        return Judgement(Outcome.VOID, missed, void)
    return Judgement(Outcome.FAILED if missed else Outcome.PASSED, missed, ())


def sustained(run: Run) -> int | None:
    """The most plays a second that were answered in time before something gave way; None: not even in the first."""
    return run.figures.sustained(run.scenario.aims.p99_ms or SUSTAINED_P99_MS, MOST_LAG_MS)


def found(run: Run) -> Iterator[str]:
    """What a run was for besides its aims: where a rising rate became too much, and what became of every figure."""
    if run.scenario.pace.rises:
        most, end = sustained(run), run.gave_way
        rate = f"{most:,} plays a second" if most else "nothing"
        if end is None:
            yield f"{rate} at most, and nothing gave way: try more tables"
        else:
            yield (
                f"{rate} at most before something gave way, after {end.second} s:"
                f" p99 of plays {end.p99_ms:.1f} ms, of the generator's lag {end.lag_ms:.1f} ms"
            )
    for harmed in run.harmed:
        yield (
            f"{harmed.how} {harmed.process}, {harmed.from_s:.1f} to {harmed.until_s:.1f} s:"
            f" the longest wait was {waited_ms(run.figures, harmed):,.0f} ms"
        )
    for trend in growth(run):
        yield (
            f"{trend.what}: {trend.level:,.1f}, {trend.per_hour:+,.1f} an hour over {trend.seconds} s,"
            f" {'flat' if trend.flat else 'grows'}"
        )


def growth(run: Run) -> list[Trend]:
    """What became of the figures of which a platform of the run's own must not need more and more."""
    return [] if run.sampler is None else trends(run.sampler.services, run.sampler.redis, int(run.played_s))


def waiting(run: Run) -> float:
    """The generator's share of waiting for a core in all the time that it had work; 0 where nobody knows."""
    ran_us, waited_us = run.figures.counts[RAN], run.figures.counts[WAITED]
    return waited_us / (ran_us + waited_us) if waited_us else 0.0


def _void(run: Run) -> Iterator[str]:
    if run.scenario.pace.rises:
        # That something gives way is what the run is for; the generator may be it, but not at once.
        if sustained(run) is None:
            yield "the generator was the bottleneck from the first second on"
        return
    late = False
    for name, words in ((Sample.LAG, "frames left"), (Sample.LOOP, "its event loop woke up")):
        late_ms = run.figures.latencies[name].ms(99)
        if late_ms > MOST_LAG_MS:
            late = True
            more = f"{words} {late_ms:.1f} ms late at p99, more than {MOST_LAG_MS:g} ms"
            yield f"the generator was the bottleneck: {more}"
    if waiting(run) > _MUCH_WAITING and late:
        yield f"{waiting(run):.0%} of the time that it had work no core was free for it: the machine was busy"


def _broken(run: Run) -> Iterator[str]:
    scenario, figures = run.scenario, run.figures
    if run.lost > scenario.aims.lost:
        yield f"{run.lost} commands never got a verdict, more than {scenario.aims.lost}"
    for what, count in sorted(figures.wrong().items()):
        yield f"{what}: {count} times; see the problems below"
    if run.harms_left:
        yield f"{run.harms_left} harms were not over when play ended"
    if scenario.quick_play:
        odd = {table: count for table, count in run.seated.items() if count != scenario.seats}
        if odd or len(run.seated) != scenario.tables:
            yield f"quick play filled {len(run.seated)} tables, not {scenario.tables}, of which not exactly: {odd}"
    if scenario.audience.slow_readers:
        cut, attached = figures.counts["slow.cut_off"], scenario.audience.slow_readers
        if cut < attached:
            yield f"only {cut} of {attached} slow readers were cut off"


def _missed(run: Run) -> Iterator[str]:
    aims, latencies = run.scenario.aims, run.figures.latencies
    p99_ms = latencies[Sample.PLAY].ms(99)
    if aims.p99_ms is not None and p99_ms > aims.p99_ms and not run.scenario.pace.rises:
        yield f"p99 of plays is {p99_ms:.1f} ms, more than {aims.p99_ms:g} ms"
    back_s = latencies[Sample.BACK].ms(100) / 1000
    if aims.back_s is not None and back_s > aims.back_s:
        yield f"the last connection was back after {back_s:.1f} s, more than {aims.back_s:g} s"
    waited_s = longest_wait_ms(run.figures) / 1000
    if aims.interrupted_s is not None and waited_s > aims.interrupted_s:
        yield f"somebody waited for {waited_s:.2f} s, more than {aims.interrupted_s:g} s"
    if not run.figures.judged:
        yield "nothing was played"
    if aims.flat:
        for trend in growth(run):
            if not trend.flat:
                yield f"{trend.what} grows by {trend.per_hour:.1f} an hour, from about {trend.level:.1f}"
