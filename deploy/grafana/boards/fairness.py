"""Who was first, and what was made up for. Names and meanings of the figures are in docs/metrics.md."""

from __future__ import annotations

from grafana_foundation_sdk.builders.dashboard import Dashboard

from deploy.grafana.panels import dashboard, lines, percentiles, rate, rows


def board() -> Dashboard:
    """The dashboard."""
    board = dashboard(
        "fairness", "contention and fairness", "Who was first, how close it was, and what players claimed."
    )
    share = (
        "sum(rate(pandemonium_engine_contests_total{outcome=~'%s'}[$__rate_interval])) "
        "/ sum(rate(pandemonium_engine_contests_total[$__rate_interval]))"
    )
    gap = "pandemonium_engine_contest_gap_seconds"
    return rows(
        board,
        [
            (
                "Contests",
                [
                    lines(
                        "Foundation plays",
                        "ops",
                        "By who was first.",
                        rate("pandemonium_engine_contests_total", "outcome"),
                    ),
                    lines(
                        "Shares",
                        "percentunit",
                        "Of legal foundation plays: shared their place, or went back.",
                        (share % "tied", "tied"),
                        (share % "late|seen", "returned"),
                    ),
                    lines(
                        "How close it was",
                        "s",
                        "How much later than the first card the other one came: tied is time made up for.",
                        *percentiles(gap, "outcome"),
                    ),
                ],
            ),
            (
                "Wires",
                [
                    lines("Round trips", "s", "Of the edge's pings.", *percentiles("pandemonium_gateway_rtt_seconds")),
                    lines(
                        "Claims that could not be",
                        "ops",
                        "Of what was seen: more than was sent or could be shown, or less than is proven.",
                        rate("pandemonium_gateway_seen_bounded_total", "bound"),
                    ),
                    lines(
                        "Arrival stamps",
                        "s",
                        "How far off the edges' clocks may be from Redis' clock.",
                        ("max by (instance) (pandemonium_gateway_clock_error_seconds)", "{{instance}}"),
                    ),
                ],
            ),
            (
                "Order",
                [
                    lines(
                        "Judged again", "ops", "On a layout that had changed.", rate("pandemonium_engine_stale_total")
                    ),
                    lines(
                        "Commands by outcome",
                        "ops",
                        "repeated: judged before, counted once; out_of_order: sent again.",
                        rate("pandemonium_engine_commands_total", "outcome"),
                    ),
                    lines(
                        "Throttled",
                        "ops",
                        "Times that frames had to wait.",
                        rate("pandemonium_gateway_throttled_total"),
                    ),
                ],
            ),
        ],
    )
