"""Every process and every queue. Names and meanings of the figures are in docs/metrics.md."""

from __future__ import annotations

from grafana_foundation_sdk.builders.dashboard import Dashboard

from deploy.grafana.panels import SERVICES, dashboard, lines, percentiles, rate, rows


def board() -> Dashboard:
    """The dashboard."""
    board = dashboard("services", "services", "Processes, queues between them, and what they wait for.")
    return rows(
        board,
        [
            (
                "Processes",
                [
                    lines("Reached", "short", "Processes, by service.", (f"sum by (job) (up{SERVICES})", "{{job}}")),
                    lines(
                        "Not ready",
                        "short",
                        "Checks that fail.",
                        ("sum by (job, check) (1 - pandemonium_ready)", "{{job}} {{check}}"),
                    ),
                    lines(
                        "Releases",
                        "short",
                        "Processes, by release.",
                        ("count by (version) (pandemonium_build_info)", "{{version}}"),
                    ),
                    lines(
                        "CPU",
                        "percentunit",
                        "Of one core.",
                        (f"sum by (job) (rate(process_cpu_seconds_total{SERVICES}[$__rate_interval]))", "{{job}}"),
                    ),
                    lines(
                        "Memory",
                        "bytes",
                        "Resident.",
                        (f"sum by (job) (process_resident_memory_bytes{SERVICES})", "{{job}}"),
                    ),
                    lines("Descriptors", "short", "Open.", (f"max by (job) (process_open_fds{SERVICES})", "{{job}}")),
                    lines(
                        "Lag of event loops",
                        "s",
                        "How late they wake.",
                        *percentiles("pandemonium_loop_lag_seconds", "job"),
                    ),
                ],
            ),
            (
                "Gateway and engine",
                [
                    lines(
                        "Commands in a batch",
                        "short",
                        "Of the edge.",
                        *percentiles("pandemonium_gateway_batch_commands"),
                    ),
                    lines(
                        "Waiting",
                        "short",
                        "For a batch at the edge; for a verdict at an engine.",
                        ("sum(pandemonium_gateway_commands_queued)", "commands"),
                        ("sum(pandemonium_engine_seats_undecided)", "seats"),
                    ),
                    lines(
                        "Engine", "s", "A command's way through it.", *percentiles("pandemonium_engine_command_seconds")
                    ),
                    lines(
                        "Referee",
                        "s",
                        "A batch's way to Redis and back.",
                        *percentiles("pandemonium_engine_script_seconds"),
                    ),
                    lines(
                        "Engines",
                        "short",
                        "With an open stream, by gateway.",
                        ("pandemonium_gateway_engines_ready", "{{instance}}"),
                    ),
                    lines(
                        "Failovers",
                        "ops",
                        "Commands moved to another engine, by why; tables that stand still.",
                        rate("pandemonium_gateway_engine_failovers_total", "why"),
                        ("sum(pandemonium_gateway_tables_paused)", "tables paused"),
                    ),
                    lines("Calls", "ops", "That ended, by code.", rate("pandemonium_grpc_handled_total", "job, code")),
                    lines("Calls' time", "s", "Unary calls.", *percentiles("pandemonium_grpc_handling_seconds", "job")),
                    lines(
                        "Gaps filled",
                        "ops",
                        "Events that the subscription missed.",
                        rate("pandemonium_gateway_gaps_filled_total"),
                    ),
                ],
            ),
            (
                "Lobby and bots",
                [
                    lines("Joins", "ops", "By outcome.", rate("pandemonium_lobby_joins_total", "outcome")),
                    lines("Steps", "ops", "Of tables, by outcome.", rate("pandemonium_lobby_steps_total", "outcome")),
                    lines("Bots", "short", "Seats that bots play.", ("sum(pandemonium_bots_seats)", "seats")),
                ],
            ),
            (
                "Scoring",
                [
                    lines(
                        "Backlog",
                        "short",
                        "Finished hands not settled yet.",
                        ("max(pandemonium_scoring_backlog_hands)", "hands"),
                    ),
                    lines(
                        "Lag",
                        "s",
                        "From a hand's end until its result is told; age of the oldest that waits.",
                        *percentiles("pandemonium_scoring_lag_seconds"),
                        ("max(pandemonium_scoring_backlog_age_seconds)", "oldest"),
                    ),
                    lines(
                        "Hands counted",
                        "ops",
                        "By how they ended.",
                        rate("pandemonium_scoring_hands_counted_total", "why"),
                    ),
                    lines(
                        "Dead letters", "ops", "By reason.", rate("pandemonium_scoring_dead_letters_total", "reason")
                    ),
                    lines("Database", "s", "Transactions.", *percentiles("pandemonium_scoring_database_seconds")),
                    lines(
                        "Retries", "ops", "What did not answer.", rate("pandemonium_scoring_retries_total", "needed")
                    ),
                ],
            ),
            (
                "Console",
                [
                    lines("Logins", "ops", "By result.", rate("pandemonium_ops_logins_total", "result")),
                    lines("Actions", "ops", "Of operators.", rate("pandemonium_ops_actions_total", "kind, result")),
                    lines(
                        "Turned away",
                        "ops",
                        "Requests, by reason; entries that could not be put on record.",
                        rate("pandemonium_ops_refused_total", "reason"),
                        ("sum(rate(pandemonium_ops_audit_failures_total[$__rate_interval]))", "not on record"),
                    ),
                ],
            ),
        ],
    )
