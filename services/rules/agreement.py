"""Whether the seats agree to shift or to end the hand (RD-10 f, g).

>>> agreement((Choice.SHIFT, Choice.SHIFT, None), away=(2,))
<Choice.SHIFT: 'shift'>
>>> agreement((Choice.SHIFT, None), away=(1,)) is None
True
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from services.rules.moves import Choice


def agreement(votes: Sequence[Choice | None], away: Collection[int] = ()) -> Choice | None:
    """What all present seats consent to, if at least two of them do, or all seats.

    ``votes`` is by seat; ``away`` are the absent ones, who don't count.
    """
    present = [vote for seat, vote in enumerate(votes) if seat not in away]
    enough = len(present) >= min(2, len(votes))
    return present[0] if enough and len(set(present)) == 1 else None
