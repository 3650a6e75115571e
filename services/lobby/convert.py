"""Protobuf messages to the lobby's words and back. Texts from outside are checked here."""

from __future__ import annotations

import re
from typing import Final

from pandemonium.common.v1 import common_pb2
from pandemonium.lobby.v1 import lobby_pb2, operator_pb2

from services.lobby.lobby import Wish
from services.lobby.table import Lease, Pace, PlayerId, Seat, State, Strength, Table, TableId
from services.runtime.errors import InvalidArgument

LONGEST_NAME: Final = 100
"""Code points. The edge decides what a good name is; this keeps out what can be none."""

MOST_VERSION: Final = 2**52
"""Milliseconds of Unix time in some 140,000 years; browsers count exactly up to twice that."""

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WORKER: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")

_STATES: Final = {
    State.OPEN: lobby_pb2.TABLE_STATE_OPEN,
    State.PLAYING: lobby_pb2.TABLE_STATE_PLAYING,
    State.BETWEEN: lobby_pb2.TABLE_STATE_BETWEEN,
    State.ENDED: lobby_pb2.TABLE_STATE_ENDED,
    State.CLOSED: lobby_pb2.TABLE_STATE_CLOSED,
}
_STRENGTHS: Final = {
    Strength.EASY: common_pb2.STRENGTH_EASY,
    Strength.MEDIUM: common_pb2.STRENGTH_MEDIUM,
    Strength.HARD: common_pb2.STRENGTH_HARD,
}
_PACES: Final = {Pace.HUMAN: common_pb2.PACE_HUMAN, Pace.FAST: common_pb2.PACE_FAST}
_STRENGTH_OF: Final = {number: word for word, number in _STRENGTHS.items()}
_PACE_OF: Final = {number: word for word, number in _PACES.items()}


def table_id(text: str) -> TableId:
    """Raises ``BAD_TABLE`` for what can be no table's id."""
    if not _ID.fullmatch(text):
        raise InvalidArgument("BAD_TABLE", "not the id of a table")
    return TableId(text)


def player_id(text: str) -> PlayerId:
    """Raises ``BAD_PLAYER`` for what can be no player's id."""
    if not _ID.fullmatch(text):
        raise InvalidArgument("BAD_PLAYER", "not the id of a player")
    return PlayerId(text)


def worker_id(text: str) -> str:
    """Raises ``BAD_WORKER`` for what can be no worker's name."""
    if not _WORKER.fullmatch(text):
        raise InvalidArgument("BAD_WORKER", "not the name of a worker")
    return text


def socket_name(text: str) -> str:
    """May be empty. Raises ``BAD_SOCKET`` for what can be no socket's name."""
    if text and not _ID.fullmatch(text):
        raise InvalidArgument("BAD_SOCKET", "not the name of a socket")
    return text


def known_version(version: int) -> int:
    """Raises ``BAD_VERSION`` for one that can't have been seen."""
    if version > MOST_VERSION:
        raise InvalidArgument("BAD_VERSION", "not the version of a table")
    return version


def display_name(text: str) -> str:
    """Raises ``BAD_NAME`` for names that are blank, endless or unprintable."""
    if not text.strip() or len(text) > LONGEST_NAME or not text.isprintable():
        raise InvalidArgument("BAD_NAME", "a name can be seen and is not endless")
    return text


def strength(number: common_pb2.Strength.ValueType) -> Strength:
    """Medium unless said otherwise."""
    return _STRENGTH_OF.get(number, Strength.MEDIUM)


def pace(number: common_pb2.Pace.ValueType) -> Pace:
    """Human unless said otherwise."""
    return _PACE_OF.get(number, Pace.HUMAN)


def wish(request: lobby_pb2.CreateTableRequest) -> Wish:
    """The table that is asked for."""
    return Wish(
        seats=request.seats,
        public=request.public,
        options_json=request.options_json,
        host_plays=request.host_plays,
        bots=request.bots,
        strength=strength(request.strength),
        pace=pace(request.pace),
        countdown_ms=request.countdown_ms,
    )


def table(found: Table, viewer: str) -> lobby_pb2.Table:
    """The table as ``viewer`` may see it: invite and code are for the host and for who sits there."""
    invited = bool(viewer) and (found.host == viewer or found.seat_of(viewer) is not None)
    return lobby_pb2.Table(
        id=found.id,
        version=found.version,
        state=_STATES[found.state],
        public=found.public,
        invite=found.invite if invited else "",
        code=found.code if invited else "",
        host=found.host,
        options_json=found.options,
        seats=[_seat(index, seat) for index, seat in enumerate(found.seats)],
        match=found.match,
        hand=found.hand,
        commitment=found.commitment,
        winners=found.winners,
        created_ms=found.created_ms,
        waits_for_people=any(not seat.bot for seat in found.seats),
        playoff=found.playoff,
        disputable=found.disputable and not found.voiding and not found.free_seats,
        frozen=found.frozen_ms > 0,
    )


def brief(found: Table) -> operator_pb2.TableBrief:
    """The table as operators see it in a list."""
    return operator_pb2.TableBrief(
        id=found.id,
        code=found.code,
        state=_STATES[found.state],
        public=found.public,
        frozen=found.frozen_ms > 0,
        seats=len(found.seats),
        people=len(found.people),
        bots=sum(seat.bot for seat in found.seats),
        present=sum(seat.present for seat in found.people),
        hand=found.hand,
        created_ms=found.created_ms,
        since_ms=found.since_ms,
        names=[seat.name for seat in found.seats if seat.name],
    )


def lease(seat: lobby_pb2.BotSeat, worker: str) -> Lease:
    """The lease that a worker believes to hold."""
    return Lease(table_id(seat.table), seat.seat, worker, player_id(seat.player))


def bot_seat(held: Lease, seat: Seat) -> lobby_pb2.BotSeat:
    """A claimed seat as its worker sees it."""
    return lobby_pb2.BotSeat(
        table=held.table,
        seat=held.seat,
        strength=_STRENGTHS[seat.strength],
        pace=_PACES[seat.pace],
        player=held.player,
    )


def _seat(index: int, seat: Seat) -> lobby_pb2.Seat:
    return lobby_pb2.Seat(
        index=index,
        player=seat.player,
        name=seat.name,
        bot=seat.bot,
        strength=_STRENGTHS[seat.strength] if seat.bot else common_pb2.STRENGTH_UNSPECIFIED,
        pace=_PACES[seat.pace] if seat.bot else common_pb2.PACE_UNSPECIFIED,
        ready=seat.ready,
        present=seat.present,
        total=seat.total,
        dispute=seat.dispute,
    )
