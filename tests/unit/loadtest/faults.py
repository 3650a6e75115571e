"""What might go wrong with a platform, done to the records of a run in which nothing did: the teeth of the check.

Each fault is what a certain mistake would have left behind, and is told apart by the name under which it must be found.
A log that is changed gets a chain of digests that fits, and the clients' digests follow it, unless the chain is the
point: so it is the deeper check that has to notice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from services.loadtest.check_report import Fault
from tests.unit.loadtest import faults_logged as logged
from tests.unit.loadtest import faults_told as told
from tests.unit.loadtest.altered_run import Records

Break = Callable[[Records], None]


@dataclass(frozen=True, slots=True)
class Seeded:
    """A fault to be done to a run, and the name under which it must be found. ``chained``: see :meth:`Records.save`."""

    done: Break
    fault: Fault
    chained: bool = True

    def seed(self, folder: Path) -> None:
        """Does it."""
        records = Records(folder)
        self.done(records)
        records.save(chained=self.chained)


FAULTS: Final[dict[str, Seeded]] = {
    "an event comes twice": Seeded(told.event_comes_twice, Fault.EVENT_REPEATED),
    "two events change places": Seeded(told.two_events_change_places, Fault.EVENT_OUT_OF_ORDER),
    "an event never comes": Seeded(told.event_never_comes, Fault.EVENT_MISSING),
    "a stream is resumed too late": Seeded(told.resumed_too_late, Fault.EVENT_MISSING),
    "a client has another digest": Seeded(told.client_has_another_digest, Fault.DIGEST_DIFFERS, chained=False),
    "clients of an unlogged hand differ": Seeded(told.clients_of_an_unlogged_hand_differ, Fault.DIGEST_DIFFERS),
    "a snapshot is of another history": Seeded(told.snapshot_of_another_history, Fault.DIGEST_DIFFERS, chained=False),
    "an event is of another hand": Seeded(told.event_of_another_hand, Fault.HAND_DIFFERS),
    "an acknowledgement is lost": Seeded(told.acknowledgement_is_lost, Fault.VERDICT_MISSING),
    "an acknowledged play is not its event": Seeded(told.acknowledged_as_another, Fault.ACKNOWLEDGED_NOT_IN_LOG),
    "an acknowledged play is in no log": Seeded(told.acknowledged_behind_the_end, Fault.ACKNOWLEDGED_NOT_IN_LOG),
    "a play is refused and happens": Seeded(told.refused_but_it_happened, Fault.VERDICT_CONTRADICTS_LOG),
    "a tied card is told to be alone": Seeded(told.told_to_be_alone_on_a_shared_place, Fault.VERDICT_CONTRADICTS_LOG),
    "a second verdict differs": Seeded(told.second_verdict_differs, Fault.VERDICT_CHANGED),
    "a command is refused for nothing": Seeded(told.refused_for_nothing, Fault.REFUSED_WITHOUT_REASON),
    "a hand that does not run is held still": Seeded(told.held_still_between_hands, Fault.REFUSED_WITHOUT_REASON),
    "a command was never sent": Seeded(told.command_that_nobody_sent, Fault.NEVER_SENT),
    "another card was sent": Seeded(told.another_card_than_was_sent, Fault.NEVER_SENT),
    "a player had seen more": Seeded(told.player_had_seen_more, Fault.SEEN_WRONG),
    "a play is judged as if more was seen": Seeded(logged.judged_as_if_more_was_seen, Fault.SEEN_WRONG),
    "the log's order is against real time": Seeded(told.log_against_real_time, Fault.REAL_TIME_VIOLATED),
    "a client is welcomed to an older state": Seeded(told.welcomed_to_an_older_state, Fault.SET_BACK),
    "history was lost": Seeded(told.told_that_history_was_lost, Fault.SET_BACK),
    "a line is no record": Seeded(told.line_that_is_no_record, Fault.FILE_UNREADABLE),
    "a command is in the log twice": Seeded(logged.command_in_the_log_twice, Fault.APPLIED_TWICE),
    "an event is left out of the log": Seeded(logged.event_left_out, Fault.CHAIN_BROKEN),
    "a digest is forged": Seeded(logged.digest_is_forged, Fault.CHAIN_BROKEN, chained=False),
    "a hand is not linked to the one before": Seeded(logged.hands_not_linked, Fault.CHAIN_BROKEN, chained=False),
    "the secret is another": Seeded(logged.another_secret, Fault.COMMITMENT_BROKEN),
    "a move is against the rules": Seeded(logged.move_that_no_rule_allows, Fault.RULES_CONTRADICTED),
    "a contest has the wrong winner": Seeded(logged.wrong_winner, Fault.CONTEST_WRONG),
    "a place is shared with who had seen it taken": Seeded(logged.shared_though_it_was_seen, Fault.CONTEST_WRONG),
    "a card is lost in a seat's waste": Seeded(logged.card_lost_as_the_waste_is_turned, Fault.CARDS_LOST),
    "a card is missing in the deal": Seeded(logged.dealt_without_a_card, Fault.CARDS_LOST),
    "the score at the end is wrong": Seeded(logged.score_of_the_end, Fault.SCORE_WRONG),
    "a sheet has other points": Seeded(logged.points_of_the_sheet, Fault.SHEET_WRONG),
    "a sheet has another total": Seeded(logged.total_of_the_sheet, Fault.SHEET_WRONG),
    "a match that goes on has a winner": Seeded(logged.winner_of_a_match_that_goes_on, Fault.SHEET_WRONG),
    "the log of a counted hand is gone": Seeded(logged.log_of_a_counted_hand_is_gone, Fault.FILE_MISSING),
}
