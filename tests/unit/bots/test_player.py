"""A bot in its seat: when it moves, when it gets ready, and when it goes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest
from msgspec.structs import replace as replaced

from services.bots.judgement import Strength
from services.bots.pace import Pace, gap_s
from services.bots.player import Character, Parting, Player
from services.client.errors import (
    ClientError,
    ConnectionProblem,
    NoSuchTable,
    NotYourSeat,
    SetBack,
    TableClosed,
    TakenOver,
)
from services.client.models import TableSeat, TableState
from services.rules.hand import Phase
from services.rules.moves import Choice, PlayToFoundation, Source, Turn, Vote
from services.rules.options import Options
from services.rules.verdict import Outcome
from tests.unit.bots.fakes import PaperSeat, lobby_table
from tests.unit.bots.positions import NOTHING, table

FAST = Character(Strength.HARD, Pace.FAST, patience_s=0.0)
USEFUL = table("9C4S|5S|KC|QS|8C||", NOTHING, foundations="S3")
BARREN = table("9C9D|KS|KC|QS|2C|3C4C5C|", NOTHING)


@asynccontextmanager
async def playing(at: PaperSeat, character: Character = FAST) -> AsyncIterator[asyncio.Task[Parting]]:
    task = asyncio.create_task(Player(at, character, random.Random(1)).play())
    await at.settles()
    yield task
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_it_goes_on_as_soon_as_the_verdict_is_in() -> None:
    at = PaperSeat(USEFUL, lobby_table(TableState.PLAYING))
    async with playing(at):
        assert len(at.done) > 3
        assert isinstance(at.done[0], PlayToFoundation)


@pytest.mark.parametrize("phase", [Phase.PREPARED, Phase.DEALT, Phase.CLOSING, Phase.OVER])
async def test_it_does_not_move_before_the_start_nor_after_the_call(phase: Phase) -> None:
    at = PaperSeat(replace(USEFUL, phase=phase), lobby_table(TableState.PLAYING))
    async with playing(at):
        assert at.done == []


async def test_a_refused_move_is_not_repeated_until_something_changes() -> None:
    at = PaperSeat(USEFUL, lobby_table(TableState.PLAYING), outcome=Outcome.REFUSED)
    async with playing(at):
        assert len(at.done) == 1
        at.view = replace(BARREN, seq=101)
        at.outcome = Outcome.APPLIED
        at.tell()
        await at.settles()
        assert at.done[1] == Turn(3)


async def test_a_bot_that_was_set_back_looks_again() -> None:
    at = PaperSeat(USEFUL, lobby_table(TableState.PLAYING), fails=SetBack())
    async with playing(at):
        assert at.done == []
        at.tell()
        await at.settles()
        assert at.done[0] == PlayToFoundation(Source.DEMON, USEFUL.seats[0].demon_top or at.done)  # type: ignore[arg-type]


@pytest.mark.parametrize(("present", "done"), [(True, [Vote(Choice.REPLAY, 7)]), (False, [])])
async def test_it_follows_the_people_who_are_there_when_they_want_a_hand_dealt_again(
    present: bool, done: list[Vote]
) -> None:
    """A bot alone at the table follows nobody, and has nothing to turn here."""
    stuck = table("9C9D|KS|KC|QS|2C||", NOTHING, options=Options(dispute="replay_hand"), votes=(None, Choice.REPLAY))
    person = TableSeat(1, "ada", "Ada", present=present)
    lobby = lobby_table(TableState.PLAYING)
    at = PaperSeat(stuck, replaced(lobby, seats=(lobby.seats[0], person)))
    async with playing(at):
        assert [action for action in at.done if action != Vote(Choice.SHIFT, 7)][:1] == done


async def test_it_is_ready_once_for_each_hand_whose_commitment_is_published() -> None:
    at = PaperSeat(replace(USEFUL, phase=Phase.OVER), lobby_table(TableState.OPEN))
    async with playing(at):
        assert at.nonces == [], "a nonce that is given before the commitment would not count"
        for hand in ("first", "second"):
            at.table = lobby_table(TableState.BETWEEN, commitment=hand)
            at.tell()
            await at.settles()
            at.tell()
            await at.settles()
        assert len(at.nonces) == 2
        assert len(set(at.nonces)) == 2


async def test_it_does_not_ask_to_be_ready_twice() -> None:
    at = PaperSeat(replace(USEFUL, phase=Phase.OVER), lobby_table(TableState.OPEN, commitment="c", ready=True))
    async with playing(at):
        assert at.nonces == []


async def test_it_goes_when_the_match_is_over_and_nobody_goes_on() -> None:
    at = PaperSeat(replace(USEFUL, phase=Phase.OVER), lobby_table(TableState.ENDED))
    async with asyncio.timeout(30):
        assert await Player(at, FAST, random.Random(1)).play() is Parting.MATCH_OVER


async def test_it_stays_for_another_match_as_long_as_its_patience_lasts() -> None:
    at = PaperSeat(replace(USEFUL, phase=Phase.OVER), lobby_table(TableState.ENDED))
    async with playing(at, replace(FAST, patience_s=60.0)) as task:
        assert not task.done()
        at.table = lobby_table(TableState.OPEN, commitment="next", version=2)
        at.tell()
        await at.settles()
        assert len(at.nonces) == 1


@pytest.mark.parametrize(
    ("error", "parting"),
    [
        (TableClosed(), Parting.TABLE_CLOSED),
        (NotYourSeat(), Parting.SEAT_LOST),
        (TakenOver(), Parting.SEAT_LOST),
        (NoSuchTable(), Parting.SEAT_LOST),
        (ConnectionProblem(), Parting.EDGE_LOST),
    ],
)
@pytest.mark.parametrize("view", [USEFUL, replace(USEFUL, phase=Phase.OVER)], ids=["playing", "waiting"])
async def test_it_ends_with_its_session(error: ClientError, parting: Parting, view: object) -> None:
    at = PaperSeat(view, lobby_table(TableState.PLAYING))  # type: ignore[arg-type]
    async with playing(at) as task:
        assert not task.done()
        at.ended = error
        at.tell()
        async with asyncio.timeout(30):
            assert await task is parting


async def test_a_closed_table_is_left_at_once() -> None:
    at = PaperSeat(USEFUL, lobby_table(TableState.CLOSED))
    assert await Player(at, FAST, random.Random(1)).play() is Parting.TABLE_CLOSED
    assert at.done == []


async def test_at_a_persons_pace_it_takes_its_time() -> None:
    at = PaperSeat(USEFUL, lobby_table(TableState.PLAYING))
    async with playing(at, replace(FAST, pace=Pace.HUMAN)):
        assert at.done == []


def test_pauses_have_the_declared_median_and_a_better_bot_is_quicker() -> None:
    luck = random.Random(1)
    medians = {s: sorted(gap_s(Pace.HUMAN, s, luck) for _ in range(2001))[1000] for s in Strength}
    assert medians[Strength.MEDIUM] == pytest.approx(1.6, rel=0.1)
    assert medians[Strength.HARD] < medians[Strength.MEDIUM] < medians[Strength.EASY]
    assert gap_s(Pace.FAST, Strength.EASY, luck) == 0
