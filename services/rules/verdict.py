"""Verdicts: what the referee answers to a command, and the frame that tells it (docs/protocol.md).

>>> Verdict(n=7, outcome=Outcome.TIED, seq=131, f=3).frame()
'{"t":"verdict","n":7,"v":"tied","seq":131,"f":3}'
>>> Verdict(n=9, outcome=Outcome.OUT_OF_ORDER, last=7).frame()
'{"t":"verdict","n":9,"v":"out_of_order","last":7}'
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from services.rules.aces_up.moves import Reason as AcesUpReason
from services.rules.contest import Contest
from services.rules.moves import Reason


class Outcome(StrEnum):
    """What became of a command; the values are the wire's. ``SET_BACK``: its epoch is of a history that is lost."""

    APPLIED = "applied"
    TIED = "tied"
    RETURNED = "returned"
    REFUSED = "refused"
    OUT_OF_ORDER = "out_of_order"
    TAKEN_OVER = "taken_over"
    SET_BACK = "set_back"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to command ``n``.

    ``seq`` is the event it became (applied, tied, returned), ``f`` the foundation (a play that was applied or tied),
    ``why`` the reason (a :class:`Contest` if returned, a reason of its game if refused), ``last`` the seat's last
    command number (out of order).
    """

    n: int
    outcome: Outcome
    seq: int | None = None
    f: int | None = None
    why: Contest | Reason | AcesUpReason | None = None
    last: int | None = None

    def frame(self) -> str:
        """The verdict as the client gets it: keys in this order, those that say nothing left out, no blanks."""
        said = {"seq": self.seq, "f": self.f, "why": self.why, "last": self.last}
        pairs = {"t": "verdict", "n": self.n, "v": self.outcome}
        return json.dumps(pairs | {k: v for k, v in said.items() if v is not None}, separators=(",", ":"))
