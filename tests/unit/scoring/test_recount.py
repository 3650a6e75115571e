from __future__ import annotations

import re
from dataclasses import replace

import pytest

from services.rules.events import Ended, EndWhy, digest, encode_body, parse, seal, unseal
from services.rules.options import Options
from services.rules.scoring import SeatScore
from services.scoring.judging import judge_by
from services.scoring.letters import BadLog, Reason
from services.scoring.records import HandSheet, Points
from services.scoring.recount import recount
from tests.unit.scoring.logs import entry_of, played, written

LOG = played(3)


def with_end(log: list[bytes], **changes: object) -> list[bytes]:
    """The log with another end, sealed as if it had always been so."""
    end = parse(log[-1])
    assert isinstance(end, Ended)
    body = encode_body(replace(end, **changes))  # type: ignore[arg-type]
    return [*log[:-1], seal(body, digest(unseal(log[-2])[1], body)).encode()]


def told(log: list[bytes]) -> list[Points]:
    end = parse(log[-1])
    assert isinstance(end, Ended)
    return [Points(score.foundation, score.demon, score.points) for score in end.scores]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("seq", [0, 500])
def test_a_hand_played_by_the_rules_is_confirmed(seed: int, seq: int) -> None:
    log = played(seed, seq=seq, hand=2)
    counts = recount(log)
    assert counts is not None
    assert list(counts) == told(log)


def test_a_hand_that_was_given_up_or_is_to_be_dealt_again_has_no_points() -> None:
    for why in (EndWhy.VOID, EndWhy.DISPUTED):
        log = played(3, options=Options(dispute="replay_hand"), why=why)
        assert recount(log) is None
        assert judge_by(recount)(log, entry_of(log)).letter is None


def test_a_log_that_only_tells_wrong_scores_gives_the_right_ones() -> None:
    wrong = with_end(LOG, scores=(SeatScore(0, 52, 0, 52), SeatScore(1, 0, 13, -26)))
    counts = recount(wrong)
    assert counts is not None
    assert list(counts) == told(LOG)


def test_where_the_recount_disagrees_it_counts_and_both_are_kept() -> None:
    wrong = with_end(LOG, scores=(SeatScore(0, 52, 0, 52), SeatScore(1, 0, 13, -26)))
    judged = judge_by(recount)(wrong, entry_of(wrong))
    assert judged.disagrees
    assert judged.letter is None
    assert isinstance(judged.sheet, HandSheet)
    assert judged.disagreeing == [0, 1]
    assert [seat.count for seat in judged.sheet.seats] == told(LOG)
    assert [seat.told for seat in judged.sheet.seats] == [Points(52, 0, 52), Points(0, 13, -26)]


def test_a_hand_that_is_confirmed_has_nothing_told_beside_it() -> None:
    judged = judge_by(recount)(LOG, entry_of(LOG))
    assert (judged.disagrees, judged.letter) == (False, None)
    assert isinstance(judged.sheet, HandSheet)
    assert [seat.count for seat in judged.sheet.seats] == told(LOG)


@pytest.mark.parametrize(
    "log",
    [
        pytest.param([*LOG[:-1], LOG[-1][:-18] + b'0000000000000000"}'], id="a broken chain"),
        pytest.param([*LOG[:5], re.sub(rb'"arrived":\d+', b'"arrived":1', LOG[5]), *LOG[6:]], id="a changed event"),
        pytest.param([*LOG[:5], *LOG[6:]], id="an event left out"),
        pytest.param(with_end(LOG, secret="11" * 32), id="another secret"),
        pytest.param(with_end(LOG, secret="11" * 32, scores=()), id="another secret and other scores"),
        pytest.param(with_end(LOG, callers=(0, 1)), id="callers that did not call"),
        pytest.param(written([3, 4]), id="a hand that was never played"),
        pytest.param([b"?"], id="nothing to read"),
        pytest.param([], id="nothing"),
    ],
)
def test_a_log_that_the_rules_do_not_confirm_is_refused(log: list[bytes]) -> None:
    with pytest.raises(BadLog) as bad:
        recount(log)
    assert bad.value.letter.reason is Reason.UNVERIFIED


def test_an_unconfirmed_hand_is_a_dead_letter_with_the_scores_it_told() -> None:
    log = written([30, -4])
    judged = judge_by(recount)(log, entry_of(log))
    assert judged.letter is not None
    assert judged.letter.reason is Reason.UNVERIFIED
    assert isinstance(judged.sheet, HandSheet)
    assert [seat.count.points for seat in judged.sheet.seats] == [30, -4]
    assert judged.sheet.counts
