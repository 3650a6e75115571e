"""The sheet of a match in a playthrough: totals after each hand that counts, and who has won."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.hand import Hand
from services.rules.options import Options
from services.rules.scoring import SeatScore, match_result, score_hand
from services.rules.teams import team_totals, teams


class Sheet:
    """The points of a match by ``options``."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.totals: list[tuple[int, ...]] = []

    def begin(self, text: str) -> None:
        """Totals after the hands that were played before: "40 35; 70 61", or "0 1 x48" for the same 48 times."""
        for hand in text.split("; "):
            points, _, times = hand.partition(" x")
            self.totals += [tuple(map(int, points.split()))] * int(times or 1)

    def so_far(self, hand: Hand) -> list[str]:
        """The scores of a hand if it ended as it is. Nothing is counted."""
        return self._lines(score_hand(hand.layouts, hand.foundations, hand.callers, hand.options))

    def counted(self, scores: Sequence[SeatScore]) -> list[str]:
        """Counts a hand that has ended, unless it is void, and says how the match stands."""
        if not scores:
            return ["no score, and the totals stay what they were"]
        out = self._lines(scores)
        self.totals.append(self._after(scores))
        if self.options.teams != "off":
            sides = zip(teams(len(scores), self.options), team_totals(self.totals[-1], self.options), strict=True)
            out.append("teams: " + ", ".join(f"{'+'.join(map(str, seats))} have {total}" for seats, total in sides))
        result = match_result(self.totals, self.options)
        if result.over:
            return [*out, f"the match is over, won by {' and '.join(map(str, result.winners))}"]
        return [*out, "a playoff decides" if result.playoff else "the match goes on"]

    def _after(self, scores: Sequence[SeatScore]) -> tuple[int, ...]:
        before = self.totals[-1] if self.totals else (0,) * len(scores)
        return tuple(total + score.points for total, score in zip(before, scores, strict=True))

    def _lines(self, scores: Sequence[SeatScore]) -> list[str]:
        return ["seat  on foundations  in the demon  points  total"] + [
            f"{score.seat:4}  {score.foundation:14}  {score.demon:12}  {score.points:6}  {total:5}"
            for score, total in zip(scores, self._after(scores), strict=True)
        ]
