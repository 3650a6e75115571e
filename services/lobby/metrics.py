"""The lobby's metrics. Labels come from small closed sets, and every series is there from the start."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from services.lobby.agenda import Step
from services.lobby.table import State

JOIN_OUTCOMES: Final = (
    "seated",
    "already",
    "full",
    "closed",
    "running",
    "elsewhere",
    "not_invited",
    "unknown",
    "fault",
)
CLAIM_OUTCOMES: Final = ("claimed", "none", "fault")
STEP_OUTCOMES: Final = ("done", "waiting", "fault")

TABLES: Final = Gauge(
    "pandemonium_lobby_tables", "Tables of the whole platform by state (each lobby tells the same).", ("state",)
)
JOINS: Final = Counter("pandemonium_lobby_joins", "Players who asked for a seat, by outcome.", ("outcome",))
QUICK_PLAY_WAIT: Final = Histogram(
    "pandemonium_lobby_quick_play_wait_seconds",
    "From the opening of a quick-play table until its first hand was prepared.",
    buckets=(0.05, 0.25, 1.0, 2.5, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 60.0, 300.0),
)
SOLO_GAMES: Final = Counter("pandemonium_lobby_solo_games", "Games of Aces Up that players have begun.")
HANDS_DEALT: Final = Counter("pandemonium_lobby_hands_dealt", "Hands that an engine dealt when asked.")
BOT_CLAIMS: Final = Counter("pandemonium_lobby_bot_claims", "Bots offered by workers, by outcome.", ("outcome",))
LEASES_EXPIRED: Final = Counter("pandemonium_lobby_leases_expired", "Bot seats whose worker did not renew in time.")
SCORED_LAG: Final = Histogram(
    "pandemonium_lobby_scored_lag_seconds",
    "From a hand's result being told until its table had it.",
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0, 300.0),
)
SCORED_BAD: Final = Counter("pandemonium_lobby_scored_unreadable", "Results that could not be read, or fit no table.")
STEPS: Final = Counter("pandemonium_lobby_steps", "Steps of tables, by step and outcome.", ("step", "outcome"))
SWEEP: Final = Histogram(
    "pandemonium_lobby_sweep_seconds",
    "How long one look at all shards' due steps took.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
)

for _state in State:
    TABLES.labels(_state)
for _outcome in JOIN_OUTCOMES:
    JOINS.labels(_outcome)
for _outcome in CLAIM_OUTCOMES:
    BOT_CLAIMS.labels(_outcome)
for _step in Step:
    for _outcome in STEP_OUTCOMES:
        STEPS.labels(_step, _outcome)

_JOIN_REASONS: Final = {
    "TABLE_FULL": "full",
    "TABLE_CLOSED": "closed",
    "MATCH_RUNNING": "running",
    "ALREADY_SEATED": "elsewhere",
    "BAD_INVITE": "not_invited",
    "SENT_AWAY": "not_invited",
    "UNKNOWN_TABLE": "unknown",
}


def join_outcome(reason: str) -> str:
    """The label of a join that was refused for a reason."""
    return _JOIN_REASONS.get(reason, "fault")
