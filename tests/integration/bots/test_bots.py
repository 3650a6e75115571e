"""Bots on the real platform: they fill seats, play matches to the end, and come and go as they should."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress

from services.bots import metrics
from services.client import Client, TableSession
from services.client.errors import TableClosed
from services.client.models import Pace, Strength, Table, TableState
from services.rules.events import Ended, EndWhy, Moved, Played, Turned
from services.rules.hand import Phase
from services.rules.moves import Choice
from services.rules.options import Options
from services.rules.replay import verify
from services.rules.verdict import Outcome
from tests.integration.bots.conftest import Hall

LONG_S = 100.0


def seats_played() -> float:
    (family,) = metrics.SEATS.collect()
    return family.samples[0].value


async def table_of_bots(client: Client, *, seats: int = 3, target: int = 10) -> Table:
    options = Options(target=target)
    return await client.create_table(
        seats=seats, host_plays=False, bots=seats, strength=Strength.HARD, pace=Pace.FAST, options=options
    )


async def ended(table: TableSession) -> Table:
    await table.until(lambda: table.table.state is TableState.ENDED)
    return table.table


async def verify_match(client: Client, table: Table) -> None:
    match = await client.match(table.match)
    assert match.over
    assert match.winners == table.winners
    for sheet in match.hands:
        assert verify(await client.hand_log(match.id, sheet.hand)).problems == ()


async def test_bots_play_a_match_to_its_end_and_every_hand_is_verified(hall: Hall) -> None:
    async with asyncio.timeout(LONG_S), hall.client() as client, hall.bots():
        await client.guest("Ada")
        made = await table_of_bots(client)
        async with client.table(made.id, seat=False) as table:
            final = await ended(table)
        assert max(seat.total for seat in final.seats) >= 10
        await verify_match(client, final)
        while seats_played():
            await asyncio.sleep(0.02)


async def test_a_person_plays_against_bots_and_they_do_not_move_before_the_start(hall: Hall) -> None:
    async with asyncio.timeout(LONG_S), hall.client() as client, hall.bots():
        await client.guest("Ada")
        made = await client.create_table(seats=2, bots=1, pace=Pace.FAST, strength=Strength.HARD)
        async with client.table(made.id) as table:
            assert table.seat == 0
            await table.until(lambda: table.table.awaits(0))
            feed = aiter(table)
            await table.ready()
            started = False
            async for event in feed:
                started = started or event.e == "start"
                if isinstance(event, Played | Moved | Turned):
                    assert started
                    assert event.seat == 1
                    break
            verdict = await table.turn()
            assert verdict.outcome is Outcome.APPLIED


async def test_a_bot_consents_when_the_people_at_the_table_want_the_hand_dealt_again(hall: Hall) -> None:
    """Option ``dispute``. Whatever makes progress meanwhile withdraws a vote, so it is given until it stands."""
    rules = Options(dispute="replay_hand")
    async with asyncio.timeout(LONG_S), hall.client() as client, hall.bots():
        await client.guest("Ada")
        made = await client.create_table(seats=2, bots=1, pace=Pace.HUMAN, strength=Strength.HARD, options=rules)
        async with client.table(made.id) as table:
            await table.until(lambda: table.table.awaits(0))
            await table.ready()
            await table.until(lambda: table.view.phase is Phase.PLAYING)
            feed = aiter(table)
            first = table.view.commitment
            await table.vote(Choice.REPLAY)
            async for event in feed:
                if isinstance(event, Ended):
                    assert event.why is EndWhy.DISPUTED
                    break
                if table.view.phase is Phase.PLAYING and table.view.votes[0] is None:
                    await table.vote(Choice.REPLAY)
            await table.until(lambda: table.table.awaits(0) and table.table.commitment != first)
            assert [seat.total for seat in table.table.seats] == [0, 0]


async def test_when_the_table_is_closed_its_bots_are_gone(hall: Hall) -> None:
    async with asyncio.timeout(LONG_S), hall.client() as client, hall.bots():
        await client.guest("Ada")
        made = await table_of_bots(client, target=1000)
        async with client.table(made.id, seat=False) as table:
            await table.until(lambda: table.view.phase is Phase.PLAYING)
            assert seats_played() == 3
            await client.close_table(made.id)
            with suppress(TableClosed):
                await table.until(lambda: False)
        while seats_played():
            await asyncio.sleep(0.02)


async def test_another_worker_takes_the_seats_of_one_that_stops(hall: Hall) -> None:
    async with asyncio.timeout(LONG_S), hall.client() as client, AsyncExitStack() as watching:
        await client.guest("Ada")
        async with hall.bots():
            made = await table_of_bots(client)
            table = await watching.enter_async_context(client.table(made.id, seat=False))
            await table.until(lambda: table.view.phase is Phase.PLAYING)
            first = {seat.player for seat in table.table.seats}
        async with hall.bots():
            await table.until(lambda: all(s.player and s.player not in first for s in table.table.seats))
            await verify_match(client, await ended(table))


async def test_a_gateway_that_is_replaced_in_the_middle_of_a_match_loses_nothing(hall: Hall) -> None:
    async with asyncio.timeout(LONG_S), AsyncExitStack() as players:
        async with hall.place.gateway() as first:
            hall.place.gateways.insert(0, first)
            client = await players.enter_async_context(hall.client())
            await client.guest("Ada")
            await players.enter_async_context(hall.bots())
            made = await table_of_bots(client)
            table = await players.enter_async_context(client.table(made.id, seat=False))
            await table.until(lambda: table.view.phase is Phase.PLAYING and table.view.progress > 5)
        async with hall.place.gateway(port=first.port):
            await verify_match(client, await ended(table))
            await players.aclose()
