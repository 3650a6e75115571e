from __future__ import annotations

import re
from pathlib import Path

import pytest

from services.loadtest import scenario
from services.loadtest.scenario import BadScenario


@pytest.mark.parametrize("name", scenario.names())
def test_every_scenario_that_comes_along_can_be_read(name: str) -> None:
    read = scenario.load(name)
    assert read.name == name
    assert read.about


def test_the_default_scenario_is_there() -> None:
    assert scenario.DEFAULT in scenario.names()


def test_a_match_is_as_long_as_can_be_unless_the_scenario_says_otherwise() -> None:
    assert scenario.parse('about = "x"', "x", {}).options == {"target": 1000}
    assert scenario.parse('about = "x"\noptions = {hands = 3}', "x", {}).options == {"hands": 3}


def test_a_file_of_ones_own_is_read_and_changed(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('about = "two tables"\ntables = 2\n[pace]\nmedian_s = 0.5\n')
    read = scenario.load(str(file), {"tables": 3}, closed_loop=True)
    assert (read.name, read.tables, read.pace.median_s, read.pace.closed_loop) == ("mine", 3, 0.5, True)


def test_no_process_is_without_a_table_and_one_has_all_of_quick_play() -> None:
    assert scenario.parse('about = "x"\ntables = 3\nprocesses = 8', "x", {}).processes == 3
    assert scenario.parse('about = "x"\nquick_play = true', "x", {"processes": 4}).processes == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tables = 2", "about"),
        ('about = "x"\ntabels = 2', "tabels"),
        ('about = "x"\ntables = 0', r"\$\.tables"),
        ('about = "x"\n[pace]\nmedian_s = "fast"', r"\$\.pace\.median_s"),
        ('about = "x"\n[pace]\nmedian_s = nan', r"\$\.pace\.median_s|nan"),
        ('about = "x"\n[network]\nrtt_ms = [100, 20]', "network.rtt_ms"),
        ('about = "x"\n[faults]\nstorm_sockets = 1000', "only 100 seats"),
        ('about = "x"\nseconds = 5\n[faults]\nstorm_sockets = 4\nstorm_at_s = 9', "storm_at_s"),
        ('about = "x"\nseats = 5\noptions = {teams = "pairs"}', "teams"),
        ('about = "x"\noptions = {target = 7}', "target"),
        ("about = ", "Invalid value"),
    ],
)
def test_what_can_not_be_is_refused_by_its_name(text: str, said: str) -> None:
    with pytest.raises(BadScenario, match=said):
        scenario.parse(text, "x", {})


def test_a_name_that_is_not_there_is_answered_with_those_that_are() -> None:
    with pytest.raises(BadScenario, match="rush-hour"):
        scenario.load("rush-huor")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[faults]\ndisconnects_per_minute = 1", "faults.disconnects_per_minute"),
        ("[faults]\nstorm_sockets = 1", "faults.storm_sockets"),
        ("[audience]\nspectators = 1", "audience.spectators"),
        ("[audience]\nslow_readers = 1", "audience.slow_readers"),
        ("[aims]\nback_s = 15", "aims.back_s"),
        ("[ground]\ngateways = 2", "ground.gateways"),
    ],
)
def test_what_a_run_without_gateways_can_not_have_is_refused_by_its_name(text: str, field: str) -> None:
    with pytest.raises(BadScenario, match=re.escape(f"scenario x: {field}: ")):
        scenario.check_direct(scenario.parse(f'about = "x"\n{text}', "x", {}))


def test_the_default_of_direct_runs_can_be_run() -> None:
    scenario.check_direct(scenario.load(scenario.DEFAULT_DIRECT))


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        ('[faults]\nharms = [{at_s = 99, process = "lobby", how = "kill"}]', "the run is over"),
        ("[faults]\nroll_at_s = 99", "the run is over"),
        ('[faults]\nharms = [{at_s = 1, process = "engine-2", how = "kill"}]', "no process engine-2"),
        ('[faults]\nharms = [{at_s = 1, process = "lobby", how = "scold"}]', "scold"),
    ],
)
def test_a_harm_that_can_not_be_done_is_refused(faults: str, said: str) -> None:
    with pytest.raises(BadScenario, match=said):
        scenario.parse(f'about = "x"\nseconds = 30\n{faults}', "x", {})


def test_the_first_tables_may_be_hot_and_the_others_are_as_ever() -> None:
    read = scenario.parse('about = "x"\ntables = 3\n[hot]\ntables = 1\npace = {median_s = 0.1}', "x", {})
    hot, other = read.of_table(0), read.of_table(1)
    assert (hot.seats, hot.pace.median_s, hot.contention.share) == (8, 0.1, 1.0)
    assert other is read
    assert read.players == 8 + 2 * 4
    waiting = scenario.load("hot-table", closed_loop=True)
    assert waiting.pace.closed_loop
    assert waiting.of_table(0).pace.closed_loop


@pytest.mark.parametrize("more", ["tables = 2\n", "tables = 2\nquick_play = true\n"])
def test_hot_tables_are_some_of_those_that_are_made(more: str) -> None:
    hot = 1 if "quick" in more else 2
    with pytest.raises(BadScenario, match=r"hot\.tables: "):
        scenario.parse(f'about = "x"\n{more}[hot]\ntables = {hot}', "x", {})
