"""One hand, checked from its log alone: the chain, the commitment, every verdict, the cards, the points.

What the clients were told is compared with it elsewhere. The judging is that of ``pandemonium verify``: the referee of
``services.rules`` decides each command again with what the log says it knew.
"""

from __future__ import annotations

from services.loadtest import check_cards, check_contests
from services.loadtest.check_log import LoggedHand
from services.loadtest.check_report import Fault, Report
from services.rules import replay
from services.rules.aces_up.events import AcesDealt
from services.rules.deal import commitment
from services.rules.events import Dealt, Ended, Event, Prepared
from services.rules.hand import Hand
from services.rules.scoring import score_hand


def check(log: LoggedHand, report: Report) -> dict[int, Hand]:
    """Checks the hand. Returns its state after each event, up to the first that contradicts the rules."""
    report.checked["hands"] += 1
    _named(log, report)
    _committed(log, report)
    if any(isinstance(event, AcesDealt) for event in log.events):
        _game(log, report)
        return {}
    dealt = next((event for event in log.events if isinstance(event, Dealt)), None)
    if dealt is not None:
        check_contests.check(log, dealt.options, report)
        check_cards.check(log, dealt, report)
    return _judged_again(log, report)


def _named(log: LoggedHand, report: Report) -> None:
    """The file's name, ``prepare`` and ``end`` speak of the same hand, and it is whole."""
    first, last = log.events[0], log.events[-1]
    if not isinstance(first, Prepared) or (first.match, first.hand) != (log.match, log.number):
        report.add(log.fault(Fault.CHAIN_BROKEN, f"begins with {first.e}, not with its own prepare", first.seq))
    if last.e not in ("end", "aces_end"):
        report.add(log.fault(Fault.CHAIN_BROKEN, f"breaks off with {last.e}", last.seq))


def _committed(log: LoggedHand, report: Report) -> None:
    told = {event.commitment for event in log.events if isinstance(event, Prepared | Dealt | AcesDealt)}
    secret = getattr(log.events[-1], "secret", None)
    if secret is None:
        return
    try:
        kept = told == {commitment(secret)}
    except ValueError as wrong:
        report.add(log.fault(Fault.COMMITMENT_BROKEN, str(wrong), log.last))
        return
    report.checked["commitments"] += 1
    if not kept:
        report.add(log.fault(Fault.COMMITMENT_BROKEN, "the secret's hash is not what was told before", log.last))


def _game(log: LoggedHand, report: Report) -> None:
    """Aces Up: the whole verification of the rules, which names one contradiction."""
    for problem in replay.verify(log.sealed).problems:
        report.add(log.fault(Fault.RULES_CONTRADICTED, problem))
    report.checked["events judged again"] += len(log.events)


def _judged_again(log: LoggedHand, report: Report) -> dict[int, Hand]:
    states: dict[int, Hand] = {}
    end = log.events[-1]
    seq = log.first
    try:
        hand = replay.replay(log.events[:1], secret=end.secret if isinstance(end, Ended) else None)
        states[hand.seq] = hand
        following: tuple[Event, ...] = ()
        for event in log.events[1:]:
            seq = event.seq
            if isinstance(event, Ended) and event.why.counts:
                _scored(log, hand, event, report)
            hand, following = replay.advance(hand, event, following)
            # An automatic call is in the state before its own event is: then both events have one state.
            states[event.seq] = hand
    except ValueError as wrong:
        report.add(log.fault(Fault.RULES_CONTRADICTED, str(wrong), seq))
        report.unchecked["events behind a contradiction"] += len(log.events) - len(states) - 1
    report.checked["events judged again"] += len(states)
    return states


def _scored(log: LoggedHand, hand: Hand, end: Ended, report: Report) -> None:
    """RD-12, from the cards as they lie at the end."""
    counted = score_hand(hand.layouts, hand.foundations, hand.callers, hand.options)
    report.checked["scores of seats"] += len(counted)
    for told, right in zip(end.scores, counted, strict=False):
        if told != right:
            report.add(log.fault(Fault.SCORE_WRONG, f"the end tells {told}, counted again it is {right}", end.seq))
    if len(end.scores) != len(counted):
        report.add(log.fault(Fault.SCORE_WRONG, f"{len(end.scores)} scores of {len(counted)} seats", end.seq))
