"""Who plays with whom: pairs of seats across the table, or every seat for itself (the option ``teams``).

>>> teams(6, Options(teams="pairs"))
((0, 3), (1, 4), (2, 5))
>>> team_totals([10, 4, -3, 7], Options(teams="pairs"))
(7, 11)
>>> teams(3, Options())
((0,), (1,), (2,))
"""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.options import Options

Team = tuple[int, ...]


def teams(seats: int, options: Options) -> tuple[Team, ...]:
    """The teams of a table, each the numbers of its seats; partners sit half the table apart."""
    if options.teams == "off":
        return tuple((seat,) for seat in range(seats))
    half = seats // 2
    return tuple((seat, seat + half) for seat in range(half))


def team_totals(totals: Sequence[int], options: Options) -> tuple[int, ...]:
    """The points of each team, in the order of :func:`teams`; ``totals`` by seat."""
    return tuple(sum(totals[seat] for seat in team) for team in teams(len(totals), options))
