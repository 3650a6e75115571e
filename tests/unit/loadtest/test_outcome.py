from __future__ import annotations

from pathlib import Path

from services.loadtest.director import Run
from services.loadtest.figures import GaveWay
from services.loadtest.harms import Harmed, waited_ms
from services.loadtest.measures import Measures, Sample
from services.loadtest.messages import Second
from services.loadtest.outcome import Outcome, found, judge, sustained
from services.loadtest.scenario import Aims, Audience, Pace, Scenario
from services.loadtest.surroundings import Sampler, Surroundings


def run(scenario: Scenario | None = None, *, play_ms: float = 5, lag_ms: float = 1, **counts: int) -> Run:
    given = Run(scenario or Scenario(about="x", aims=Aims(p99_ms=100)), Path("run"), seed=1)
    measures = Measures()
    for _ in range(100):
        measures.count("verdict.applied")
        measures.sample(Sample.PLAY, round(play_ms * 1000))
        measures.sample(Sample.LAG, round(lag_ms * 1000))
    for name, count in counts.items():
        measures.count(name.replace("__", "."), count)
    given.figures.add(Second(1.0, *measures.take()))
    return given


def seconds_of(at_s: float, *, plays: int, play_ms: float, lag_ms: float) -> Second:
    measures = Measures()
    for _ in range(plays):
        measures.count("verdict.applied")
        measures.sample(Sample.PLAY, round(play_ms * 1000))
        measures.sample(Sample.LAG, round(lag_ms * 1000))
    return Second(at_s, *measures.take())


def test_a_run_that_reached_its_aims_has_passed() -> None:
    assert judge(run()).outcome is Outcome.PASSED


def test_an_aim_that_was_missed_fails_the_run_and_is_named() -> None:
    judged = judge(run(play_ms=150))
    assert judged.outcome is Outcome.FAILED
    assert "p99 of plays is 150" in judged.missed[0]


def test_a_generator_that_was_late_makes_the_run_void_whatever_it_measured() -> None:
    assert judge(run(lag_ms=6)).outcome is Outcome.VOID
    assert judge(run(lag_ms=6, play_ms=150)).outcome is Outcome.VOID
    assert judge(run(lag_ms=4.9)).outcome is Outcome.PASSED


def test_what_is_wrong_is_wrong_in_a_void_run_too() -> None:
    assert judge(run(lag_ms=6), proof_failed=True).outcome is Outcome.FAILED
    assert judge(run(lag_ms=6, wrong__frame=1)).outcome is Outcome.FAILED


def test_a_command_without_a_verdict_fails_the_run() -> None:
    given = run()
    given.lost = 1
    assert judge(given).outcome is Outcome.FAILED


def test_a_run_in_which_nothing_was_played_has_not_passed() -> None:
    given = Run(Scenario(about="x"), Path("run"), seed=1)
    assert judge(given).outcome is Outcome.FAILED


def test_quick_play_fills_tables_exactly() -> None:
    quick = Scenario(about="x", tables=2, seats=4, quick_play=True)
    exact, odd = run(quick), run(quick)
    exact.seated = {"a": 4, "b": 4}
    odd.seated = {"a": 4, "b": 3, "c": 1}
    assert judge(exact).outcome is Outcome.PASSED
    assert judge(odd).outcome is Outcome.FAILED


def test_slow_readers_are_to_be_cut_off() -> None:
    slow = Scenario(about="x", audience=Audience(slow_readers=2))
    assert judge(run(slow, slow__cut_off=2)).outcome is Outcome.PASSED
    assert judge(run(slow, slow__cut_off=1)).outcome is Outcome.FAILED


def test_a_run_that_rises_until_something_gives_way_is_void_only_if_that_was_at_once() -> None:
    rising = Scenario(about="x", pace=Pace(speed=(1.0, 50.0)))
    given = run(rising)
    for at_s in (2.0, 3.0, 4.0):
        given.figures.add(seconds_of(at_s, plays=400, play_ms=900, lag_ms=300))
    assert sustained(given) == 100
    assert judge(given).outcome is Outcome.PASSED
    late = run(rising, lag_ms=9)
    for at_s in (2.0, 3.0):
        late.figures.add(seconds_of(at_s, plays=100, play_ms=5, lag_ms=9))
    assert judge(late).outcome is Outcome.VOID


def test_one_slow_second_is_a_hiccup_and_two_in_a_row_are_too_much() -> None:
    given = run(Scenario(about="x", pace=Pace(speed=(1.0, 50.0))))
    for at_s, plays, play_ms in ((2.0, 200, 900), (3.0, 300, 5), (4.0, 400, 900), (5.0, 350, 900), (6.0, 10, 5)):
        given.figures.add(seconds_of(at_s, plays=plays, play_ms=play_ms, lag_ms=1))
    assert given.gave_way == GaveWay(second=3, p99_ms=900.0, lag_ms=1.0, sustained=300)
    assert "300 plays a second at most before" in next(found(given))


def test_a_rate_that_was_never_too_much_says_so() -> None:
    given = run(Scenario(about="x", pace=Pace(speed=(1.0, 50.0))))
    assert list(found(given)) == ["100 plays a second at most, and nothing gave way: try more tables"]


def test_a_void_run_says_if_the_generator_was_kept_from_its_work() -> None:
    busy = judge(run(lag_ms=6, generator__ran_us=100, generator__waited_us=900))
    slow = judge(run(lag_ms=6, generator__ran_us=900, generator__waited_us=100))
    assert "90%" in busy.void[-1]
    assert busy.void[:1] == slow.void


def test_what_grows_is_named_where_nothing_may() -> None:
    given = run(Scenario(about="x", seconds=300, aims=Aims(flat=True)))
    given.sampler = Sampler(Surroundings(dict, {}, "redis://nowhere", _nobody, _no_harm, list), [])
    given.sampler.redis += ({"keys": 100.0 + second} for second in range(300))
    assert judge(given).outcome is Outcome.FAILED
    assert "Redis keys grows by 3600.0 an hour" in judge(given).missed[0]


async def _no_harm(_process: str, _how: str, _for_s: float) -> None:
    raise AssertionError


async def _nobody() -> None: ...


def test_exit_codes_differ_and_none_is_that_of_a_wrong_command_line() -> None:
    assert {outcome.value for outcome in Outcome} == {0, 1, 3}


def test_how_long_anybody_waited_is_found_around_each_harm_and_over_the_whole_run() -> None:
    given = run(Scenario(about="x", aims=Aims(interrupted_s=2)))
    given.figures.add(seconds_of(10.0, plays=1, play_ms=700, lag_ms=1))
    given.figures.add(seconds_of(20.0, plays=1, play_ms=1900, lag_ms=1))
    given.harmed = [Harmed("lobby", "kill", 8.5, 9.2), Harmed("redis", "pause", 18.1, 18.5)]
    assert [round(waited_ms(given.figures, each), -1) for each in given.harmed] == [700, 1900]
    assert judge(given).outcome is Outcome.PASSED
    assert "kill lobby, 8.5 to 9.2 s: the longest wait was 700 ms" in list(found(given))

    measures = Measures()
    measures.sample(Sample.BACK, 2_500_000)
    given.figures.add(Second(30.0, *measures.take()))
    judged = judge(given)
    assert judged.outcome is Outcome.FAILED
    assert "somebody waited for 2.50 s" in judged.missed[0]


def test_a_harm_that_was_not_over_when_play_ended_proves_nothing() -> None:
    given = run()
    given.harms_left = 1
    assert judge(given).outcome is Outcome.FAILED
