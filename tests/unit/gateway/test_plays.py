"""Commands on their way to engines: in batches, in order, somewhere else when one does not answer, each judged once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from services.gateway.commands import Command, Outcome, Verdict
from services.gateway.frames import Call
from services.gateway.lane import MOST_BREAKS, Lane
from services.gateway.plays import HUNG_SECONDS, OLD_SECONDS, Plays
from tests.unit.gateway.fakes import FakeEngine, FakeListener, FakeStream


def command(n: int, table: str = "t1", seat: int = 0) -> Command:
    return Command(table, seat, 1, 0, 0, Call(n=n, hand=1, seen=0))


def verdict(n: int, outcome: Outcome = Outcome.APPLIED, frame: bytes = b"{}", table: str = "t1") -> Verdict:
    return Verdict(table, 0, n, outcome, frame)


class Pool:
    """Plays over fake engines."""

    def __init__(self, engines: int) -> None:
        self.engines = {f"e{i}": FakeEngine() for i in range(engines)}
        self.pauses: list[tuple[str, bool]] = []
        opens = {address: engine.open for address, engine in self.engines.items()}
        self.now = 0.0
        self.plays = Plays(opens, lambda table, on: self.pauses.append((table, on)), lambda: self.now)
        self.listener = FakeListener()

    def lane(self, table: str = "t1") -> Lane:
        return self.plays.lane(table, self.listener)

    def submit(self, lane: Lane, *numbers: int) -> None:
        for n in numbers:
            lane.submit(command(n, lane.table), self.now)

    def engine_of(self, lane: Lane) -> FakeEngine:
        assert lane.link is not None
        return self.engines[lane.link.address]

    def stream_of(self, lane: Lane) -> FakeStream:
        return self.engine_of(lane).streams[-1]

    @property
    def outcomes(self) -> list[Outcome]:
        return [outcome for outcome, _ in self.listener.verdicts]


@asynccontextmanager
async def pool(engines: int = 1, *, down: bool = False) -> AsyncIterator[Pool]:
    made = Pool(engines)
    for engine in made.engines.values():
        engine.down = down
    tasks = [asyncio.create_task(link.run()) for link in made.plays.links]
    try:
        if not down:
            await until(lambda: all(link.ready for link in made.plays.links))
        yield made
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.001)


async def test_commands_of_one_turn_of_the_loop_travel_together() -> None:
    async with pool() as made:
        for i in range(20):
            made.submit(made.lane(f"t{i}"), 1)
        [engine] = made.engines.values()
        await until(lambda: bool(engine.numbers))
        assert [len(batch) for batch in engine.streams[0].batches] == [20]


async def test_at_most_two_batches_are_unanswered_and_the_rest_grows_into_the_next() -> None:
    async with pool() as made:
        lane = made.lane()
        stream = made.engines["e0"].streams[0]
        for n in range(1, 6):
            made.submit(lane, n)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert [len(batch) for batch in stream.batches] == [1, 1]
        stream.answers(verdict(1))
        await until(lambda: len(stream.batches) == 3)
        assert [command.n for command in stream.batches[2]] == [3, 4, 5]


async def test_every_verdict_reaches_its_socket() -> None:
    async with pool() as made:
        lane = made.lane()
        made.submit(lane, 1, 2, 3)
        stream = made.stream_of(lane)
        await until(lambda: len(stream.numbers) == 3)
        stream.answers(verdict(1), verdict(2, Outcome.REFUSED), verdict(3, Outcome.RETURNED))
        await until(lambda: len(made.outcomes) == 3)
        assert made.outcomes == [Outcome.APPLIED, Outcome.REFUSED, Outcome.RETURNED]


async def test_two_sockets_of_one_seat_each_get_their_own_verdict() -> None:
    async with pool() as made:
        older, newer = made.lane(), made.lane()
        made.submit(older, 5)
        made.submit(newer, 5)
        stream = made.stream_of(older)
        await until(lambda: len(stream.numbers) == 2)
        stream.answers(verdict(5, Outcome.TAKEN_OVER), verdict(5, Outcome.APPLIED))
        await until(lambda: len(made.outcomes) == 2)
        assert made.outcomes == [Outcome.TAKEN_OVER, Outcome.APPLIED]


async def test_a_command_that_comes_twice_travels_once() -> None:
    async with pool() as made:
        lane = made.lane()
        assert lane.submit(command(1), 0.0) is True
        assert lane.submit(command(1), 0.0) is False
        await until(lambda: bool(made.stream_of(lane).numbers))
        assert made.stream_of(lane).numbers == [1]


async def test_what_a_dead_engine_owed_is_asked_of_another_one_in_order() -> None:
    async with pool(2) as made:
        lane = made.lane()
        made.submit(lane, 1, 2, 3)
        dead = made.engine_of(lane)
        await until(lambda: dead.numbers == [1, 2, 3])
        dead.down = True
        dead.streams[0].answers(verdict(1))
        dead.streams[0].breaks()
        await until(lambda: made.engine_of(lane) is not dead)
        stream = made.stream_of(lane)
        await until(lambda: len(stream.numbers) == 2)
        assert stream.numbers == [2, 3]
        stream.answers(verdict(2), verdict(3))
        await until(lambda: len(made.outcomes) == 3)
        assert made.pauses == []


async def test_what_a_silent_engine_owed_is_asked_of_another_one_and_answered_once() -> None:
    async with pool(2) as made:
        lane = made.lane()
        made.submit(lane, 1, 2)
        silent = made.engine_of(lane)
        await until(lambda: silent.numbers == [1, 2])
        made.plays.look(0.2)
        assert made.engine_of(lane) is silent
        made.plays.look(0.35)
        other = made.engine_of(lane)
        assert other is not silent
        await until(lambda: other.numbers == [1, 2])
        other.streams[0].answers(verdict(1), verdict(2))
        await until(lambda: len(made.outcomes) == 2)
        silent.streams[0].answers(verdict(1), verdict(2))
        made.submit(lane, 3)
        await until(lambda: 3 in [*silent.numbers, *other.numbers])
        assert len(made.outcomes) == 2


async def test_an_engine_that_only_one_has_is_waited_for() -> None:
    async with pool() as made:
        lane = made.lane()
        made.submit(lane, 1)
        await until(lambda: made.engines["e0"].numbers == [1])
        made.plays.look(0.5)
        assert made.engines["e0"].numbers == [1]


async def test_a_hung_engine_gets_a_new_stream() -> None:
    async with pool() as made:
        lane = made.lane()
        made.submit(lane, 1)
        engine = made.engines["e0"]
        await until(lambda: engine.numbers == [1])
        made.plays.look(HUNG_SECONDS + 0.1)
        await until(lambda: len(engine.streams) == 2 and engine.streams[1].numbers == [1])
        engine.streams[1].answers(verdict(1))
        await until(lambda: made.outcomes == [Outcome.APPLIED])


async def test_a_command_that_an_engine_forgot_is_sent_again_and_takes_no_place() -> None:
    async with pool() as made:
        forgotten, answered = [made.lane("t1"), made.lane("t3")], [made.lane("t2"), made.lane("t4")]
        stream = made.engines["e0"].streams[0]
        for pair in zip(forgotten, answered, strict=True):
            for lane in pair:
                made.submit(lane, 1)
            await until(lambda: len(stream.batches) == forgotten.index(pair[0]) + 1)  # noqa: B023 - awaited at once
        made.now += OLD_SECONDS + 0.1
        stream.answers(verdict(1, table="t2"), verdict(1, table="t4"))
        await until(lambda: len(made.outcomes) == 2)
        made.plays.look(made.now)
        await until(lambda: len(stream.batches) == 3)
        assert {command.table for command in stream.batches[2]} == {"t1", "t3"}
        made.plays.look(made.now)
        assert len(stream.batches) == 3


async def test_while_the_log_is_away_commands_are_kept_and_the_table_is_paused_once() -> None:
    async with pool() as made:
        lane = made.lane()
        made.submit(lane, 1, 2)
        stream = made.stream_of(lane)
        for attempt in range(1, 4):
            await until(lambda: len(stream.numbers) == 2 * attempt)  # noqa: B023 - awaited at once
            stream.answers(verdict(1, Outcome.UNAVAILABLE), verdict(2, Outcome.OUT_OF_ORDER, b'{"last":0}'))
        await until(lambda: len(stream.numbers) == 8)
        assert stream.numbers == [1, 2] * 4
        assert made.pauses == [("t1", True)]
        stream.answers(verdict(1), verdict(2))
        await until(lambda: len(made.outcomes) == 2)
        assert made.pauses == [("t1", True), ("t1", False)]


async def test_commands_out_of_order_are_put_in_order_if_the_missing_one_is_here() -> None:
    async with pool() as made:
        lane = made.lane()
        made.submit(lane, 2, 1)
        stream = made.stream_of(lane)
        await until(lambda: stream.numbers == [2, 1])
        stream.answers(verdict(2, Outcome.OUT_OF_ORDER, b'{"last":0}'), verdict(1))
        await until(lambda: len(stream.numbers) > 2)
        assert 2 in stream.numbers[2:]
        stream.answers(*(verdict(n) for n in stream.numbers[2:]))
        await until(lambda: len(made.outcomes) == 2)
        assert made.outcomes == [Outcome.APPLIED, Outcome.APPLIED]


async def test_a_number_that_the_client_left_out_is_its_own_to_send() -> None:
    async with pool() as made:
        lane = made.lane()
        made.submit(lane, 7)
        stream = made.stream_of(lane)
        await until(lambda: stream.numbers == [7])
        stream.answers(verdict(7, Outcome.OUT_OF_ORDER, b'{"t":"verdict","n":7,"v":"out_of_order","last":3}'))
        await until(lambda: made.outcomes == [Outcome.OUT_OF_ORDER])
        assert stream.numbers == [7]


async def test_without_any_engine_commands_wait_and_go_in_order_to_the_first_that_comes() -> None:
    async with pool(2, down=True) as made:
        lane = made.lane()
        made.submit(lane, 1, 2, 3)
        assert made.pauses == [("t1", True)]
        made.engines["e1"].down = False
        await until(lambda: made.engines["e1"].numbers == [1, 2, 3])
        made.stream_of(lane).answers(*(verdict(n) for n in (1, 2, 3)))
        await until(lambda: len(made.outcomes) == 3)
        assert made.pauses == [("t1", True), ("t1", False)]


async def test_a_command_that_breaks_every_stream_is_given_up() -> None:
    async with pool() as made:
        lane = made.lane()
        made.submit(lane, 1)
        engine = made.engines["e0"]
        for attempt in range(1, MOST_BREAKS + 2):
            await until(lambda: len(engine.numbers) == attempt)  # noqa: B023 - awaited at once
            engine.streams[-1].breaks()
        await until(lambda: made.listener.given == [1])


async def test_a_lane_that_was_closed_gets_nothing_and_sends_nothing() -> None:
    async with pool() as made:
        lane = made.lane()
        made.submit(lane, 1)
        stream = made.stream_of(lane)
        await until(lambda: stream.numbers == [1])
        lane.close()
        stream.answers(verdict(1))
        other = made.lane()
        made.submit(other, 2)
        await until(lambda: stream.numbers == [1, 2])
        assert made.outcomes == []


async def test_tables_spread_over_engines_and_each_stays_with_one() -> None:
    async with pool(3) as made:
        chosen = {}
        for i in range(300):
            lane = made.lane(f"t{i}")
            link = made.plays.choose(lane)
            assert link is not None
            assert made.plays.choose(made.lane(f"t{i}")) is link
            chosen[i] = link.address
        counts = [list(chosen.values()).count(address) for address in made.engines]
        assert min(counts) > 60
