from __future__ import annotations

import pytest

from services.bots.judgement import Strength
from services.client.history import Broken, History
from services.loadtest.shared_history import Book, SharedHistory
from tests.unit.bots.paper_match import PaperHand


@pytest.fixture(scope="module")
def log() -> list[bytes]:
    hand = PaperHand([Strength.MEDIUM] * 2, 7)
    hand.play()
    return list(hand.log)


def test_sockets_that_share_a_book_come_to_what_a_lone_client_does(log: list[bytes]) -> None:
    book, lone = Book(), History()
    first, second = SharedHistory(book), SharedHistory(book)
    for event in log:
        told = lone.follow(event)
        assert first.follow(event) == told
        assert second.follow(event) == told
        assert first.view == second.view == lone.view
    assert second.view is first.view
    assert second.digest == lone.digest


def test_a_gap_is_found_though_another_socket_has_read_the_event(log: list[bytes]) -> None:
    book = Book()
    first, second = SharedHistory(book), SharedHistory(book)
    for event in log[:5]:
        first.follow(event)
    second.follow(log[0])
    with pytest.raises(Broken):
        second.follow(log[2])


def test_another_history_is_found_though_another_socket_has_read_it(log: list[bytes]) -> None:
    book = Book()
    first, second = SharedHistory(book), SharedHistory(book)
    for event in log[:3]:
        first.follow(event)
    second.follow(log[0])
    second.follow(log[1])
    second.digest = "0" * 16
    with pytest.raises(Broken):
        second.follow(log[2])


def test_an_event_that_comes_twice_changes_nothing(log: list[bytes]) -> None:
    history = SharedHistory(Book())
    history.follow(log[0])
    view = history.view
    assert history.follow(log[0]) is None
    assert history.view is view
