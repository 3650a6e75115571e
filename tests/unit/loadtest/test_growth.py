from __future__ import annotations

import random

from services.loadtest.growth import SHORTEST_S, WARM_UP_S, fitted, trends
from services.loadtest.surroundings import Series


def test_a_slope_is_told_an_hour() -> None:
    trend = fitted("engine-1 memory MiB", [50 + second / 60 for second in range(600)])
    assert trend is not None
    assert trend.per_hour == 60
    assert not trend.flat


def test_a_figure_that_trembles_is_flat() -> None:
    luck = random.Random(1)
    trend = fitted("engine-1 memory MiB", [80 + luck.gauss(0, 2) for _ in range(900)])
    assert trend is not None
    assert trend.flat


def test_what_rises_only_while_it_gets_warm_is_flat() -> None:
    trend = fitted("gateway-1 memory MiB", [60 + min(second, 50) for second in range(300)])
    assert trend is not None
    assert trend.per_hour == 0


def test_what_becomes_less_is_flat() -> None:
    trend = fitted("Redis keys", [10_000.0 - second for second in range(600)])
    assert trend is not None
    assert trend.flat


def test_nothing_is_said_about_a_short_time() -> None:
    assert fitted("Redis keys", [1.0] * (WARM_UP_S + SHORTEST_S - 1)) is None
    assert fitted("Redis keys", [1.0] * (WARM_UP_S + SHORTEST_S)) is not None


def test_what_comes_after_play_is_not_looked_at() -> None:
    redis = [{"keys": 100.0 if second < 300 else 10_000.0} for second in range(400)]
    (trend,) = trends({}, redis, 300)
    assert trend.what == "Redis keys"
    assert trend.flat
    (trend,) = trends({}, redis, 400)
    assert not trend.flat


def test_a_process_that_was_killed_is_looked_at_in_its_longest_life() -> None:
    lives = [(300, 40.0), (500, 50.0), (200, 40.0)]
    series = Series()
    for seconds, mib in lives:
        # The next life follows within a second: no sample is missing, but its first one has no CPU yet.
        series.cpu += [None, *[0.1] * (seconds - 1)]
        series.mib += [mib] * seconds
        series.descriptors += [30.0] * seconds
    found = {trend.what: trend for trend in trends({"engine-1": series, "generator-1": series}, [], 1000)}
    assert found.keys() == {"engine-1 memory MiB", "engine-1 descriptors"}
    assert found["engine-1 memory MiB"].level == 50
    assert found["engine-1 memory MiB"].seconds == 333
