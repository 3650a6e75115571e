"""What a check found: faults by name, what was checked with counts, and what could not be checked, with the reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

KEPT: Final = 50
"""How many findings of a kind are kept, by shard; all are counted."""


class Fault(StrEnum):
    """What can be wrong with a run. The first group is about what a client was told, the second about the logs."""

    EVENT_REPEATED = "event_repeated"
    """A socket got an event twice."""
    EVENT_OUT_OF_ORDER = "event_out_of_order"
    """A socket got an event after a later one."""
    EVENT_MISSING = "event_missing"
    """A socket never got an event between two that it got."""
    DIGEST_DIFFERS = "digest_differs"
    """A client's history is not the one in the log, or not that of another client."""
    HAND_DIFFERS = "hand_differs"
    """An event belongs to another hand than the client was told."""
    SET_BACK = "set_back"
    """History that a client had been told was lost."""
    ACKNOWLEDGED_NOT_IN_LOG = "acknowledged_not_in_log"
    """A client was told that its command happened, and the log does not have it."""
    VERDICT_CONTRADICTS_LOG = "verdict_contradicts_log"
    """The log tells another outcome of a command than its client was told."""
    VERDICT_CHANGED = "verdict_changed"
    """One command got two verdicts that differ."""
    VERDICT_MISSING = "verdict_missing"
    """A command was never answered, though a later one of its seat was."""
    NEVER_SENT = "never_sent"
    """The log has a command that its client never sent, or has it otherwise than it was sent."""
    SEEN_WRONG = "seen_wrong"
    """A race was judged as if a player had seen what it had not, or less than it said."""
    REFUSED_WITHOUT_REASON = "refused_without_reason"
    """In no state that the command can have met would the rules have refused it so."""
    REAL_TIME_VIOLATED = "real_time_violated"
    """The log puts a command behind one that was sent only after its outcome was known."""

    APPLIED_TWICE = "applied_twice"
    """The log has one command of a seat twice."""
    CHAIN_BROKEN = "chain_broken"
    """A log is not readable, not gapless, or its digests don't chain."""
    COMMITMENT_BROKEN = "commitment_broken"
    """The secret that is told at the end is not the one that was committed to."""
    RULES_CONTRADICTED = "rules_contradicted"
    """The rules, asked again, give another event."""
    CONTEST_WRONG = "contest_wrong"
    """The race for a place was not decided as ``rules.contest`` says."""
    CARDS_LOST = "cards_lost"
    """A seat has not its 52 cards, each once."""
    SCORE_WRONG = "score_wrong"
    """A hand's points, counted again, are others."""
    SHEET_WRONG = "sheet_wrong"
    """The sheet of a match, its totals or its winners are not what the logs give."""
    FILE_MISSING = "file_missing"
    """A log whose hand is on a sheet is not in the folder, or a sheet whose hand has a log."""
    FILE_UNREADABLE = "file_unreadable"
    """A file of the run is not what it should be."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, and where: what is not known of the place is None."""

    fault: Fault
    detail: str
    table: str | None = None
    match: str | None = None
    hand: int | None = None
    seq: int | None = None

    def __str__(self) -> str:
        named = {"table": self.table, "match": self.match, "hand": self.hand, "event": self.seq}
        where = ", ".join(f"{name} {value}" for name, value in named.items() if value is not None)
        return f"{self.fault}: {where}: {self.detail}" if where else f"{self.fault}: {self.detail}"


@dataclass(slots=True)
class Report:
    """What became of a check. ``checked`` and ``unchecked`` count things by what they are, in words."""

    checked: Counter[str] = field(default_factory=Counter)
    unchecked: Counter[str] = field(default_factory=Counter)
    faults: Counter[Fault] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.faults

    def add(self, finding: Finding) -> None:
        """Notes a fault. Of very many of a kind only the first are kept, and all are counted."""
        self.faults[finding.fault] += 1
        if self.faults[finding.fault] <= KEPT:
            self.findings.append(finding)

    def merge(self, other: Report) -> None:
        """Adds what another part of the check found."""
        self.checked += other.checked
        self.unchecked += other.unchecked
        self.faults += other.faults
        self.findings += other.findings
