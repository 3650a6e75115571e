"""The referee's port on Redis: encodes what goes into ``referee.lua`` and decodes what comes out.

The script's head says what each argument means. What an event says is written here, in ``script_args`` for commands,
and where the script decides it, there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from services.engine import hand_hash
from services.engine.port import Judged, Refusal, Ruling, Seated, Solo, State, Status, Timer
from services.engine.redis_wire import Call, Calls
from services.engine.script_args import arguments
from services.rules.aces_up.events import AcesDealt, AcesEnded, AcesEndWhy
from services.rules.events import (
    Asked,
    Dealt,
    DealtSeat,
    EndWhy,
    Event,
    Player,
    Prepared,
    Shifted,
    ShiftWhy,
    encode_body,
)
from services.rules.layout import Layout
from services.rules.moves import turned_over
from services.rules.options import Options
from services.rules.transitions import ended
from services.runtime import keys
from services.runtime.errors import Unavailable
from services.runtime.log import logger
from services.runtime.versions import UnknownVersion

SOURCE: Final = files(__package__).joinpath("referee.lua").read_text()
"""The script."""

_log = logger(__name__)

_HEAD: Final = len('{"seq":0,"at":0,')
_START_AT: Final = '"start_at":'
_REFUSALS: Final = {
    "unknown": Refusal.UNKNOWN_TABLE,
    "unknown_seat": Refusal.UNKNOWN_SEAT,
    "not_prepared": Refusal.NOT_PREPARED,
    "running": Refusal.HAND_RUNNING,
    "uncounted": Refusal.HAND_UNCOUNTED,
}
_UNREACHED: Final = Ruling(Status.UNAVAILABLE)


class RedisReferee:
    """``port.Referee``. ``now`` (ms) replaces Redis' clock, for tests."""

    def __init__(self, script: Calls, now: int | None = None) -> None:
        self._script = script
        self.now = now

    async def judge(self, calls: Sequence[tuple[str, Sequence[Judged]]]) -> list[list[Ruling]]:
        """One call per table, all in one write."""
        replies = await self._script.run(
            [
                self._call(table, "commands", *(arg for one in judged for arg in arguments(one)))
                for table, judged in calls
            ]
        )
        rulings = []
        for (table, judged), reply in zip(calls, replies, strict=True):
            if isinstance(reply, Exception):
                _log.warning("script failed", table=table, error=str(reply))
                rulings.append([_UNREACHED] * len(judged))
            else:
                rulings.append(list(map(_ruling, reply)))
        return rulings

    async def prepare(
        self, table: str, *, match: str, hand: int, seats: int, secret: str, commitment: str
    ) -> str | Refusal:
        """See the port."""
        event = Prepared(seq=0, at=0, hand=hand, match=match, seats=seats, commitment=commitment)
        status, *rest = await self._transition(
            table, "prepare", match, str(hand), str(seats), secret, commitment, _said(event)
        )
        return rest[0].decode() if status == "ok" else _REFUSALS[status]

    async def deal(
        self,
        table: str,
        *,
        match: str,
        hand: int,
        options: Options,
        commitment: str,
        players: Sequence[Player],
        layouts: Sequence[Layout],
        countdown_ms: int,
    ) -> int | Refusal:
        """See the port."""
        event = Dealt(
            seq=0,
            at=0,
            hand=hand,
            match=match,
            options=options,
            commitment=commitment,
            seats=tuple(players),
            start_at=0,
            layouts=tuple(map(_dealt, layouts)),
        )
        return await self._deal(
            table,
            event,
            _joined(layouts),
            window_ms=options.tie_window_ms,
            house=_house(options),
            countdown_ms=countdown_ms,
        )

    async def deal_solo(
        self, table: str, *, match: str, hand: int, solo: Solo, commitment: str, player: Player, countdown_ms: int
    ) -> int | Refusal:
        """See the port."""
        options, state = solo
        event = AcesDealt(
            seq=0,
            at=0,
            hand=hand,
            match=match,
            options=options,
            commitment=commitment,
            seats=(player,),
            start_at=0,
            cards=tuple(pile[-1] for pile in state.piles),
            stock=state.stock_count,
        )
        return await self._deal(table, event, state.encode(), window_ms=0, house="solo", countdown_ms=countdown_ms)

    async def _deal(
        self, table: str, event: Dealt | AcesDealt, layouts: str, *, window_ms: int, house: str, countdown_ms: int
    ) -> int | Refusal:
        # Names are the players' own words, so the mark is looked for from the end: layouts can't contain it.
        before, mark, after = _said(event).rpartition(_START_AT + "0")
        status, *rest = await self._transition(
            table,
            "deal",
            event.match,
            str(event.hand),
            event.options.to_json(),
            json.dumps([asdict(player) for player in event.seats], separators=(",", ":")),
            str(window_ms),
            str(countdown_ms),
            layouts,
            before + mark[:-1],
            after,
            house,
        )
        return int(rest[0]) if status == "ok" else _REFUSALS[status]

    async def start(self, table: str) -> bool:
        """See the port."""
        return await self._happened(table, "start")

    async def shift(self, state: State, *, why: ShiftWhy, away: Sequence[int]) -> bool:
        """See the port."""
        hand = state.hand
        event = Shifted(seq=0, at=0, why=why, progress=hand.progress, away=tuple(away))
        layouts = _joined([turned_over(layout) for layout in hand.layouts])
        return await self._happened(state.table, "shift", str(hand.seq), _said(event), layouts)

    async def ask(self, state: State) -> bool:
        """See the port."""
        progress = state.hand.progress
        event = Asked(seq=0, at=0, progress=progress)
        return await self._happened(state.table, "ask", str(progress), _said(event))

    async def end(self, state: State, *, why: EndWhy | AcesEndWhy, away: Sequence[int]) -> bool:
        """See the port; the entry in the finished stream is written in the same breath."""
        hand, solo = state.hand, state.solo
        event: Event
        if isinstance(why, EndWhy):
            event = ended(hand, why, seq=0, now_ms=0, away=away)
        else:
            removed = solo.state.removed_count if solo else 0
            event = AcesEnded(0, 0, hand.number, hand.match, why, removed, hand.secret)
        return await self._happened(state.table, "end", str(state.hand.seq), _said(event), why)

    async def freeze(self, table: str, frozen: bool) -> bool:
        """See the port."""
        return await self._happened(table, "freeze", "1" if frozen else "")

    async def attach(self, table: str, seat: int, after_n: int, socket: str = "") -> Seated | Refusal:
        """See the port."""
        status, *rest = await self._transition(table, "attach", str(seat), str(after_n), socket)
        return Seated(int(rest[0]), int(rest[1]), tuple(rest[2:])) if status == "ok" else _REFUSALS[status]

    async def detach(self, table: str, seat: int, epoch: int, *, left: bool, socket: str = "") -> bool | None:
        """See the port."""
        status, *_ = await self._transition(table, "detach", str(seat), str(epoch), "1" if left else "", socket)
        return {"ok": True, "taken_over": False}.get(status)

    async def look(self, table: str, timer: Timer | None = None) -> State | None:
        """See the port."""
        status, *rest = await self._transition(table, "look", timer or "")
        if status != "ok":
            return None
        texts = [value.decode() for value in rest]
        return hand_hash.state(table, dict(zip(texts[1::2], texts[2::2], strict=True)), int(texts[0]))

    async def forget(self, table: str) -> Refusal | None:
        """See the port."""
        status, *_ = await self._transition(table, "forget")
        return None if status in ("ok", "unknown") else _REFUSALS[status]

    def _call(self, table: str, *args: str) -> Call:
        names, channel = _names(table)
        return names, (table, channel, "" if self.now is None else str(self.now), *args)

    async def _transition(self, table: str, *args: str) -> list[Any]:
        """The reply to one operation, its status as text. Raises ``Unavailable``."""
        (reply,) = await self._script.run([self._call(table, *args)])
        if isinstance(reply, Exception):
            _log.warning("script failed", table=table, error=str(reply))
            raise Unavailable("REDIS_UNAVAILABLE", "the log cannot be written") from reply
        status = reply[0].decode()
        if status == "other_version":
            raise UnknownVersion(f"the hand of table {table}", reply[1].decode())
        if status == Status.UNAVAILABLE:
            raise Unavailable("REDIS_UNAVAILABLE", "the log cannot be written")
        return [status, *reply[1:]]

    async def _happened(self, table: str, *args: str) -> bool:
        status, *_ = await self._transition(table, *args)
        return bool(status == "ok")


@lru_cache(maxsize=16_384)
def _names(table: str) -> tuple[tuple[str, ...], str]:
    """The table's keys as the script wants them, and its channel."""
    shard = keys.shard(table)
    return (
        (keys.hand(table), keys.log(table), keys.timers(shard), keys.finished(shard)),
        keys.events_channel(table),
    )


def _ruling(answer: list[Any]) -> Ruling:
    status = Status(answer[0].decode())
    if status is Status.STALE:
        return Ruling(status, layout=answer[1].decode(), options=answer[2].decode())
    return Ruling(
        status, answer[1], again=len(answer) > 2 and answer[2] == 1, gap_ms=answer[3] if len(answer) > 3 else None
    )


def _house(options: Options) -> str:
    """The house rules that the script itself has to know, as it knows them."""
    rules = {
        "first_only": options.contest == "first_only",
        "automatic": options.call == "automatic",
        "void": options.in_motion == "void",
    }
    return " ".join(name for name, applies in rules.items() if applies)


def _said(event: Event) -> str:
    """The event's text after ``at``; the script puts sequence number and time before it."""
    return encode_body(event)[_HEAD:]


def _dealt(layout: Layout) -> DealtSeat:
    columns = tuple(column[-1] for column in layout.columns)
    return DealtSeat(demon=len(layout.demon), top=layout.demon[-1], columns=columns, stock=len(layout.stock))


def _joined(layouts: Sequence[Layout]) -> str:
    return "/".join(layout.encode() for layout in layouts)
