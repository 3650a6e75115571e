"""What operators tell all players reaches every socket, once, and those that come later."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from services.gateway.frames import Notice
from services.gateway.notices import NOTHING, Notices
from services.gateway.sockets import Sight, Sockets
from services.runtime.errors import Unavailable


class Desk:
    """The operators' side."""

    def __init__(self) -> None:
        self.notice = NOTHING
        self.looked: list[str] = []
        self.shown: list[Sight] = []
        self.away = False

    async def look(self) -> tuple[Notice, Sequence[str]]:
        if self.away:
            raise Unavailable("REDIS_UNAVAILABLE")
        return self.notice, self.looked

    async def show(self, sights: Sequence[Sight]) -> None:
        self.shown = list(sights)


class Ear:
    """A socket's session."""

    def __init__(self) -> None:
        self.heard: list[Notice] = []

    def notice(self, frame: bytes) -> None:
        self.heard.append(msgspec.json.decode(frame, type=Notice))


class Socket:
    """An open socket."""

    def __init__(self, table: str, seat: int | None) -> None:
        self.sight = Sight(table, seat, "ada", 12)

    def going_away(self) -> None:
        raise AssertionError("nobody stops here")


HELLO = Notice("1", {"en": "Back at ten"}, 99)


async def test_a_notice_is_told_once_to_who_is_there_and_at_once_to_who_comes() -> None:
    desk, early, late = Desk(), Ear(), Ear()
    notices = Notices(desk)
    notices.arrive(early)
    desk.notice = HELLO
    for _ in range(3):
        await notices.look(Sockets())
    notices.arrive(late)
    assert early.heard == late.heard == [HELLO]
    desk.notice = NOTHING
    await notices.look(Sockets())
    assert early.heard == [HELLO, NOTHING]
    notices.leave(late)
    desk.notice = HELLO
    await notices.look(Sockets())
    assert late.heard == [HELLO, NOTHING]


async def test_while_redis_is_away_the_last_notice_stands() -> None:
    desk, ear = Desk(), Ear()
    notices = Notices(desk)
    notices.arrive(ear)
    desk.notice = HELLO
    await notices.look(Sockets())
    desk.away = True
    await notices.look(Sockets())
    assert (notices.now, ear.heard) == (HELLO, [HELLO])


async def test_only_sockets_at_tables_that_are_looked_at_are_shown() -> None:
    desk, sockets = Desk(), Sockets()
    for table, seat in (("a", 0), ("a", None), ("b", 1)):
        sockets.add(Socket(table, seat))
    await Notices(desk).look(sockets)
    assert desk.shown == []
    desk.looked = ["a"]
    await Notices(desk).look(sockets)
    assert sorted(sight.seat is None for sight in desk.shown) == [False, True]
    assert {sight.table for sight in desk.shown} == {"a"}
