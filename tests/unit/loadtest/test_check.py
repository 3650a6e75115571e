from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from services.loadtest.check import NotARun, check
from services.loadtest.check_report import Fault, Report
from tests.unit.loadtest import paper_run
from tests.unit.loadtest.faults import FAULTS, Seeded
from tests.unit.loadtest.faults_told import refused_as_frozen


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "untouched"
    paper_run.write(folder, tables=2, seed=1)
    return folder


@pytest.fixture
def run(untouched: Path, tmp_path: Path) -> Path:
    return shutil.copytree(untouched, tmp_path / "run")


def test_an_untouched_run_passes_and_everything_in_it_was_checked(run: Path) -> None:
    report = check(run)

    assert [str(finding) for finding in report.findings] == []
    assert report.holds
    checked = report.checked
    assert checked["hands"] == checked["commitments"] == checked["sheets of hands"] == 4
    assert checked["events judged again"] == checked["events in logs"] > 400
    assert (
        checked["acknowledged commands found in the log, once"] == checked["commands in logs that were sent so"] > 400
    )
    assert checked["cards that share their place"] > 0
    assert checked["cards that went back"] > 0
    assert checked["refusals that the rules give"] > 20
    assert checked["streams resumed"] == checked["snapshots"] == 2


def test_what_could_not_be_checked_is_said(run: Path) -> None:
    unchecked = check(run).unchecked

    assert unchecked["events of hands without a log, compared among the clients only"] > 0
    assert unchecked["acknowledged commands of hands without a log"] > 0
    assert any(what.startswith("commands unanswered when their history ended") for what in unchecked)


def test_a_hand_may_have_been_held_still_but_no_log_tells(run: Path) -> None:
    Seeded(lambda records: refused_as_frozen(records, "unseen"), Fault.REFUSED_WITHOUT_REASON).seed(run)

    report = check(run)

    assert [str(finding) for finding in report.findings] == []
    assert report.unchecked["refusals in a hand that runs, if an operator held it still: no log tells"] > 5


@pytest.mark.parametrize("seeded", FAULTS.values(), ids=FAULTS)
def test_a_seeded_fault_is_found_under_its_own_name(run: Path, seeded: Seeded) -> None:
    seeded.seed(run)

    found = [finding for finding in check(run).findings if finding.fault is seeded.fault]
    assert found
    assert found[0].table == "t0" or seeded.fault is Fault.FILE_UNREADABLE


def test_every_fault_has_its_seed() -> None:
    assert {seeded.fault for seeded in FAULTS.values()} == set(Fault)


def test_several_processes_find_what_one_finds(run: Path) -> None:
    FAULTS["a contest has the wrong winner"].seed(run)

    assert _told(check(run, 2)) == _told(check(run, 1))


def test_a_torn_history_is_no_fault_but_is_said(run: Path) -> None:
    path = run / "histories" / "p0.jsonl.gz"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    report = check(run)

    assert [str(finding) for finding in report.findings] == []
    assert any("breaks off" in what for what in report.unchecked)
    assert report.unchecked["commands in logs whose client's history breaks off"] > 0


def test_a_match_without_a_sheet_is_found_and_its_logs_are_judged(run: Path) -> None:
    (run / "matches" / "m0.json").unlink()

    report = check(run)

    assert set(report.faults) == {Fault.FILE_MISSING}
    assert report.checked["hands"] == 4


def test_nothing_is_not_proven(tmp_path: Path) -> None:
    with pytest.raises(NotARun):
        check(tmp_path)


def _told(report: Report) -> tuple[dict[str, int], dict[str, int], list[str]]:
    return dict(report.checked), dict(report.unchecked), sorted(map(str, report.findings))
