"""The catalogue of scoring's metrics. All series are there from the start."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from services.rules.aces_up.events import AcesEndWhy
from services.rules.events import EndWhy
from services.scoring.letters import Reason

COUNTED: Final = Counter("pandemonium_scoring_hands_counted", "Hands counted, by how they ended.", ("why",))
GAMES: Final = Counter("pandemonium_scoring_games_counted", "Games of Aces Up counted, by how they ended.", ("why",))
VOIDED: Final = Counter("pandemonium_scoring_hands_voided", "Counted hands that their tables had dealt again.")
REDELIVERED: Final = Counter(
    "pandemonium_scoring_hands_redelivered", "Entries of hands that had been counted before; they changed nothing."
)
CONFLICTS: Final = Counter(
    "pandemonium_scoring_hands_conflicting",
    "Entries that told another history of a counted hand; the first one stands.",
)
DEAD_LETTERS: Final = Counter(
    "pandemonium_scoring_dead_letters", "Hands that could not be counted as they should, by reason.", ("reason",)
)
DISAGREEMENTS: Final = Counter(
    "pandemonium_scoring_disagreements",
    "Hands whose recount came to other points than the end event; the recount counts.",
)
FORGOTTEN: Final = Counter("pandemonium_scoring_players_deleted", "Players who were deleted.")
LOGS_EXPIRED: Final = Counter("pandemonium_scoring_logs_expired", "Logs of hands and games that were kept long enough.")
MATCHES_OVER: Final = Counter("pandemonium_scoring_matches_over", "Matches that came to their end.")
RETRIES: Final = Counter(
    "pandemonium_scoring_retries", "Rounds that stopped because something needed did not answer.", ("needed",)
)
BACKLOG: Final = Gauge("pandemonium_scoring_backlog_hands", "Finished hands that are not settled yet.")
BACKLOG_AGE: Final = Gauge(
    "pandemonium_scoring_backlog_age_seconds", "Age of the oldest finished hand that is not settled; 0 without any."
)
RECOUNT_SECONDS: Final = Histogram(
    "pandemonium_scoring_recount_seconds",
    "How long replaying a hand took.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5),
)
LAG_SECONDS: Final = Histogram(
    "pandemonium_scoring_lag_seconds",
    "From a hand's end until its result was told, seconds of Redis' clock.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0),
)
DATABASE_SECONDS: Final = Histogram(
    "pandemonium_scoring_database_seconds",
    "How long a transaction took, waiting for its lock and failed ones included.",
    ("operation",),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)

for _why in EndWhy:
    COUNTED.labels(_why.value)
for _how in AcesEndWhy:
    GAMES.labels(_how.value)
for _reason in Reason:
    DEAD_LETTERS.labels(_reason.value)
for _needed in ("database", "redis"):
    RETRIES.labels(_needed)
for _operation in (
    "count",
    "bury",
    "void",
    "known",
    "match",
    "hand",
    "matches",
    "leaders",
    "games",
    "statistics",
    "ping",
    "migrate",
    "forget",
    "expire",
):
    DATABASE_SECONDS.labels(_operation)
