"""The dashboards: which figures, in which order."""

from typing import Final

from deploy.grafana.boards import fairness, overview, redis, services

BOARDS: Final = {
    "overview": overview.board,
    "fairness": fairness.board,
    "services": services.board,
    "redis": redis.board,
}
"""Every dashboard by the name of its file."""
