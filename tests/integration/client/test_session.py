"""A table session over a real socket, to an edge on paper: what happens to commands when connections come and go."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from http import HTTPStatus

import pytest

from services.client import link
from services.client.errors import ConnectionProblem, Left, NoSuchTable, TableClosed, TakenOver, Watching
from services.client.models import Emote
from services.client.session import TableSession
from services.rules.events import Turned
from services.rules.verdict import Outcome
from tests.integration.client.paper_server import paper_server

SOON_S = 10.0


async def test_a_command_goes_out_and_its_verdict_finds_the_view_changed() -> None:
    async with paper_server() as server, server.session() as table, asyncio.timeout(SOON_S):
        assert table.seat == 0
        verdict = await table.turn()
        assert (verdict.outcome, verdict.seq) == (Outcome.APPLIED, 4)
        assert table.view.seats[0].stock_count == 32
        assert server.offered == ["pandemonium.v1", "token.secret"]


async def test_a_hundred_commands_in_one_go_are_judged_in_order() -> None:
    async with paper_server() as server, server.session() as table, asyncio.timeout(SOON_S):
        verdicts = await asyncio.gather(*(table.recycle() for _ in range(100)))
        assert [v.n for v in verdicts] == list(range(1, 101))
        assert {v.why for v in verdicts} == {"stock_not_empty"}


async def test_what_was_judged_while_the_connection_broke_counts_once() -> None:
    async with paper_server() as server, server.session() as table, asyncio.timeout(SOON_S):
        await table.turn()
        server.deaf = True
        unheard = table.turn()
        while server.edge.hand.seats[0].last_n < 2:
            await asyncio.sleep(0.01)
        server.deaf = False
        await server.close_all(1012)
        assert (await unheard).seq == 5
        assert table.view.seats[0].stock_count == 29
        assert server.edge.hand.seats[0].last_n == 2
        after = server.attaches[1]["after"]
        assert isinstance(after, dict)
        assert after["seq"] == 4


async def test_commands_given_without_a_connection_wait_for_one() -> None:
    async with paper_server() as server, server.session() as table, asyncio.timeout(SOON_S):
        await server.close_all(1001)
        await table.until(lambda: not table.attached)
        assert (await table.turn()).outcome is Outcome.APPLIED


async def test_a_word_of_a_seat_comes_to_who_listens() -> None:
    async with paper_server() as server, server.session() as table, asyncio.timeout(SOON_S):
        listening = table.emotes()
        await table.emote(Emote.WELL_PLAYED)
        said = await anext(listening)
        assert (said.seat, said.emote) == (0, "well_played")
        await server.close_all(4010)
        assert [said async for said in listening] == []


async def test_a_session_survives_a_restart_of_its_edge() -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(SOON_S):
        async with paper_server() as first:
            table = await stack.enter_async_context(first.session())
            await table.turn()
        assert not table.attached
        again = table.turn()
        async with paper_server(first.port) as second:
            second.edge = first.edge
            assert (await again).seq == 5
            assert table.view.seats[0].stock_count == 29


async def test_events_are_iterated_until_the_table_closes() -> None:
    async with paper_server() as server, server.session() as table, asyncio.timeout(SOON_S):
        feed = aiter(table)
        await table.turn()
        await table.turn()
        await server.close_all(4010)
        events = [event async for event in feed]
        assert [type(event) for event in events] == [Turned, Turned]
        assert isinstance(table.ended, TableClosed)


async def test_a_seat_that_was_taken_over_ends_everything_that_waits() -> None:
    async with paper_server() as server, server.session() as table, asyncio.timeout(SOON_S):
        server.deaf = True
        pending, waiting = table.turn(), asyncio.create_task(table.changed())
        await server.close_all(4009)
        for waits in (pending, waiting):
            with pytest.raises(TakenOver):
                await waits
        with pytest.raises(TakenOver):
            table.turn()
        with pytest.raises(TakenOver):
            await anext(aiter(table))


async def test_leaving_ends_what_is_unanswered() -> None:
    async with paper_server() as server, asyncio.timeout(SOON_S):
        async with server.session() as table:
            server.deaf = True
            pending = table.turn()
        with pytest.raises(Left):
            await pending
        while server.sockets:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("answers", [True, False])
async def test_who_has_left_has_no_connection_any_more(answers: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "_GOODBYE_S", SOON_S if answers else 0.05)
    async with paper_server() as server, asyncio.timeout(SOON_S):
        async with server.session() as table:
            (socket,) = server.sockets
            if not answers:
                socket.transport.pause_reading()
        assert table._link._socket is not None
        assert table._link._socket.closed.done()
        socket.transport.resume_reading()


async def test_a_watcher_sees_and_has_no_commands() -> None:
    async with paper_server() as server, server.session(seat=False) as table:
        assert table.seat is None
        assert table.view.seq == 3
        with pytest.raises(Watching):
            table.turn()


async def test_an_unknown_table_is_told_apart_from_an_edge_in_trouble() -> None:
    async with paper_server() as server, asyncio.timeout(SOON_S):
        server.refuse = HTTPStatus.NOT_FOUND
        with pytest.raises(NoSuchTable):
            async with server.session():
                pass
        server.refuse = HTTPStatus.SERVICE_UNAVAILABLE
        with pytest.raises(ConnectionProblem):
            async with server.session(patience_s=0.0):
                pass


async def test_an_edge_out_of_reach_ends_the_session_when_patience_does() -> None:
    async with paper_server() as server:
        session = server.session(patience_s=0.2)
    async with asyncio.timeout(SOON_S):
        with pytest.raises(ConnectionProblem):
            async with session:
                pass


async def test_a_session_with_several_addresses_comes_back_through_the_next_one() -> None:
    async with paper_server() as one, paper_server() as two, asyncio.timeout(SOON_S):
        two.edge = one.edge
        async with TableSession([one.url, two.url], "secret", seat=True) as table:
            await table.turn()
            await one.close_all(1001)
            await table.until(lambda: not table.attached)
            assert (await table.turn()).seq == 5
            assert (len(one.attaches), len(two.attaches)) == (1, 1)
