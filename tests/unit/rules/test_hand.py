from __future__ import annotations

from services.rules.hand import KEPT_VERDICTS, Seat
from services.rules.verdict import Outcome, Verdict


def test_a_seat_keeps_its_last_verdicts_and_forgets_the_older_ones() -> None:
    seat = Seat(epoch=3)
    for n in range(1, KEPT_VERDICTS + 3):
        seat = seat.judged(Verdict(n, Outcome.APPLIED, seq=n))
    assert (seat.epoch, seat.last_n, len(seat.verdicts)) == (3, KEPT_VERDICTS + 2, KEPT_VERDICTS)
    assert seat.kept(2) is None
    assert seat.kept(3) == Verdict(3, Outcome.APPLIED, seq=3)
    assert seat.kept(KEPT_VERDICTS + 3) is None
