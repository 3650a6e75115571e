"""Protobuf messages to the console's own types, nothing else."""

from __future__ import annotations

from typing import Final

from pandemonium.lobby.v1 import lobby_pb2, operator_pb2

from services.ops import models

_STATES: Final[dict[int, models.State]] = {
    lobby_pb2.TABLE_STATE_OPEN: "open",
    lobby_pb2.TABLE_STATE_PLAYING: "playing",
    lobby_pb2.TABLE_STATE_BETWEEN: "between",
    lobby_pb2.TABLE_STATE_ENDED: "ended",
    lobby_pb2.TABLE_STATE_CLOSED: "closed",
}


def brief(given: operator_pb2.TableBrief) -> models.Brief:
    """A table in a list."""
    return models.Brief(
        id=given.id,
        code=given.code,
        state=_STATES[given.state],
        public=given.public,
        frozen=given.frozen,
        seats=given.seats,
        people=given.people,
        present=given.present,
        bots=given.bots,
        hand=given.hand,
        created_ms=given.created_ms,
        since_ms=given.since_ms,
        names=list(given.names),
    )


def table(given: lobby_pb2.Table) -> models.Table:
    """A table."""
    return models.Table(
        id=given.id,
        state=_STATES[given.state],
        public=given.public,
        frozen=given.frozen,
        options=given.options_json,
        match=given.match,
        hand=given.hand,
        created_ms=given.created_ms,
        seats=[
            models.Seat(
                index=seat.index,
                player=seat.player,
                name=seat.name,
                bot=seat.bot,
                ready=seat.ready,
                present=seat.present,
                total=seat.total,
                host=bool(seat.player) and seat.player == given.host,
            )
            for seat in given.seats
        ],
    )
