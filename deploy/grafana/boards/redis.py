"""The log that everything stands on. Names and meanings of the figures are in docs/metrics.md."""

from __future__ import annotations

from grafana_foundation_sdk.builders.dashboard import Dashboard

from deploy.grafana.panels import dashboard, figure, lines, percentiles, rate, rows


def board() -> Dashboard:
    """The dashboard."""
    board = dashboard(
        "redis", "Redis", "The log that everything stands on: what it says itself, and how it looks from outside."
    )
    return rows(
        board,
        [
            (
                "Now",
                [
                    figure("Answers", "short", "1: yes.", "min(pandemonium_redis_up)"),
                    figure(
                        "Writes its log",
                        "short",
                        "1: yes.",
                        "min(pandemonium_redis_log_enabled * pandemonium_redis_log_written)",
                    ),
                    figure("Replicas", "short", "Connected.", "max(pandemonium_redis_replicas)"),
                    figure("Keys", "short", "In all databases.", "max(pandemonium_redis_keys)"),
                    figure("Up for", "s", "Since its start.", "max(pandemonium_redis_uptime_seconds)"),
                    figure(
                        "Keys thrown away",
                        "short",
                        "For lack of memory, in a day. It has to be 0.",
                        "max(increase(pandemonium_redis_keys_evicted_total[1d]))",
                        bad_from=0.5,
                    ),
                ],
            ),
            (
                "From outside",
                [
                    lines(
                        "Answers",
                        "s",
                        "Commands and pipelines.",
                        *percentiles("pandemonium_redis_answer_seconds", "job"),
                    ),
                    lines(
                        "Connections",
                        "ops",
                        "Tried, by outcome.",
                        rate("pandemonium_redis_connections_total", "job, outcome"),
                    ),
                    lines("Connections broken", "ops", "By why.", rate("pandemonium_redis_broken_total", "job, why")),
                ],
            ),
            (
                "From inside",
                [
                    lines(
                        "Memory",
                        "bytes",
                        "Used, resident, and the limit (0: none).",
                        ("max(pandemonium_redis_memory_bytes)", "used"),
                        ("max(pandemonium_redis_memory_resident_bytes)", "resident"),
                        ("max(pandemonium_redis_memory_limit_bytes)", "limit"),
                    ),
                    lines(
                        "Commands",
                        "ops",
                        "Those of scripts included; calls of scripts.",
                        ("max(rate(pandemonium_redis_commands_total[$__rate_interval]))", "commands"),
                        ("max(rate(pandemonium_redis_scripts_total[$__rate_interval]))", "scripts"),
                    ),
                    lines(
                        "Busy with scripts",
                        "percentunit",
                        "Share of its one core.",
                        ("max(rate(pandemonium_redis_script_busy_seconds_total[$__rate_interval]))", "scripts"),
                    ),
                    lines(
                        "Clients",
                        "short",
                        "Open, and in a blocking read.",
                        ("max(pandemonium_redis_clients)", "open"),
                        ("max(pandemonium_redis_clients_blocked)", "blocked"),
                        ("max(pandemonium_redis_channels)", "channels"),
                    ),
                    lines(
                        "Network",
                        "Bps",
                        "In and out.",
                        ("max(rate(pandemonium_redis_received_bytes_total[$__rate_interval]))", "in"),
                        ("max(rate(pandemonium_redis_sent_bytes_total[$__rate_interval]))", "out"),
                    ),
                    lines(
                        "Trouble",
                        "ops",
                        "Writes that waited for the disk, errors, connections refused.",
                        ("max(rate(pandemonium_redis_log_syncs_delayed_total[$__rate_interval]))", "delayed writes"),
                        ("max(rate(pandemonium_redis_errors_answered_total[$__rate_interval]))", "errors"),
                        ("max(rate(pandemonium_redis_clients_rejected_total[$__rate_interval]))", "refused"),
                    ),
                ],
            ),
        ],
    )
