"""Hints over the real edge: for who plays, from what is there to see, and playable as they are told."""

from __future__ import annotations

import pytest

from services.client import Client
from services.client.errors import NotAllowed, NotFound, NotSignedIn
from services.rules.verdict import Outcome
from tests.integration.gateway.place import Place
from tests.integration.gateway.player import attached

pytestmark = pytest.mark.asyncio(loop_scope="session")


def url(place: Place) -> str:
    return f"http://127.0.0.1:{place.port}"


async def test_what_a_hint_says_can_be_done(place: Place) -> None:
    table, (ada, _) = await place.running_hand()
    async with Client(url(place), ada.token) as client, attached(place.port, table, ada.token) as player:
        await player.until(lambda: bool(player.of("snapshot")))
        for n in range(1, 9):
            hint = await client.hint(table)
            assert hint.text
            assert hint.action is not None
            await player.sends(hint.action | {"n": n, "hand": 1, "seen": hint.seq})
            await player.until(lambda: len(player.verdicts) == n)  # noqa: B023 - awaited at once
            assert player.verdicts[-1]["v"] == Outcome.APPLIED, (hint, player.verdicts[-1])


async def test_hints_are_for_who_plays(place: Place) -> None:
    table, _ = await place.running_hand()
    watcher = await place.guest("Eve")
    async with Client(url(place), watcher.token) as client:
        with pytest.raises(NotAllowed) as refused:
            await client.hint(table)
        assert refused.value.code == "not_seated"
        with pytest.raises(NotFound):
            await client.hint("nothere")
    async with Client(url(place)) as nobody:
        with pytest.raises(NotSignedIn):
            await nobody.hint(table)


async def test_before_the_first_hand_there_is_nothing_to_do(place: Place) -> None:
    ann = await place.guest("Ann")
    table = await place.table(ann)
    async with Client(url(place), ann.token) as client:
        hint = await client.hint(table)
    assert (hint.key, hint.action) == ("hint.not_playing", None)
