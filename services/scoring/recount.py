"""A hand counted again from its log, by the rules alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from services.rules.events import BadEvent, Ended, digest, encode_body, parse, seal, unseal
from services.rules.replay import Contradiction, replay, verify
from services.rules.scoring import SeatScore, score_hand
from services.scoring.letters import BadLog, Reason
from services.scoring.records import Points


def recount(log: Sequence[bytes]) -> tuple[Points, ...] | None:
    """Every seat's points as the rules give them; None for a hand that counts for nobody.

    A log whose only fault is that its ``end`` tells other scores gives the right ones. Raises :class:`BadLog`
    (unverified) for any other that can't be confirmed.
    """
    problems = verify(log).problems
    try:
        end = parse(log[-1])
        if not isinstance(end, Ended):
            raise BadLog(Reason.UNVERIFIED, f"a hand ends with an end event, not {end.e}")
        scores = end.scores
        if problems:
            scores = _corrected(log, end)
    except (BadEvent, Contradiction, ValueError, LookupError, TypeError) as wrong:
        # Anything may stand in a log, and the first problem that was found is the one to tell.
        raise BadLog(Reason.UNVERIFIED, "; ".join(problems) or str(wrong)) from None
    return tuple(Points(s.foundation, s.demon, s.points) for s in scores) if end.why.counts else None


def _corrected(log: Sequence[bytes], end: Ended) -> tuple[SeatScore, ...]:
    """The scores with which the log is confirmed. Raises ValueError, among others, if there are none."""
    body, sealed = unseal(log[-1])
    before = unseal(log[-2])[1]
    if digest(before, body) != sealed:
        raise ValueError("the end is not of this history")
    hand = replay(map(parse, log[:-1]), end.secret)
    scores = score_hand(hand.layouts, hand.foundations, hand.callers, hand.options)
    right = encode_body(replace(end, scores=scores))
    if not verify([*log[:-1], seal(right, digest(before, right))]).verified:
        raise ValueError("more than the scores is wrong")
    return scores
