"""The frames of docs/protocol.md, byte for byte."""

from __future__ import annotations

import pytest

from services.rules.contest import Contest
from services.rules.moves import Reason
from services.rules.verdict import Outcome, Verdict


@pytest.mark.parametrize(
    ("verdict", "frame"),
    [
        (Verdict(7, Outcome.APPLIED, seq=131), '{"t":"verdict","n":7,"v":"applied","seq":131}'),
        (Verdict(7, Outcome.APPLIED, seq=131, f=0), '{"t":"verdict","n":7,"v":"applied","seq":131,"f":0}'),
        (Verdict(7, Outcome.TIED, seq=131, f=3), '{"t":"verdict","n":7,"v":"tied","seq":131,"f":3}'),
        (
            Verdict(7, Outcome.RETURNED, seq=131, why=Contest.LATE),
            '{"t":"verdict","n":7,"v":"returned","seq":131,"why":"late"}',
        ),
        (
            Verdict(7, Outcome.REFUSED, why=Reason.DOES_NOT_FIT),
            '{"t":"verdict","n":7,"v":"refused","why":"does_not_fit"}',
        ),
        (Verdict(9, Outcome.OUT_OF_ORDER, last=0), '{"t":"verdict","n":9,"v":"out_of_order","last":0}'),
        (Verdict(9, Outcome.TAKEN_OVER), '{"t":"verdict","n":9,"v":"taken_over"}'),
    ],
)
def test_a_verdict_is_written_as_the_protocol_says(verdict: Verdict, frame: str) -> None:
    assert verdict.frame() == frame
