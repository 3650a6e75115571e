"""One generator process: its share of the tables, from seating to the last log. Told what to do by the director.

Everything that happens during play is on an agenda that is drawn beforehand.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import signal
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from services.client import Client
from services.client.errors import ClientError
from services.loadtest import messages, schedule
from services.loadtest.agenda import Agenda, drawn
from services.loadtest.desk import Desk
from services.loadtest.direct.path import direct_path
from services.loadtest.history import Recorder, now_us
from services.loadtest.line import to_edge
from services.loadtest.measures import RAN, WAITED, Measures, Sample
from services.loadtest.messages import Attached, Begin, Crowd, Failed, Finished, Order, Seated, Second
from services.loadtest.onlooker import Onlooker
from services.loadtest.party import Party
from services.loadtest.place import Departures, Place, socket_urls
from services.loadtest.process_use import cores_waited_us
from services.loadtest.scenario import Scenario
from services.loadtest.seat import Seat
from services.loadtest.seating import AT_ONCE, Company, QuotaReached, gathered, made_table, quick_companies
from services.loadtest.shared_history import Book
from services.loadtest.slow_reader import SlowReader, attached
from services.loadtest.wire import US
from services.runtime.event_loop import loop_factory

_HANDS_WITHIN_S: Final = 90.0
_ANSWERED_WITHIN_S: Final = 30.0
_ENDED_WITHIN_S: Final = 30.0
_CONNECTING: Final = 50
_LOOP_EVERY_S: Final = 0.05
_GARBAGE: Final = 50_000
_IN_A_ROW: Final = 8
"""So many moments that are due may follow each other before the sockets are looked at."""


def main(pipe: Connection) -> None:
    """The process. Ends when its order is done, or the director is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the director's, who closes the pipe
    logging.disable(logging.WARNING)
    given = messages.order(pipe)
    assert isinstance(given, Order)
    try:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(Generator(given, pipe).run())
    except (EOFError, BrokenPipeError):
        return
    except (ClientError, QuotaReached, OSError) as error:
        with suppress(OSError):  # another process may have failed first, so that nobody listens
            messages.tell(pipe, Failed(str(error)))


class Generator:
    """The process's work."""

    def __init__(self, order: Order, pipe: Connection) -> None:
        self._order = order
        self._scenario = order.scenario
        self._pipe = pipe
        self._luck = random.Random(order.seed)
        self._folder = Path(order.folder)
        self._measures = Measures()
        self._open = False
        self._parties: list[Party] = []
        self._crowd: list[Onlooker] = []
        self._slow: list[SlowReader] = []
        self._begin_us = 0
        self._played_s = 0.0
        self._cores_us = (0, 0)

    async def run(self) -> None:
        """All of it."""
        recorder = Recorder(self._folder / "histories" / f"{self._order.process}.jsonl.gz")
        urls, direct, turn = self._order.urls, self._order.direct, self._order.process % len(self._order.urls)
        async with AsyncExitStack() as stack:
            edge = await stack.enter_async_context(Client([*urls[turn:], *urls[:turn]]))
            lines = to_edge if direct is None else (await stack.enter_async_context(direct_path(direct))).line
            self._desk = Desk(recorder, self._measures, self._luck, lines)
            await self._seat(edge)
            await self._tell(Seated({party.table: len(party.seats) for party in self._parties}))
            await self._look_on(await self._told())
            await self._start_hands()
            await self._tell(Attached(len(self._seats) + len(self._crowd) + len(self._slow)))
            await self._play(await self._told())
            lost = await self._await_verdicts()
            await self._finish(lost)
            recorder.close()

    # Before

    async def _seat(self, edge: Client) -> None:
        if self._scenario.quick_play:
            companies = await quick_companies(edge, self._scenario.players, self._scenario)
            arriving = (self._attached(i, company) for i, company in enumerate(companies))
        else:
            arriving = (self._made(i, edge) for i in range(self._order.tables))
        self._parties = await gathered(arriving, AT_ONCE)

    async def _made(self, number: int, edge: Client) -> Party:
        # Attached at once, since a seat whose player stays away is given up after a while.
        scenario = self._scenario.of_table(self._order.first + number)
        return await self._attached(number, await made_table(edge, scenario))

    async def _attached(self, number: int, company: Company) -> Party:
        urls = self._order.urls
        in_run, scenario = self._order.first + number, self._scenario
        addresses, hot = socket_urls(urls, in_run, company.table), scenario.is_hot(in_run)
        party = Party(company, addresses, scenario.of_table(in_run), self._desk, lambda: self._open, hot=hot)
        await party.attach()
        return party

    @property
    def _seats(self) -> list[Seat]:
        return [seat for party in self._parties for seat in party.seats]

    async def _look_on(self, told: messages.ToGenerator) -> None:
        """Attaches this process's share of the audience."""
        assert isinstance(told, Crowd)
        process, processes = self._order.process, self._scenario.processes
        audience, urls = self._scenario.audience, self._order.urls
        shared = next((party.seats[0].place for party in self._parties if party.table == told.table), None)
        book, departures = (shared.book, shared.departures) if shared else (Book(), Departures())
        self._crowd = [
            Onlooker(Place(told.table, socket_urls(urls, i, told.table), book, departures), self._desk)
            for i in range(process, audience.spectators, processes)
        ]
        await gathered((_started(watcher) for watcher in self._crowd), _CONNECTING)
        self._slow = [
            SlowReader(self._parties[i % len(self._parties)].seats[0].place.urls[0], self._measures)
            for i in range(process, audience.slow_readers, processes)
        ]
        for problem in await attached(self._slow):
            self._desk.tell(f"a slow reader was kept out: {problem}")

    async def _start_hands(self) -> None:
        """Everybody is ready; returns when every hand runs."""
        self._open = True
        deadline = time.monotonic() + _HANDS_WITHIN_S
        while not all(party.playing for party in self._parties):
            if time.monotonic() > deadline:
                waiting = sum(not party.playing for party in self._parties)
                self._desk.wrong("start", f"{waiting} tables had no running hand within {_HANDS_WITHIN_S:.0f} s")
                return
            for party in self._parties:
                party.look_ready()
            await asyncio.sleep(0.1)

    # Play

    async def _play(self, told: messages.ToGenerator) -> None:
        assert isinstance(told, Begin)
        self._begin_us = told.at_us
        agenda = drawn(self._scenario, self._parties, self._luck)
        gc.collect()
        gc.freeze()  # what is there now stays, and need not be looked at again
        gc.set_threshold(_GARBAGE)  # nothing that is thrown away during play has cycles
        await asyncio.sleep(max(0, self._begin_us - now_us()) / US)
        self._measures.take()
        self._cores_us = cores_waited_us()
        watching = [asyncio.create_task(self._tell_seconds()), asyncio.create_task(self._watch_loop())]
        watching.append(asyncio.create_task(self._keep_ready()))
        if self._scenario.pace.closed_loop:
            watching += (
                asyncio.create_task(self._closed_loop(seat, party.scenario))
                for party in self._parties
                for seat in party.seats
            )
        await self._until_stopped(self._conduct(agenda))
        self._played_s = (now_us() - self._begin_us) / US
        for task in watching:
            task.cancel()
        for result in await asyncio.gather(*watching, return_exceptions=True):
            if isinstance(result, Exception):
                raise result

    async def _conduct(self, agenda: Agenda) -> None:
        in_a_row = 0
        for at_us, do in agenda:
            due_us = self._begin_us + at_us
            ahead_us = due_us - now_us()
            in_a_row += 1
            if ahead_us > 0 or in_a_row >= _IN_A_ROW:
                in_a_row = 0
                await asyncio.sleep(max(0, ahead_us) / US)
            do(due_us)

    async def _until_stopped(self, work: Coroutine[None, None, None]) -> None:
        """Does the work, unless the director says that it is enough, or is gone."""
        loop, task = asyncio.get_running_loop(), asyncio.create_task(work)
        loop.add_reader(self._pipe.fileno(), task.cancel)
        await asyncio.wait([task])
        loop.remove_reader(self._pipe.fileno())
        if task.cancelled():
            messages.order(self._pipe)
        else:
            task.result()

    async def _closed_loop(self, seat: Seat, scenario: Scenario) -> None:
        """Acts, waits for the verdict, pauses, and so on."""
        answered = asyncio.Event()
        seat.settled = answered.set
        pace, total_us = scenario.pace, scenario.seconds * US
        while (progress := (now_us() - self._begin_us) / total_us) < 1:
            await asyncio.sleep(schedule.gap_s(pace, progress, self._luck))
            answered.clear()
            seat.act(now_us(), shared=self._luck.random() < scenario.contention.share)
            if seat.unanswered:
                await answered.wait()

    async def _keep_ready(self) -> None:
        """Has tables go on whose match is over, and repeats what a broken connection may have swallowed."""
        while True:
            await asyncio.sleep(1)
            for party in self._parties:
                party.look_ready()

    async def _tell_seconds(self) -> None:
        for second in range(1, 1_000_000_000):
            await asyncio.sleep(max(0.0, (self._begin_us - now_us()) / US + second))
            await self._tell_second()

    async def _tell_second(self) -> None:
        before, self._cores_us = self._cores_us, cores_waited_us()
        for name, now, then in zip((RAN, WAITED), self._cores_us, before, strict=True):
            self._measures.count(name, now - then)
        counts, samples = self._measures.take()
        await self._tell(Second((now_us() - self._begin_us) / US, counts, samples))

    async def _watch_loop(self) -> None:
        while True:
            due_us = now_us() + round(_LOOP_EVERY_S * US)
            await asyncio.sleep(_LOOP_EVERY_S)
            self._measures.sample(Sample.LOOP, now_us() - due_us)

    # After

    async def _await_verdicts(self) -> int:
        """Waits until every command has its verdict; how many never got one."""
        deadline = time.monotonic() + _ANSWERED_WITHIN_S
        while True:
            lost = sum(seat.unanswered for seat in self._seats)
            if not lost or time.monotonic() > deadline:
                break
            await asyncio.sleep(0.05)
        await self._tell_second()
        return lost

    async def _finish(self, lost: int) -> None:
        self._open = False  # nobody is ready for another hand
        await asyncio.gather(*(party.end_hand(_ENDED_WITHIN_S) for party in self._parties))
        await gathered(reader.look_up() for reader in self._slow)
        hands = sum(await gathered((party.keep_logs(self._folder) for party in self._parties), AT_ONCE))
        for seat in self._seats:
            if seat.ended is not None:
                self._desk.wrong("socket", f"table {seat.place.table}: {seat.ended}")
        counts, _ = self._measures.take()
        # The votes that ended the hands are no part of the load; what went wrong with them is.
        told = {name: n for name, n in counts.items() if name.startswith(("wrong.", "slow."))}
        await self._tell(Second(self._played_s, told, {}))
        await gathered((watcher.leave() for watcher in self._crowd), _CONNECTING)
        await gathered((party.leave() for party in self._parties), AT_ONCE)
        await self._tell(Finished(lost, hands, self._desk.problems))

    # The director

    async def _tell(self, message: messages.ToDirector) -> None:
        await asyncio.to_thread(messages.tell, self._pipe, message)

    async def _told(self) -> messages.ToGenerator:
        return await asyncio.to_thread(messages.order, self._pipe)


async def _started(watcher: Onlooker) -> None:
    watcher.start()
    await watcher.welcomed
    if watcher.ended is not None:
        raise watcher.ended
