"""How it goes, at one look. Names and meanings of the figures are in docs/metrics.md."""

from __future__ import annotations

from grafana_foundation_sdk.builders.dashboard import Dashboard

from deploy.grafana.panels import SERVICES, dashboard, figure, lines, percentiles, rate, rows


def board() -> Dashboard:
    """The dashboard."""
    board = dashboard(
        "overview", "overview", "How many play, how fast they are answered, and whether anything is wrong."
    )
    return rows(
        board,
        [
            (
                "Now",
                [
                    figure("Players", "short", "Sockets with a seat.", 'sum(pandemonium_gateway_sockets{kind="seat"})'),
                    figure("Tables", "short", "With a socket at some gateway.", "sum(pandemonium_gateway_relays)"),
                    figure(
                        "Commands a second", "short", "All outcomes.", rate("pandemonium_gateway_verdicts_total")[0]
                    ),
                    figure(
                        "Answered within 100 ms",
                        "percentunit",
                        "Of the commands of the last 5 minutes; 99.9 % is promised.",
                        "1 - pandemonium:plays_slow:ratio5m",
                    ),
                    figure(
                        "Services down",
                        "short",
                        "Processes that Prometheus can't reach.",
                        f"count(up{SERVICES} == 0) or vector(0)",
                        bad_from=1,
                    ),
                    figure(
                        "Wrong results",
                        "short",
                        "Hands that could not be counted as they should, in a day. It has to be 0.",
                        "sum(increase(pandemonium_scoring_disagreements_total[1d])) "
                        "+ sum(increase(pandemonium_scoring_dead_letters_total[1d])) "
                        "+ sum(increase(pandemonium_scoring_hands_conflicting_total[1d]))",
                        bad_from=0.5,
                    ),
                ],
            ),
            (
                "Plays",
                [
                    lines(
                        "A command's way",
                        "s",
                        "From its arrival at the edge to its verdict.",
                        *percentiles("pandemonium_gateway_play_seconds"),
                    ),
                    lines("Verdicts", "ops", "By outcome.", rate("pandemonium_gateway_verdicts_total", "outcome")),
                    lines(
                        "Error budget used",
                        "percentunit",
                        "Share of plays not answered within 100 ms; 0.1 % is allowed over 30 days.",
                        ("pandemonium:plays_slow:ratio1h", "plays, 1 h"),
                        ("pandemonium:plays_slow:ratio3d", "plays, 3 d"),
                        ("pandemonium:requests_failed:ratio1h", "requests, 1 h"),
                    ),
                ],
            ),
            (
                "Players",
                [
                    lines("Sockets", "short", "Attached.", ("sum by (kind) (pandemonium_gateway_sockets)", "{{kind}}")),
                    lines("Tables", "short", "By state.", ("max by (state) (pandemonium_lobby_tables)", "{{state}}")),
                    lines(
                        "How sockets come",
                        "ops",
                        "fresh: for the first time; events, snapshot: with what was missed.",
                        rate("pandemonium_gateway_resumes_total", "kind"),
                    ),
                    lines(
                        "Sockets closed",
                        "ops",
                        "By the edge, by code.",
                        rate("pandemonium_gateway_closed_total", "code"),
                    ),
                    lines("Hands ended", "ops", "By why.", rate("pandemonium_engine_hands_ended_total", "why")),
                    lines(
                        "REST",
                        "ops",
                        "Requests, by class of status.",
                        rate("pandemonium_gateway_request_seconds_count", "status"),
                    ),
                ],
            ),
        ],
    )
