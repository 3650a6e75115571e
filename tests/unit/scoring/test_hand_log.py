from __future__ import annotations

import pytest

from services.rules.events import EndWhy, Player
from services.rules.options import Options
from services.scoring.hand_log import read, salvage
from services.scoring.letters import BadLog, Reason
from services.scoring.records import Points
from tests.unit.scoring.logs import ANN, BOT, T0, entry_of, played, written

LOG = written([24, -3])
HAND = entry_of(LOG)


def test_a_sheet_tells_who_sat_there_and_what_each_made() -> None:
    log = written([24, -3], players=(ANN, BOT), options=Options(target=50))
    sheet = read(log, entry_of(log))
    assert [(s.seat, s.player, s.name, s.bot, s.called) for s in sheet.seats] == [
        (0, "p-ann", "Ann", False, True),
        (1, "p-bot", "Bot", True, False),
    ]
    assert [s.count for s in sheet.seats] == [Points(24, 0, 24), Points(0, 3, -3)]
    assert (sheet.why, sheet.counts, sheet.started_ms, sheet.ended_ms) == ("called", True, T0, T0 + 60_000)
    assert Options.from_json(sheet.options_json) == Options(target=50)
    assert sheet.digest in log[-1].decode()


def test_a_hand_that_was_really_played_is_read() -> None:
    log = played(1, seq=70)
    assert read(log, entry_of(log, first=71)).why in ("called", "agreed")


@pytest.mark.parametrize("why", EndWhy)
def test_every_way_to_end_is_read_and_all_but_two_count(why: EndWhy) -> None:
    log = written([24, -3], why=why)
    sheet = read(log, entry_of(log))
    assert (sheet.why, sheet.counts) == (why.value, why not in (EndWhy.VOID, EndWhy.DISPUTED))
    assert salvage(log, entry_of(log)) == sheet


def test_a_disputed_hand_was_dealt_all_the_same() -> None:
    prepare, _, end = written([0, 0], why=EndWhy.DISPUTED)
    log = [prepare, end.replace(b'"seq":3', b'"seq":2')]
    with pytest.raises(BadLog) as bad:
        read(log, entry_of(log))
    assert bad.value.letter.reason is Reason.SHAPE


@pytest.mark.parametrize("why", [EndWhy.VOID, EndWhy.DISPUTED])
def test_a_void_hand_counts_for_nobody(why: EndWhy) -> None:
    log = written([0, 0], why=why)
    sheet = read(log, entry_of(log))
    assert (sheet.counts, [s.count.points for s in sheet.seats]) == (False, [0, 0])
    assert [s.player for s in sheet.seats] == ["p-ann", "p-ben"]


def test_a_hand_that_was_void_before_the_deal_has_seats_without_players() -> None:
    prepare, _, end = written([0, 0], why=EndWhy.VOID)
    log = [prepare, end.replace(b'"seq":3', b'"seq":2')]
    assert [s.player for s in read(log, entry_of(log)).seats] == ["", ""]


def test_no_events_at_all_are_a_missing_log() -> None:
    with pytest.raises(BadLog) as bad:
        read([], HAND)
    assert bad.value.letter.reason is Reason.MISSING


@pytest.mark.parametrize(
    "log",
    [
        pytest.param(LOG[1:], id="the first event is gone"),
        pytest.param(LOG[:-1], id="the end is gone"),
        pytest.param([LOG[0], LOG[2]], id="a gap"),
        pytest.param([LOG[0], LOG[2].replace(b'"seq":3', b'"seq":2')], id="no deal"),
        pytest.param([LOG[0], LOG[0].replace(b'"seq":1', b'"seq":2'), LOG[2]], id="two prepares, no deal"),
        pytest.param([LOG[0], b"{", LOG[2]], id="a text that is no JSON"),
        pytest.param([LOG[0], b"", LOG[2]], id="an entry without an event"),
        pytest.param([LOG[0], b"\xff\xfe", LOG[2]], id="bytes that are no text"),
        pytest.param([LOG[0], LOG[1], LOG[2].replace(b'"hand":1', b'"hand":2')], id="the end of another hand"),
        pytest.param([LOG[0], LOG[1].replace(b'"m1"', b'"m2"'), LOG[2]], id="the deal of another match"),
        pytest.param([LOG[0].replace(b'"seats":2', b'"seats":3'), *LOG[1:]], id="too few scores"),
        pytest.param([*LOG[:2], LOG[2].replace(b'"seat":1', b'"seat":0')], id="two scores of one seat"),
        pytest.param([*LOG[:2], LOG[2].replace(b'"called"', b'"bored"')], id="an unknown end"),
        pytest.param([*LOG[:2], LOG[2].replace(b'"points":24', b'"points":24e9')], id="impossible points"),
    ],
)
def test_a_log_that_is_no_whole_hand_is_refused(log: list[bytes]) -> None:
    with pytest.raises(BadLog) as bad:
        read(log, HAND)
    assert bad.value.letter.reason is Reason.SHAPE
    assert salvage(log, HAND).hand == 1


def test_of_a_damaged_log_the_scores_of_its_end_are_told() -> None:
    sheet = salvage([LOG[2]], HAND)
    assert (sheet.why, sheet.counts, [s.count.points for s in sheet.seats]) == ("called", True, [24, -3])
    assert [s.player for s in sheet.seats] == ["", ""]
    assert [s.player for s in salvage([b"?", *LOG[1:]], HAND).seats] == ["p-ann", "p-ben"]


def test_a_damaged_log_without_its_end_is_a_void_hand() -> None:
    for log in ([], LOG[:2], [b"?"], [LOG[0], LOG[1], LOG[2].replace(b'"hand":1', b'"hand":2')]):
        sheet = salvage(log, HAND)
        assert (sheet.why, sheet.counts) == ("void", False)
    assert len(salvage(LOG[:1], HAND).seats) == 2
    assert salvage([], HAND).seats == ()
    assert [s.seat for s in salvage([], HAND, seats=3).seats] == [0, 1, 2]


def test_a_name_with_a_nul_is_shown_without_it() -> None:
    log = written([1, 2], players=(Player("p1", "A\0", False, "n"), ANN))
    assert read(log, entry_of(log)).seats[0].name == "A\ufffd"
