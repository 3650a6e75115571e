"""Races for one place, as both players see them: who was first, who shares, whose card goes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from services.cli.local_platform import Platform
from services.rules.cards import card as parsed
from tests.web.duel import WINDOW_MS, Duel, duel, foundations_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@pytest_asyncio.fixture(loop_scope="session")
async def two(browser: Browser, platform: Platform) -> AsyncIterator[Duel]:
    async with duel(browser, platform.url) as racing:
        yield racing


def written(card: str) -> str:
    """The card as players read it."""
    rank = {1: "A", 10: "10", 11: "J", 12: "Q", 13: "K"}.get(parsed(card).rank, card[0])
    return rank + SIGNS[card[1]]


async def test_a_lost_card_glides_back_exactly_where_it_was_and_both_are_told(two: Duel) -> None:
    ada, bob = two.racers
    card = await two.contest()
    home, layout = await bob.card(card).bounding_box(), await bob.layout()
    await bob.watch(card)
    bob.line.holds = True
    await ada.play(card)
    await ada.line.until(lambda: ada.line.count("play", card=card) == 1)
    await ada.page.wait_for_timeout(WINDOW_MS)  # so long a card could still tie
    await bob.play(card)
    await expect(bob.landed(card, bob.seat)).to_be_visible()
    await expect(
        ada.page.get_by_text(f"You were first with {written(card)}: the card of Bob goes back")
    ).to_be_visible()
    await bob.line.until_held("return")
    bob.line.release()

    await expect(bob.page.get_by_text(f"Ada was first with {written(card)}")).to_be_visible()
    await expect(bob.card(card)).to_be_visible()
    await expect(bob.page.locator(".flying")).to_have_count(0)
    assert await bob.card(card).bounding_box() == home
    assert await bob.layout() == layout
    assert await bob.seen() == {"least": 1, "most": 1, "flew": True}
    log = await two.end()
    for racer in two.racers:
        assert await racer.foundations() == foundations_of(log)
        assert (card, [ada.seat]) in await racer.foundations()


async def test_cards_that_tie_lie_side_by_side_on_both_pages(two: Duel) -> None:
    card = await two.contest()
    for racer in two.racers:
        racer.line.holds = True
    keys = [await racer.aim(card) for racer in two.racers]  # so that nothing but the last key is between the two
    await asyncio.gather(*(racer.page.keyboard.press(key) for racer, key in zip(two.racers, keys, strict=True)))
    for racer in two.racers:
        await racer.line.until_held("play", 2)
        racer.line.release()
        await expect(racer.page.get_by_text(f"Tie! {written(card)} shares its place")).to_be_visible()
        await expect(racer.page.locator(f'[data-top="{card}"] .card.tied')).to_have_count(2)
        await expect(racer.page.locator(".flying")).to_have_count(0)
        left, right = [await racer.landed(card, each.seat).bounding_box() for each in two.racers]
        assert left is not None
        assert right is not None
        assert abs(left["x"] - right["x"]) > left["width"] / 4
        assert left["y"] == right["y"]
    log = await two.end()
    for racer in two.racers:
        assert await racer.foundations() == foundations_of(log)
        assert (card, [0, 1]) in await racer.foundations()


async def test_who_played_on_while_cut_off_sees_the_table_as_it_is_when_back(two: Duel) -> None:
    ada, bob = two.racers
    card = await two.contest()
    layout = await bob.layout()
    await bob.watch(card)
    await bob.line.cut()
    await expect(bob.guest.connection("lost")).to_be_visible()
    await bob.play(card)
    await expect(bob.landed(card, bob.seat)).to_be_visible()
    await ada.play(card)
    await ada.line.until(lambda: ada.line.count("play", card=card) == 1)
    await ada.page.wait_for_timeout(WINDOW_MS)
    bob.line.mend()
    await expect(bob.page.get_by_text(f"Ada was first with {written(card)}")).to_be_visible()
    await expect(bob.guest.connection("live")).to_be_visible()
    await expect(bob.card(card)).to_be_visible()
    assert await bob.layout() == layout
    assert (await bob.seen())["most"] == 1
    log = await two.end()
    assert [event["seat"] for event in log if event["e"] == "return"] == [bob.seat]
    for racer in two.racers:
        assert await racer.foundations() == foundations_of(log)
