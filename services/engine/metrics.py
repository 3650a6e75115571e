"""The catalogue of the engine's metrics. Every series is there from the start; no label names a table or a player."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from services.engine.port import Command, Status, Timer
from services.rules.aces_up.events import AcesEndWhy
from services.rules.events import EndWhy
from services.rules.moves import Call, PlayToFoundation, Vote
from services.runtime import tally

PLAY_SECONDS: Final = (
    *(0.0001, 0.0002, 0.0005, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.0075),
    *(0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5),
)
"""Histogram buckets of a command's way, from 0.1 ms, in seconds."""

COMMANDS: Final = tally.Counter(
    "pandemonium_engine_commands",
    "Commands answered, by what they asked for and what became of them; repeated: it had been judged before.",
    ("kind", "outcome"),
)
CONTESTS: Final = tally.Counter(
    "pandemonium_engine_contests",
    "Foundation plays that were legal, by who was first: first, tied, late or seen.",
    ("outcome",),
)
GAP_SECONDS: Final = Histogram(
    "pandemonium_engine_contest_gap_seconds",
    "How much later than the card that has the place a contesting card reached the edge; tied: time made up for.",
    ("outcome",),
    buckets=(0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 1.0, 2.5),
)
EVENTS: Final = tally.Counter(
    "pandemonium_engine_events", "Events of commands and timers that were appended to logs by way of this engine."
)
STALE: Final = Counter("pandemonium_engine_stale", "Commands judged on an outdated layout, and judged again.")
QUEUE_SECONDS: Final = tally.Histogram(
    "pandemonium_engine_queue_seconds",
    "From the arrival of a seat's oldest waiting command to its batch.",
    buckets=PLAY_SECONDS,
)
SCRIPT_SECONDS: Final = Histogram(
    "pandemonium_engine_script_seconds", "A batch's way to Redis and back.", buckets=PLAY_SECONDS
)
TOTAL_SECONDS: Final = tally.Histogram(
    "pandemonium_engine_command_seconds", "From a command's arrival to its verdict.", buckets=PLAY_SECONDS
)
BATCH_COMMANDS: Final = Histogram(
    "pandemonium_engine_batch_commands", "Commands in one batch.", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
)
BATCHES_FAILED: Final = Counter(
    "pandemonium_engine_batches_failed", "Batches that Redis did not answer; their commands are sent again by the edge."
)
UNDECIDED: Final = Gauge(
    "pandemonium_engine_seats_undecided", "Seats with commands that wait for a verdict, as the last batch found it."
)
TIMERS: Final = Counter("pandemonium_engine_timers", "Timers that fired here and did something.", ("kind",))
TIMER_SECONDS: Final = Histogram(
    "pandemonium_engine_timer_seconds", "The work on one timer that may be due.", buckets=PLAY_SECONDS
)
TABLES_INDEXED: Final = Gauge("pandemonium_engine_tables", "Tables with a hand, as the last sweep found them.")
SHIFTS: Final = Counter("pandemonium_engine_shifts", "Shifts of all stocks, by why.", ("why",))
HANDS_ENDED: Final = Counter("pandemonium_engine_hands_ended", "Hands and games that ended here, by why.", ("why",))
STREAMS: Final = Gauge("pandemonium_engine_play_streams", "Streams of commands that are open.")
WATCHES: Final = Gauge("pandemonium_engine_watches", "Watches that are open.")

KINDS: Final = ("play", "move", "call", "vote")
"""What a command asks for; turns of the stock count as moves."""
_OUTCOMES: Final = (*(s.value for s in Status if s is not Status.STALE), "repeated")
_CONTEST: Final = {Status.APPLIED: "first", Status.TIED: "tied", Status.LATE: "late", Status.SEEN: "seen"}

_commands: Final = {(kind, outcome): COMMANDS.labels(kind, outcome) for kind in KINDS for outcome in _OUTCOMES}
_contests: Final = {status: CONTESTS.labels(word) for status, word in _CONTEST.items()}
_gaps: Final[dict[Status, Histogram]] = {
    status: GAP_SECONDS.labels(word) for status, word in _CONTEST.items() if status is not Status.APPLIED
}
for _timer in Timer:
    TIMERS.labels(_timer.value)
for _why in {*(why.value for why in EndWhy), *(why.value for why in AcesEndWhy)}:
    HANDS_ENDED.labels(_why)
for _word in ("blocked", "agreed"):
    SHIFTS.labels(_word)


def judged(command: Command, status: Status, again: bool, gap_ms: int | None = None) -> None:
    """Counts one answer. ``gap_ms``: see ``port.Ruling``."""
    action = command.action
    if status in _contests and not again:
        EVENTS.inc()
    if isinstance(action, PlayToFoundation):
        kind = "play"
        if not again and status in _contests:
            _contests[status].inc()
            if gap_ms is not None:
                _gaps[status].observe(gap_ms / 1000)
    else:
        kind = "call" if isinstance(action, Call) else "vote" if isinstance(action, Vote) else "move"
    _commands[kind, "repeated" if again else status.value].inc()
