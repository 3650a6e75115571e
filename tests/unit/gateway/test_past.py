"""What a client that comes back has missed, by what the log and the relay know."""

from __future__ import annotations

import pytest

from services.gateway.frames import After
from services.gateway.past import MOST_REPLAYED, Past, missed
from services.gateway.relays import Relays
from services.gateway.table_view import TableView
from services.gateway.tasks import Tasks
from tests.unit.gateway.fakes import FakeFeed, FakeLog, FakeMember, history, table_view


async def past(told: int, logged: int, after: After | None, *, trimmed: int = 0, salt: str = "") -> Past:
    """A relay that has told ``told`` events of a log that has ``logged``."""
    log = FakeLog()
    log.events = history(told, salt)

    async def fetch(table: str, player: str, known: int) -> TableView:
        return table_view()

    relay = await Relays(FakeFeed(), log, fetch, Tasks()).join("t1", FakeMember(), 1.0)
    log.events = history(logged, salt)[trimmed:]
    return await missed(log, relay, after)


def applied(seq: int, salt: str = "") -> After:
    return After(seq, history(seq, salt)[-1].digest if seq else "")


def seqs(found: Past) -> list[int] | None:
    return None if found.events is None else [event.seq for event in found.events]


async def test_a_new_client_needs_a_snapshot() -> None:
    assert await past(5, 5, None) == Past(None)


@pytest.mark.parametrize(("after", "rest"), [(5, []), (3, [4, 5]), (0, [1, 2, 3, 4, 5])])
async def test_the_events_that_follow_are_found(after: int, rest: list[int]) -> None:
    found = await past(5, 5, applied(after))
    assert (seqs(found), found.set_back) == (rest, False)


async def test_a_client_ahead_of_this_relay_is_not_ahead_of_history() -> None:
    found = await past(5, 8, applied(7))
    assert (seqs(found), found.set_back) == ([8], False)


async def test_a_client_ahead_of_the_log_is_set_back() -> None:
    assert await past(5, 5, After(9, "0123456789abcdef")) == Past(None, set_back=True)


async def test_a_client_of_another_history_is_set_back() -> None:
    assert await past(5, 5, applied(3, "other")) == Past(None, set_back=True)


async def test_a_log_that_no_longer_reaches_back_gives_a_snapshot_and_no_alarm() -> None:
    assert await past(9, 9, applied(2), trimmed=6) == Past(None)


async def test_far_too_many_events_give_a_snapshot() -> None:
    assert await past(MOST_REPLAYED + 10, MOST_REPLAYED + 10, applied(3)) == Past(None)


async def test_a_table_whose_log_is_gone_sets_back() -> None:
    assert await past(5, 0, applied(3)) == Past(None, set_back=True)
