"""The catalogue of the edge's metrics. Labels come from small closed sets, and every series is there from the start."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from services.gateway.commands import Outcome
from services.runtime import tally
from services.runtime.metrics import FINE_SECONDS

SOCKETS: Final = Gauge("pandemonium_gateway_sockets", "Attached sockets.", ("kind",))
FRAMES_IN: Final = tally.Counter("pandemonium_gateway_frames_in", "Frames received from clients.")
FRAMES_OUT: Final = tally.Counter("pandemonium_gateway_frames_out", "Frames written to clients.")
BAD_FRAMES: Final = Counter("pandemonium_gateway_bad_frames", "Frames answered with an error, by its code.", ("code",))
VERDICTS: Final = tally.Counter("pandemonium_gateway_verdicts", "Verdicts passed to clients.", ("outcome",))
PLAY_SECONDS: Final = tally.Histogram(
    "pandemonium_gateway_play_seconds",
    "From a command's arrival to its verdict, by outcome; unavailable: it was given up.",
    ("outcome",),
    buckets=FINE_SECONDS,
)
REQUEST_SECONDS: Final = Histogram(
    "pandemonium_gateway_request_seconds",
    "How long REST requests took, by route and class of status.",
    ("route", "status"),
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)
TABLES_PAUSED: Final = Gauge(
    "pandemonium_gateway_tables_paused", "Tables at this gateway whose commands can't be judged at the moment."
)
RTT_SECONDS: Final = Histogram(
    "pandemonium_gateway_rtt_seconds", "Round trips of the edge's pings, seconds.", buckets=FINE_SECONDS
)
SEEN_BOUNDED: Final = Counter(
    "pandemonium_gateway_seen_bounded", "Commands whose claim of what was seen could not be.", ("bound",)
)
CLOSED: Final = Counter("pandemonium_gateway_closed", "Sockets closed by the edge, by close code.", ("code",))
ADMISSIONS: Final = Counter("pandemonium_gateway_admissions", "Sockets at the door, by how they got in.", ("result",))
THROTTLED: Final = Counter("pandemonium_gateway_throttled", "Times that a socket's frames had to wait for tokens.")
RESUMES: Final = Counter("pandemonium_gateway_resumes", "Attached sockets, by how they got the present.", ("kind",))
RECONNECTS: Final = Counter("pandemonium_gateway_reconnects", "Attached sockets that had been attached before.")
RELAYS: Final = Gauge("pandemonium_gateway_relays", "Tables with a socket at this gateway.")
GAPS_FILLED: Final = Counter("pandemonium_gateway_gaps_filled", "Gaps in a table's events filled from the log.")
HISTORIES_LOST: Final = Counter(
    "pandemonium_gateway_histories_lost", "Tables whose sockets were set back to an older history."
)
FEED_CONNECTIONS: Final = Counter("pandemonium_gateway_feed_connections", "Connections of the subscription.")
FAILOVERS: Final = Counter(
    "pandemonium_gateway_engine_failovers", "Times that commands moved to another engine.", ("why",)
)
COMMANDS_AGAIN: Final = Counter("pandemonium_gateway_commands_sent_again", "Commands sent to an engine once more.")
ENGINES_READY: Final = Gauge("pandemonium_gateway_engines_ready", "Engines with an open stream.")
OUT_OF_DESCRIPTORS: Final = Counter(
    "pandemonium_gateway_out_of_descriptors", "New connections refused because descriptors had nearly run out."
)
QUEUED: Final = Gauge("pandemonium_gateway_commands_queued", "Commands waiting for a batch.")
BATCH_SIZE: Final = Histogram(
    "pandemonium_gateway_batch_commands", "Commands in one batch.", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256)
)
CLOCK_ERROR_SECONDS: Final = Gauge(
    "pandemonium_gateway_clock_error_seconds", "How far off the arrival stamps may be from Redis' clock, seconds."
)
EMOTES: Final = Counter("pandemonium_gateway_emotes", "Emotes of seats, by what became of them.", ("result",))
GUESTS: Final = Counter("pandemonium_gateway_guests", "Guests made, refused or deleted.", ("result",))
LIMITED: Final = Counter(
    "pandemonium_gateway_limited",
    "Requests and sockets refused since their session or address came too often, or their player had too many sockets.",
)
CODES: Final = Counter("pandemonium_gateway_codes", "Codes of tables that were looked up.", ("result",))
QUESTIONS: Final = Counter("pandemonium_gateway_questions", "Questions to think about, by what became.", ("result",))
THINKING_SECONDS: Final = Histogram(
    "pandemonium_gateway_thinking_seconds",
    "From a question until its answer, waiting for its turn included.",
    buckets=(0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)

CLOSE_CODES: Final = (1000, 1001, 1008, 1009, 1011, 1013, 4001, 4003, 4004, 4008, 4009, 4010, 4029)
ERROR_CODES: Final = (
    *("bad_frame", "not_attached", "already_attached", "not_seated", "not_started"),
    *("ready_refused", "too_many_emotes", "unavailable"),
)

for _kind in ("seat", "spectator"):
    SOCKETS.labels(_kind)
for _result in ("at_once", "waited", "refused"):
    ADMISSIONS.labels(_result)
for _code in CLOSE_CODES:
    CLOSED.labels(str(_code))
for _error in ERROR_CODES:
    BAD_FRAMES.labels(_error)
for _bound in ("sent", "unshown", "proven"):
    SEEN_BOUNDED.labels(_bound)
for _kind in ("fresh", "events", "snapshot", "set_back"):
    RESUMES.labels(_kind)
for _why in ("broken", "silent", "old"):
    FAILOVERS.labels(_why)
for _result in ("passed", "too_many", "failed"):
    EMOTES.labels(_result)
for _result in ("made", "bad_name", "too_many", "deleted"):
    GUESTS.labels(_result)
for _result in ("found", "unknown", "too_many"):
    CODES.labels(_result)
for _result in ("answered", "too_many", "busy"):
    QUESTIONS.labels(_result)
VERDICTS_BY_OUTCOME: Final = {outcome: VERDICTS.labels(outcome.name.lower()) for outcome in Outcome if outcome}
PLAY_SECONDS_BY_OUTCOME: Final = {outcome: PLAY_SECONDS.labels(outcome.name.lower()) for outcome in Outcome if outcome}
STATUS_CLASSES: Final = ("1xx", "2xx", "3xx", "4xx", "5xx")
PAGE_ROUTE: Final = "page"
"""The label of everything that is no route of REST: the page, its files, and what does not exist."""
for _status in STATUS_CLASSES:
    REQUEST_SECONDS.labels(PAGE_ROUTE, _status)
