"""RD-10 (f), (g): consent."""

from __future__ import annotations

import pytest

from services.rules.agreement import agreement
from services.rules.moves import Choice

SHIFT, END = Choice.SHIFT, Choice.END


@pytest.mark.parametrize(
    ("votes", "away", "agreed"),
    [
        ((SHIFT, SHIFT, SHIFT), (), SHIFT),
        ((END, END), (), END),
        ((SHIFT, SHIFT, None), (), None),
        ((SHIFT, SHIFT, None), (2,), SHIFT),
        ((SHIFT, SHIFT, END), (2,), SHIFT),
        ((SHIFT, SHIFT, END), (), None),
        ((SHIFT, END), (), None),
        ((SHIFT, None), (1,), None),
        ((SHIFT, None, None), (1, 2), None),
        ((None, None), (), None),
        ((SHIFT, SHIFT), (0, 1), None),
    ],
)
def test_all_present_seats_must_want_the_same_and_at_least_two_of_them(
    votes: tuple[Choice | None, ...], away: tuple[int, ...], agreed: Choice | None
) -> None:
    assert agreement(votes, away) is agreed
