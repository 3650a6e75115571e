"""The open sockets, when their server is to go."""

from __future__ import annotations

import asyncio

import pytest

from services.gateway.sockets import Sight, Sockets


class Socket:
    """Counts how often it was told, and goes if it is polite."""

    def __init__(self, sockets: Sockets, *, polite: bool = True) -> None:
        self.told = 0
        self._sockets = sockets
        self._polite = polite
        sockets.add(self)

    @property
    def sight(self) -> Sight:
        raise AssertionError("nobody looks")

    def going_away(self) -> None:
        self.told += 1
        if self._polite:
            self._sockets.remove(self)


@pytest.mark.parametrize(("per_second", "within"), [(200.0, 60.0), (1.0, 0.5)])
async def test_sockets_are_sent_away_evenly_as_fast_as_is_allowed_or_as_it_must_be(
    per_second: float, within: float
) -> None:
    sockets = Sockets()
    all_of_them = [Socket(sockets) for _ in range(100)]
    left: list[tuple[float, int]] = []
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def sleep(seconds: float) -> None:
        left.append((loop.time() - began, len(sockets)))
        await asyncio.sleep(seconds)

    await sockets.send_away(per_second, within, sleep)

    assert {socket.told for socket in all_of_them} == {1}
    assert loop.time() - began >= 0.49
    assert all(there >= 100 - round(200 * at) - 2 for at, there in left), "none before its time"


async def test_who_went_by_itself_meanwhile_is_not_told_and_who_stays_is_not_waited_for() -> None:
    sockets = Sockets()
    stays, went = Socket(sockets, polite=False), Socket(sockets)
    sockets.remove(went)
    async with asyncio.timeout(60):
        await sockets.send_away(0.0, 60.0)
        await sockets.drain(0.01)
    assert (stays.told, went.told) == (2, 0)


async def test_nobody_there_takes_no_time() -> None:
    async with asyncio.timeout(60):
        await Sockets().send_away(0.001, 3600.0)
