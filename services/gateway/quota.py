"""How many tables one player may open in a minute; how many at a time is the lobby's business."""

from __future__ import annotations

from services.gateway.edge import Edge
from services.gateway.redis_sessions import Player
from services.runtime import keys


async def may_open(edge: Edge, player: Player) -> None:
    """Counts one more. Raises ``TOO_MANY_TABLES``, and ``Unavailable``."""
    limit = edge.settings.tables_per_minute
    if not limit:
        return
    opened = await edge.minutes.count(keys.opened_tables(player.id))
    if fault := opened.beyond(limit, "TOO_MANY_TABLES", f"at most {limit} tables and games a minute"):
        raise fault
