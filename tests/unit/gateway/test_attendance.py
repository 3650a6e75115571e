"""What a gateway leaves for the others, and what they make of it when it falls silent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager

import pytest

from services.gateway import attendance as module
from services.gateway.attendance import Attendance, Sitting, Watch
from services.gateway.tasks import Tasks
from services.runtime.errors import Unavailable

ANN, BOB = Sitting("t1", "ann", 0, "s1"), Sitting("t1", "bob", 1, "s2")
PATIENCE_S = 30.0


class Shared:
    """What all gateways see of each other."""

    def __init__(self) -> None:
        self.beats: dict[str, int] = {}
        self.seats: dict[str, dict[str, Sitting]] = {}
        self.claims: dict[str, str] = {}
        self.away = False
        self.loses_answers = False
        self.mute = False
        """Nobody's beat gets through, all else does."""
        self.gate = asyncio.Event()
        """What is written waits for it."""
        self.gate.set()
        self.asked: list[str] = []
        """Who asked for a claim."""

    def _reach(self) -> None:
        if self.away:
            raise Unavailable("REDIS_UNAVAILABLE", "away")

    async def beat(self, gateway: str, beats: int, *, first: bool) -> Mapping[str, int] | None:
        self._reach()
        if self.mute:
            raise Unavailable("REDIS_UNAVAILABLE", "mute")
        if not self.beats.get(gateway, first):
            return None
        self.beats[gateway] = beats
        if self.loses_answers:
            raise Unavailable("REDIS_UNAVAILABLE", "the answer is lost")
        return dict(self.beats)

    async def write(self, gateway: str, come: Collection[Sitting], gone: Collection[str]) -> None:
        await self.gate.wait()
        self._reach()
        seats = self.seats.setdefault(gateway, {})
        seats.update({sitting.socket: sitting for sitting in come})
        for socket in gone:
            seats.pop(socket, None)

    async def sittings(self, gateway: str) -> Collection[Sitting]:
        self._reach()
        return list(self.seats.get(gateway, {}).values())

    async def claim(self, gateway: str, by: str, seconds: float) -> bool:
        self._reach()
        if gateway not in self.claims:
            self.beats[gateway] = 0
        self.asked.append(by)
        return self.claims.setdefault(gateway, by) == by

    async def forget(self, gateway: str) -> None:
        self._reach()
        self.beats.pop(gateway, None)
        self.seats.pop(gateway, None)
        self.claims.pop(gateway, None)

    @property
    def sitting(self) -> list[Sitting]:
        return [sitting for seats in self.seats.values() for sitting in seats.values()]


class Gateway:
    """One gateway; ``told``: whose farewell it has said."""

    def __init__(self, shared: Shared) -> None:
        self.told: list[Sitting] = []
        self.sent_away = 0
        self.tasks = Tasks()
        self._shared = shared
        self.attendance = Attendance(shared, self.tasks, self._farewell, self._send_away)

    async def _farewell(self, sitting: Sitting) -> None:
        self.told.append(sitting)
        await asyncio.sleep(0)

    def _send_away(self) -> None:
        self.sent_away += 1

    @asynccontextmanager
    async def alive(self, *sittings: Sitting) -> AsyncIterator[None]:
        """Runs while inside, where these sit and are written; then it is dead."""
        running = asyncio.ensure_future(self.attendance.run())
        try:
            for sitting in sittings:
                self.attendance.sits(sitting)
            await until(lambda: all(sitting in self._shared.sitting for sitting in sittings))
            yield
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await self.tasks.cancel()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BEAT_SECONDS", 0.02)
    monkeypatch.setattr(module, "SILENT_SECONDS", 1.0)
    monkeypatch.setattr(module, "AGAIN_SECONDS", 0.02)
    monkeypatch.setattr(module, "WAIT_SECONDS", PATIENCE_S)


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not true():
            await asyncio.sleep(0.01)


async def test_what_sits_here_is_written_and_what_has_left_is_not() -> None:
    shared = Shared()
    gateway = Gateway(shared)
    async with gateway.alive():
        for sitting in (ANN, BOB):
            gateway.attendance.sits(sitting)
        await asyncio.wait_for(gateway.attendance.written("s2"), PATIENCE_S)
        assert BOB in shared.sitting
        await asyncio.wait_for(gateway.attendance.written("s1"), PATIENCE_S)
        assert ANN in shared.sitting
        gateway.attendance.sits(ANN)
        gateway.attendance.left("s1")
        gateway.attendance.left("of a watcher")
        await until(lambda: shared.sitting == [BOB])
    assert len(gateway.attendance) == 1


async def test_what_is_not_written_is_waited_for() -> None:
    shared = Shared()
    gateway = Gateway(shared)
    gateway.attendance.sits(ANN)
    waiting = asyncio.ensure_future(gateway.attendance.written("s1"))
    await asyncio.sleep(0.1)
    shared.mute = True
    async with gateway.alive():
        await asyncio.sleep(0.1)
        assert not waiting.done(), "nobody would look for it: the gateway has not said that it lives"
        assert not shared.sitting
        shared.mute = False
        await asyncio.wait_for(waiting, PATIENCE_S)
        assert shared.sitting == [ANN]
        shared.gate.clear()
        gateway.attendance.sits(BOB)
        await asyncio.sleep(0.1)
        waiting = asyncio.ensure_future(gateway.attendance.written("s2"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        shared.gate.set()
        await asyncio.wait_for(waiting, PATIENCE_S)
        assert shared.sitting == [ANN, BOB]


async def test_of_a_gateway_that_is_killed_exactly_one_other_tells_who_left() -> None:
    shared = Shared()
    killed, *others = (Gateway(shared) for _ in range(3))
    async with others[0].alive(), others[1].alive():
        many = [Sitting("t1", f"p{i}", 0, f"s{i}") for i in range(50)]
        async with killed.alive(*many):
            pass
        await until(lambda: len(shared.beats) == 2)
        told = [other.told for other in others if other.told]
    assert len(told) == 1
    assert sorted(told[0], key=repr) == sorted(many, key=repr)
    assert shared.sitting == []
    assert not shared.claims


async def test_if_the_one_that_looks_after_it_dies_too_another_does() -> None:
    shared = Shared()
    killed, heir, last = (Gateway(shared) for _ in range(3))
    async with killed.alive(ANN):
        pass
    stuck = asyncio.Event()

    async def never(sitting: Sitting) -> None:
        stuck.set()
        await asyncio.Event().wait()

    heir.attendance._farewell = never
    async with heir.alive():
        await asyncio.wait_for(stuck.wait(), PATIENCE_S)
    shared.claims.clear()  # they run out
    async with last.alive():
        await until(lambda: last.told)
    assert last.told == [ANN]


async def test_who_is_looked_after_is_told_so_at_once_and_stays_claimed_meanwhile() -> None:
    shared = Shared()
    held_up, heir = Gateway(shared), Gateway(shared)
    goes_on = asyncio.Event()

    async def slow(sitting: Sitting) -> None:
        await goes_on.wait()
        heir.told.append(sitting)

    heir.attendance._farewell = slow
    async with held_up.alive(ANN):
        pass
    async with heir.alive():
        await until(lambda: shared.claims)
        async with held_up.alive():
            await until(lambda: held_up.sent_away)
            held_up.attendance.sits(BOB)
            await until(lambda: BOB in shared.sitting)
            (claimed_by,) = shared.claims.values()
            before = shared.asked.count(claimed_by)
            await until(lambda: shared.asked.count(claimed_by) > before)
            goes_on.set()
            await until(lambda: not shared.claims)
    assert heir.told == [ANN], "who came after it beat again is not told of"
    assert ANN in shared.sitting
    assert held_up.sent_away == 1


async def test_one_who_cannot_be_told_of_keeps_no_other_waiting() -> None:
    shared = Shared()
    killed, heir = Gateway(shared), Gateway(shared)
    many = [Sitting("t1", f"p{i}", 0, f"s{i}") for i in range(500)]

    async def never_of_some(sitting: Sitting) -> None:
        if sitting in many[:250]:
            await asyncio.Event().wait()
        heir.told.append(sitting)

    heir.attendance._farewell = never_of_some
    async with killed.alive(*many):
        pass
    async with heir.alive():
        await until(lambda: len(shared.sitting) == 250)
    assert sorted(heir.told, key=repr) == sorted(many[250:], key=repr)
    assert sorted(shared.sitting, key=repr) == sorted(many[:250], key=repr)


async def test_one_whose_farewell_could_not_be_noted_has_no_other_begin_again() -> None:
    shared = Shared()
    killed, heir = Gateway(shared), Gateway(shared)
    many = [Sitting("t1", f"p{i}", 0, f"s{i}") for i in range(50)]
    begun: list[Sitting] = []
    goes_on = asyncio.Event()

    async def slow_but_for_the_first(sitting: Sitting) -> None:
        begun.append(sitting)
        if sitting is not many[0]:
            await goes_on.wait()
        heir.told.append(sitting)

    async def fails_once(gateway: str, come: Collection[Sitting], gone: Collection[str]) -> None:
        if list(gone) == ["s0"] and not goes_on.is_set():
            goes_on.set()
            raise Unavailable("REDIS_UNAVAILABLE", "away")
        await write(gateway, come, gone)

    heir.attendance._farewell = slow_but_for_the_first
    async with killed.alive(*many):
        pass
    write, shared.write = shared.write, fails_once  # type: ignore[method-assign]
    async with heir.alive():
        await until(lambda: not shared.claims and goes_on.is_set())
    assert len(begun) == 51
    assert begun.count(many[0]) == 2
    assert shared.sitting == []


async def test_what_could_not_be_told_for_now_is_told_later() -> None:
    shared = Shared()
    killed, heir = Gateway(shared), Gateway(shared)
    failed = asyncio.Event()

    async def fails_once(sitting: Sitting) -> None:
        if not failed.is_set():
            failed.set()
            raise Unavailable("REDIS_UNAVAILABLE", "away")
        heir.told.append(sitting)

    heir.attendance._farewell = fails_once
    async with killed.alive(ANN):
        pass
    async with heir.alive():
        await until(lambda: heir.told)
    assert heir.told == [ANN]


async def test_after_a_write_that_failed_who_left_meanwhile_is_not_written_as_sitting() -> None:
    shared = Shared()
    gateway = Gateway(shared)
    async with gateway.alive(BOB):
        shared.gate.clear()
        gateway.attendance.sits(ANN)
        await asyncio.sleep(0.1)
        gateway.attendance.left("s1")
        shared.away = True
        shared.gate.set()
        await asyncio.sleep(0.1)
        shared.away = False
        await asyncio.wait_for(gateway.attendance.written("s1"), PATIENCE_S)
        assert shared.sitting == [BOB]


async def test_nobody_waits_long_for_what_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.1)
    shared = Shared()
    shared.away = True
    gateway = Gateway(shared)
    async with gateway.alive():
        gateway.attendance.sits(ANN)
        await asyncio.wait_for(gateway.attendance.written("s1"), PATIENCE_S)
        assert not shared.sitting
        shared.away = False
        await until(lambda: shared.sitting == [ANN])


async def test_what_a_failover_has_lost_is_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ALL_AGAIN_SECONDS", 0.2)
    shared = Shared()
    gateway = Gateway(shared)
    async with gateway.alive(ANN):
        shared.seats.clear()
        await until(lambda: shared.sitting == [ANN])
    assert gateway.sent_away == 0


async def test_a_beat_counts_though_its_answer_is_lost() -> None:
    shared = Shared()
    one, other = Gateway(shared), Gateway(shared)
    async with one.alive(), other.alive():
        await until(lambda: len(shared.beats) == 2)
        shared.loses_answers = True
        before = dict(shared.beats)
        await until(lambda: all(shared.beats[name] > beats + 2 for name, beats in before.items()))


async def test_a_gateway_that_ended_beats_no_more() -> None:
    shared = Shared()
    gateway = Gateway(shared)
    async with gateway.alive():
        await until(lambda: shared.beats)
        await gateway.attendance.close()
        assert not shared.beats
        await asyncio.sleep(0.2)
        assert not shared.beats
    assert gateway.sent_away == 0


async def test_one_that_ends_before_it_could_beat_is_found_all_the_same() -> None:
    shared = Shared()
    gateway, other = Gateway(shared), Gateway(shared)
    gateway.attendance.sits(ANN)
    await gateway.attendance.close()
    async with other.alive():
        await until(lambda: other.told)
    assert other.told == [ANN]


async def test_a_gateway_that_ends_leaves_nothing_but_what_is_still_to_be_told() -> None:
    shared = Shared()
    ending, hurried = Gateway(shared), Gateway(shared)
    async with ending.alive(ANN), hurried.alive(ANN):
        await until(lambda: len(shared.sitting) == 2)
        ending.attendance.left("s1")
        await ending.attendance.close()
        hurried.attendance.sits(BOB)
        await hurried.attendance.close()
    assert len(shared.beats) == 1
    assert shared.sitting == [ANN, BOB]


async def test_who_was_written_off_has_its_clients_come_again_and_goes_on_under_another_name() -> None:
    shared = Shared()
    gateway = Gateway(shared)
    async with gateway.alive(ANN):
        (name,) = shared.beats
        await shared.forget(name)
        await until(lambda: shared.sitting)
        assert name not in shared.beats
        assert name not in shared.seats
    assert gateway.sent_away == 1


async def test_what_cannot_be_written_is_written_later_and_nobody_is_written_off_meanwhile() -> None:
    shared = Shared()
    one, other = Gateway(shared), Gateway(shared)
    async with one.alive(ANN), other.alive():
        shared.away = True
        one.attendance.left("s1")
        one.attendance.sits(BOB)
        await asyncio.sleep(1.5)
        shared.away = False
        await until(lambda: shared.sitting == [BOB])
        await asyncio.sleep(0.2)
    assert len(shared.beats) == 2
    assert one.sent_away == other.sent_away == 0
    assert other.told == []


def test_who_could_not_look_for_a_while_writes_nobody_off_for_it() -> None:
    watch = Watch()
    assert watch.silent({"a": 1}, 100.0) == []
    assert watch.silent({"a": 1}, 100.4) == []
    assert watch.silent({"a": 1}, 101.2) == [], "half a second was not looked at"
    assert [watch.silent({"a": 1}, 101.2 + 0.1 * i) for i in range(1, 11)] == [[]] * 9 + [["a"]]
