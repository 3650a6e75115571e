"""Messages of other services to the edge's own types and back, nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, assert_never, cast

import msgspec
from pandemonium.common.v1 import common_pb2
from pandemonium.engine.v1 import engine_pb2
from pandemonium.lobby.v1 import lobby_pb2
from pandemonium.scoring.v1 import scoring_pb2

from services.gateway import frames, house_rules, models
from services.gateway.commands import Attached, Command, Snapshot, Verdict
from services.runtime.errors import Unavailable

_SOURCES: Final = {
    "demon": common_pb2.SOURCE_DEMON,
    "waste": common_pb2.SOURCE_WASTE,
    "c0": common_pb2.SOURCE_COLUMN_0,
    "c1": common_pb2.SOURCE_COLUMN_1,
    "c2": common_pb2.SOURCE_COLUMN_2,
    "c3": common_pb2.SOURCE_COLUMN_3,
}
_COLUMNS: Final = {"c0": 0, "c1": 1, "c2": 2, "c3": 3}
_CHOICES: Final = {
    "shift": engine_pb2.CHOICE_SHIFT,
    "end": engine_pb2.CHOICE_END,
    "withdraw": engine_pb2.CHOICE_WITHDRAW,
    "replay": engine_pb2.CHOICE_REPLAY,
}
_STRENGTHS: Final[dict[models.Strength, common_pb2.Strength.ValueType]] = {
    "easy": common_pb2.STRENGTH_EASY,
    "medium": common_pb2.STRENGTH_MEDIUM,
    "hard": common_pb2.STRENGTH_HARD,
}
_PACES: Final[dict[models.Pace, common_pb2.Pace.ValueType]] = {
    "human": common_pb2.PACE_HUMAN,
    "fast": common_pb2.PACE_FAST,
}
_STRENGTH_NAMES: Final = {number: name for name, number in _STRENGTHS.items()}
_PACE_NAMES: Final = {number: name for name, number in _PACES.items()}
_STATES: Final[dict[int, models.TableState]] = {
    lobby_pb2.TABLE_STATE_OPEN: "open",
    lobby_pb2.TABLE_STATE_PLAYING: "playing",
    lobby_pb2.TABLE_STATE_BETWEEN: "between",
    lobby_pb2.TABLE_STATE_ENDED: "ended",
    lobby_pb2.TABLE_STATE_CLOSED: "closed",
}
_PLAY: Final = engine_pb2.Command.PLAY_FIELD_NUMBER
_MOVE: Final = engine_pb2.Command.MOVE_FIELD_NUMBER
_TURN: Final = engine_pb2.Command.TURN_FIELD_NUMBER
_RECYCLE: Final = engine_pb2.Command.RECYCLE_FIELD_NUMBER
_CALL: Final = engine_pb2.Command.CALL_FIELD_NUMBER
_VOTE: Final = engine_pb2.Command.VOTE_FIELD_NUMBER
_ROW: Final = engine_pb2.Command.ROW_FIELD_NUMBER
_REMOVE: Final = engine_pb2.Command.REMOVE_FIELD_NUMBER
_FILL: Final = engine_pb2.Command.FILL_FIELD_NUMBER
_UNDO: Final = engine_pb2.Command.UNDO_FIELD_NUMBER
_REDO: Final = engine_pb2.Command.REDO_FIELD_NUMBER
_GIVE_UP: Final = engine_pb2.Command.GIVE_UP_FIELD_NUMBER
_pack: Final = msgspec.msgpack.Encoder().encode
_verdicts: Final[Callable[[bytes], list[Verdict]]] = msgspec.msgpack.Decoder(list[Verdict]).decode


def packed(commands: Sequence[Command]) -> bytes:
    """Seats' commands for the engine (engine.proto, ``PlayStreamRequest.packed``)."""
    return _pack([_fields(command) for command in commands])


def traces(commands: Sequence[Command]) -> list[engine_pb2.CommandTrace]:
    """The traces of those commands that are traced, for the engine."""
    return [
        engine_pb2.CommandTrace(index=index, traceparent=command.trace)
        for index, command in enumerate(commands)
        if command.trace
    ]


def verdicts(response: engine_pb2.PlayStreamResponse) -> Sequence[Verdict]:
    """The verdicts of one message. Raises ``Unavailable`` for bytes that are none."""
    try:
        return _verdicts(response.packed)
    except msgspec.DecodeError as error:
        raise Unavailable("UNAVAILABLE", f"the engine's verdicts can't be read: {error}") from error


def _fields(given: Command) -> tuple[str | int | None, ...]:
    frame = given.frame
    head = (given.table, given.seat, given.epoch, frame.n, frame.hand, given.seen, given.arrived_ms)
    match frame:
        case frames.Play():
            return (*head, _PLAY, _SOURCES[frame.source], frame.card, frame.to)
        case frames.Move():
            return (*head, _MOVE, _SOURCES[frame.source], frame.card, _COLUMNS[frame.to])
        case frames.Turn():
            return (*head, _TURN, frame.stock)
        case frames.Recycle():
            return (*head, _RECYCLE)
        case frames.Call():
            return (*head, _CALL)
        case frames.Vote():
            return (*head, _VOTE, _CHOICES[frame.choice], frame.progress)
        case frames.Row():
            return (*head, _ROW, frame.stock)
        case frames.Remove():
            return (*head, _REMOVE, frame.pile, frame.card)
        case frames.Fill():
            return (*head, _FILL, frame.source, frame.card, frame.to)
        case frames.Undo():
            return (*head, _UNDO)
        case frames.Redo():
            return (*head, _REDO)
        case frames.GiveUp():
            return (*head, _GIVE_UP)
        case _:
            assert_never(frame)


def attached(response: engine_pb2.AttachResponse) -> Attached:
    """A seat taken."""
    return Attached(response.epoch, response.last_n, tuple(response.verdicts))


def snapshot(response: engine_pb2.SnapshotResponse) -> Snapshot:
    """A table's public state."""
    return Snapshot(response.seq, response.digest, response.frame)


def strength(name: models.Strength) -> common_pb2.Strength.ValueType:
    """How well a bot plays."""
    return _STRENGTHS[name]


def pace(name: models.Pace) -> common_pb2.Pace.ValueType:
    """How fast a bot plays."""
    return _PACES[name]


def options_json(options: dict[str, Any]) -> str:
    """House rules for the lobby; none: the default."""
    return json.dumps(options) if options else ""


def table(given: lobby_pb2.Table) -> models.Table:
    """A table."""
    return models.Table(
        id=given.id,
        version=given.version,
        state=_STATES[given.state],
        public=given.public,
        invite=given.invite,
        code=given.code,
        host=given.host,
        options=_options(given.options_json),
        preset=house_rules.preset(given.options_json),
        seats=[_seat(seat) for seat in given.seats],
        teams=house_rules.standing({seat.index: seat.total for seat in given.seats}, given.options_json),
        match=given.match,
        hand=given.hand,
        commitment=given.commitment,
        winners=list(given.winners),
        playoff=given.playoff,
        disputable=given.disputable,
        created_ms=given.created_ms,
        frozen=given.frozen,
    )


def match(given: scoring_pb2.Match) -> models.Match:
    """A match."""
    last = {score.seat: score.total for score in given.hands[-1].seats} if given.hands else {}
    return models.Match(
        id=given.id,
        table=given.table,
        options=_options(given.options_json),
        preset=house_rules.preset(given.options_json),
        hands=[_sheet(hand, given.options_json) for hand in given.hands],
        teams=house_rules.standing(last, given.options_json),
        over=given.over,
        winners=list(given.winners),
        started_ms=given.started_ms,
    )


def leaderboard(given: scoring_pb2.LeaderboardResponse) -> models.Leaderboard:
    """The leaderboard."""
    return models.Leaderboard(
        entries=[
            models.LeaderboardEntry(
                player=entry.player,
                name=entry.name,
                matches=entry.matches,
                won=entry.won,
                hands=entry.hands,
                points_per_hand=entry.points_per_hand,
            )
            for entry in given.entries
        ]
    )


def aces_up_game(given: scoring_pb2.AcesUpGame) -> models.AcesUpGame:
    """A game of Aces Up."""
    return models.AcesUpGame(
        match=given.match,
        hand=given.hand,
        table=given.table,
        number=given.number,
        practice=given.practice,
        auto_remove=given.auto_remove,
        why=given.why,
        removed=given.removed,
        started_ms=given.started_ms,
        ended_ms=given.ended_ms,
        counts=given.counts,
    )


def aces_up_statistics(given: scoring_pb2.GetAcesUpStatisticsResponse) -> models.AcesUpStatistics:
    """A player's figures in Aces Up."""
    played = given.played
    return models.AcesUpStatistics(
        played=played,
        won=given.won,
        win_rate=given.won / played if played else 0.0,
        streak=given.streak,
        longest_streak=given.longest_streak,
        removed=given.removed,
        average=given.removed / played if played else 0.0,
        best=given.best,
    )


def _seat(given: lobby_pb2.Seat) -> models.Seat:
    return models.Seat(
        index=given.index,
        player=given.player,
        name=given.name,
        bot=given.bot,
        strength=_STRENGTH_NAMES.get(given.strength),
        pace=_PACE_NAMES.get(given.pace),
        ready=given.ready,
        present=given.present,
        total=given.total,
        dispute=given.dispute,
    )


def _sheet(given: scoring_pb2.HandSheet, options_json: str) -> models.HandSheet:
    scores = {score.seat: score for score in given.seats}
    return models.HandSheet(
        hand=given.hand,
        why=given.why,
        ended_ms=given.ended_ms,
        seats=[
            models.SeatScore(
                seat=score.seat,
                player=score.player,
                name=score.name,
                bot=score.bot,
                foundation=score.foundation,
                demon=score.demon,
                called=score.called,
                points=score.points,
                total=score.total,
            )
            for score in given.seats
        ],
        teams=[
            models.TeamScore(
                seats=list(team),
                points=sum(scores[seat].points for seat in team),
                total=sum(scores[seat].total for seat in team),
            )
            for team in house_rules.partners(len(scores), options_json)
        ],
    )


def _options(text: str) -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(text)) if text else {}
