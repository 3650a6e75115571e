"""Who was first, on the real script and a controlled clock. Every step is checked against the pure referee as well."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from services.engine.port import Seated, Status
from services.rules.cards import card
from services.rules.events import EndWhy, ShiftWhy
from services.rules.hand import KEPT_VERDICTS, Phase
from services.rules.layout import Layout
from services.rules.moves import (
    Call,
    Choice,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Source,
    Turn,
    Vote,
)
from services.rules.scoring import score_hand
from tests.integration.engine.mirror import Mirror, mirrored

WINDOW = 80


@pytest.fixture
async def mirror(redis_url: str) -> AsyncIterator[Mirror]:
    async with mirrored(redis_url) as one:
        yield one


def playing(*layouts: str) -> list[Layout]:
    return [Layout.decode(text) for text in layouts]


async def begin(mirror: Mirror, *layouts: str) -> None:
    await mirror.begin(playing(*layouts))
    await mirror.start()


def to(text: str, source: Source = Source.C0, foundation: int | None = None) -> PlayToFoundation:
    return PlayToFoundation(source, card(text), foundation)


RACE = ("KH|AS|3S|KD|KC|7D8D9D|", "KH|2S|3S|KD|KC|7D8D9D|", "KH|2S|3S|KD|KC|7D8D9D|")
"""Seat 0 has the ace; seats 1 and 2 both have the two and the three of spades."""


async def test_a_card_that_could_not_have_seen_the_first_one_land_stays_beside_it(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    await mirror.one(mirror.command(0, to("AS")))
    seen = mirror.hand.seq
    await mirror.one(mirror.command(1, to("2S")))
    mirror.now += WINDOW

    ruling = await mirror.one(mirror.command(2, to("2S"), seen=seen))

    assert (ruling.status, ruling.gap_ms) == (Status.TIED, WINDOW)
    assert mirror.hand.foundations[0].slots[1].seats == (1, 2)


async def test_a_rank_that_was_built_on_meanwhile_can_still_be_shared(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    await mirror.one(mirror.command(0, to("AS")))
    seen = mirror.hand.seq
    await mirror.one(mirror.command(1, to("2S")))
    await mirror.one(mirror.command(1, to("3S", Source.C1)))
    mirror.now += 20

    ruling = await mirror.one(mirror.command(2, to("2S"), seen=seen))

    assert ruling.status is Status.TIED
    assert mirror.hand.foundations[0].height == 3


async def test_a_millisecond_beyond_the_window_the_card_goes_back_where_it_was(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    await mirror.one(mirror.command(0, to("AS")))
    seen = mirror.hand.seq
    await mirror.one(mirror.command(1, to("2S")))
    mirror.now += WINDOW + 1

    ruling = await mirror.one(mirror.command(2, to("2S"), seen=seen))

    assert (ruling.status, ruling.gap_ms) == (Status.LATE, WINDOW + 1)
    assert mirror.hand.layouts[2] == playing(*RACE)[2]


async def test_who_has_seen_the_place_taken_gets_the_card_back_however_fast(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    await mirror.one(mirror.command(0, to("AS")))
    await mirror.one(mirror.command(1, to("2S")))

    ruling = await mirror.one(mirror.command(2, to("2S")))

    assert (ruling.status, ruling.gap_ms) == (Status.SEEN, 0)
    assert mirror.hand.layouts[2] == playing(*RACE)[2]


@pytest.mark.parametrize("ago", [0, 1, 400, -10_000])
@pytest.mark.parametrize("seen", [0, 4, 5])
async def test_forging_what_was_seen_gains_nothing_outside_the_window(mirror: Mirror, seen: int, ago: int) -> None:
    await begin(mirror, *RACE)
    await mirror.one(mirror.command(0, to("AS")))
    await mirror.one(mirror.command(1, to("2S")))
    mirror.now += WINDOW + 1 + max(0, ago)

    ruling = await mirror.one(mirror.command(2, to("2S"), seen=seen, ago=ago))

    assert ruling.status is not Status.TIED


async def test_no_card_is_fired_ahead_of_what_was_seen(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    seen = mirror.hand.seq
    await mirror.one(mirror.command(0, to("AS")))

    ahead = await mirror.one(mirror.command(1, to("2S"), seen=seen))
    fair = await mirror.one(mirror.command(1, to("2S")))

    assert b"unseen" in ahead.frame
    assert fair.status is Status.APPLIED


async def test_the_own_card_needs_not_have_been_seen(mirror: Mirror) -> None:
    await begin(mirror, "KH|AS|2S|KD|KC|7D8D9D|", RACE[1], RACE[2])
    seen = mirror.hand.seq
    await mirror.in_a_row(
        0, [mirror.command(0, to("AS"), seen=seen), mirror.command(0, to("2S", Source.C1), n=2, seen=seen)]
    )

    assert mirror.hand.foundations[0].height == 2


async def test_two_aces_of_one_suit_open_two_foundations(mirror: Mirror) -> None:
    await begin(mirror, RACE[0], RACE[0], RACE[1])
    await mirror.at_once([mirror.command(0, to("AS")), mirror.command(1, to("AS"))])

    assert [f.slots[0].seats for f in mirror.hand.foundations] == [(0,), (1,)]


async def test_contention_on_one_foundation_does_not_touch_another(mirror: Mirror) -> None:
    await begin(mirror, "KH|AS|AH|KD|KC|7D|", "KH|2S|2H|KD|KC|7D|", "KH|2S|2H|KD|KC|7D|")
    await mirror.in_a_row(0, [mirror.command(0, to("AS")), mirror.command(0, to("AH", Source.C1), n=2)])

    rulings = await mirror.at_once([mirror.command(1, to("2S")), mirror.command(2, to("2H", Source.C1))])

    assert [r.status for r in rulings] == [Status.APPLIED, Status.APPLIED]


async def test_tied_kings_both_score_on_a_complete_foundation(mirror: Mirror) -> None:
    spades = "AS2S3S4S5S6S7S8S9STSJSQS"
    downward = "".join(spades[i : i + 2] for i in range(len(spades) - 2, -1, -2))
    await begin(mirror, f"KH|KD|KC|QC|QD||{downward}", "KH|KS|KC|QC|QD||", "KH|KS|KC|QC|QD||")
    for i in range(12):
        await mirror.one(mirror.command(0, to(spades[2 * i : 2 * i + 2], Source.WASTE)))
    kings = [mirror.command(seat, to("KS")) for seat in (1, 2)]

    rulings = await mirror.at_once(kings)

    assert [r.status for r in rulings] == [Status.APPLIED, Status.TIED]
    assert mirror.hand.foundations[0].complete
    hand = mirror.hand
    points = [s.foundation for s in score_hand(hand.layouts, hand.foundations, hand.callers, hand.options)]
    assert points == [12, 1, 1]


async def test_after_the_call_what_was_in_motion_arrives_once_per_seat(mirror: Mirror) -> None:
    await begin(mirror, "AH|AS|KH|KD|KC|7D8D9D|", "KH|2S|3S|KD|KC|7D8D9D|", "KH|2S|3S|KD|KC|7D8D9D|")
    await mirror.one(mirror.command(0, to("AH", Source.DEMON)))
    await mirror.one(mirror.command(0, to("AS")))
    seen = mirror.hand.seq
    await mirror.one(mirror.command(0, Call()))
    mirror.now += WINDOW

    moved = await mirror.one(mirror.command(1, to("2S"), seen=seen))
    second = await mirror.one(mirror.command(1, Turn(3), seen=seen))
    callers = await mirror.one(mirror.command(0, Turn(3), seen=seen))
    knew = await mirror.one(mirror.command(2, Turn(3)))
    mirror.now += 1
    late = await mirror.one(mirror.command(2, Turn(3), seen=seen))

    assert moved.status is Status.APPLIED
    assert b"one_hand" in second.frame
    assert b"one_hand" in callers.frame
    assert b"hand_over" in knew.frame
    assert b"hand_over" in late.frame


async def test_two_calls_that_can_not_be_told_apart_are_both_credited(mirror: Mirror) -> None:
    await begin(mirror, *("AH|AS|KH|KD|KC|7D8D9D|",) * 3)
    await mirror.at_once([mirror.command(seat, to("AH", Source.DEMON)) for seat in range(3)])
    seen = mirror.hand.seq
    await mirror.one(mirror.command(0, Call()))
    mirror.now += WINDOW
    await mirror.one(mirror.command(1, Call(), seen=seen))
    mirror.now += 1

    third = await mirror.one(mirror.command(2, Call(), seen=seen))

    assert mirror.hand.callers == (0, 1)
    assert b"already_called" in third.frame
    assert not await mirror.end(EndWhy.CALLED), "the grace is not over"
    mirror.now += 400
    assert await mirror.end(EndWhy.CALLED)


async def test_a_call_behind_a_last_demon_card_that_bounced_is_void(mirror: Mirror) -> None:
    await begin(mirror, "KH|AS|KH|KD|KC|7D|", "KH|2S|KH|KD|KC|7D|", "2S|KS|KH|KD|KC|7D|")
    await mirror.one(mirror.command(0, to("AS")))
    await mirror.one(mirror.command(1, to("2S")))

    answers = await mirror.in_a_row(0, [mirror.command(2, to("2S", Source.DEMON)), mirror.command(2, Call(), n=2)])

    assert [status for status, _ in answers] == [Status.SEEN, Status.REFUSED]
    assert b"demon_not_empty" in answers[1][1]
    assert mirror.hand.phase is Phase.PLAYING


async def test_a_hand_ends_though_the_last_cards_are_claimed_together(mirror: Mirror) -> None:
    await begin(mirror, "AS|KS|KH|KD|KC||", "AS|KS|KH|KD|KC||", "KH|KS|KH|KD|KC||")
    seen = mirror.hand.seq
    for seat in (0, 1):
        await mirror.in_a_row(
            seat,
            [
                mirror.command(seat, to("AS", Source.DEMON), seen=seen),
                mirror.command(seat, Call(), n=2, seen=seen),
            ],
        )
    mirror.now += WINDOW + 400

    assert mirror.hand.callers == (0, 1)
    assert await mirror.end(EndWhy.CALLED)


async def test_a_seat_s_last_verdicts_are_kept_and_older_ones_forgotten(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    frames = []
    for n in range(1, KEPT_VERDICTS + 4):
        action = Recycle() if n % 4 == 0 else Turn((3, 0, 0)[n % 4 - 1])
        frames.append((await mirror.one(mirror.command(0, action))).frame)

    for n in (1, 2, 3):
        assert b"forgotten" in (await mirror.one(mirror.command(0, Turn(3), n=n))).frame
    for n in (4, 5, 40, KEPT_VERDICTS + 3):
        again = await mirror.one(mirror.command(0, Call(), n=n))
        assert again.frame == frames[n - 1]
    assert mirror.hand.seats[0].last_n == KEPT_VERDICTS + 3
    await mirror.attach(0)


async def test_two_plays_made_in_advance_and_a_shift_between_lose_no_card(mirror: Mirror) -> None:
    await begin(mirror, "KH|AS|KD|KC|QC|3C4C5S|", "KH|2S|KD|KC|QC|3C4C5S|", "KH|2S|KD|KC|QC|3C4C5S2C3D4D|")
    await mirror.one(mirror.command(0, to("AS")))
    await mirror.one(mirror.command(1, to("2S")))
    before = len(mirror.hand.layouts[2])
    await mirror.in_a_row(0, [mirror.command(2, Turn(6))])
    await mirror.shift(ShiftWhy.AGREED)

    answers = await mirror.in_a_row(
        0,
        [
            mirror.command(2, to("2S")),
            mirror.command(2, MoveToColumn(Source.C1, card("KD"), 0), n=3),
            mirror.command(2, Turn(6), n=4),
        ],
    )

    assert [status for status, _ in answers] == [Status.SEEN, Status.REFUSED, Status.APPLIED]
    assert len(mirror.hand.layouts[2]) == before
    await mirror.look()


async def test_a_vote_for_an_older_state_is_refused_and_progress_withdraws_all(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    await mirror.one(mirror.command(1, Vote(Choice.SHIFT, 0)))
    await mirror.one(mirror.command(0, to("AS")))

    assert mirror.hand.votes == (None, None, None)
    assert b"progress_since" in (await mirror.one(mirror.command(2, Vote(Choice.SHIFT, 0)))).frame
    await mirror.one(mirror.command(2, Vote(Choice.END, 1)))
    await mirror.one(mirror.command(2, Vote(Choice.WITHDRAW, 1)))
    await mirror.look()


async def test_a_socket_is_told_that_a_newer_one_has_its_seat_and_does_not_make_it_away(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    await mirror.attach(0)
    older, newer = mirror.hand.seats[0].epoch - 1, mirror.hand.seats[0].epoch
    referee, table = mirror.referee, mirror.table

    assert not await referee.detach(table, 0, older, left=False)
    state = await referee.look(table)
    assert state is not None
    assert 0 not in state.away
    assert await referee.detach(table, 0, newer, left=False)
    assert await referee.detach(table, 0, newer, left=False), "told twice, it is as true"
    assert await referee.detach(table, 0, older, left=False), "the newer one is gone too"
    state = await referee.look(table)
    assert state is not None
    assert state.away[0] == mirror.now
    await mirror.attach(0)
    assert not await referee.detach(table, 0, newer, left=True)
    assert await referee.detach("no such table", 0, 1, left=False) is None


async def test_a_socket_that_never_heard_its_epoch_is_known_by_its_name(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    referee, table = mirror.referee, mirror.table

    async def away() -> bool:
        state = await referee.look(table)
        assert state is not None
        return 0 in state.away

    await referee.attach(table, 0, 0, "older")
    await referee.attach(table, 0, 0, "newer")
    assert not await referee.detach(table, 0, 0, left=False, socket="older")
    assert not await referee.detach(table, 0, 0, left=False, socket="")
    assert not await away()
    assert await referee.detach(table, 0, 0, left=False, socket="newer")
    assert await away()
    assert await referee.detach(table, 0, 0, left=False, socket="older"), "the newer one is gone too"

    await referee.attach(table, 0, 0)
    assert not await referee.detach(table, 0, 0, left=False, socket="newer"), "one without a name has the seat"
    assert not await away()


async def test_of_a_seat_that_no_socket_had_it_is_not_known_whether_one_waits_for_it(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    referee, table = mirror.referee, mirror.table + "-new"
    await referee.prepare(table, match="m", hand=1, seats=2, secret="s", commitment="c")
    assert await referee.detach(table, 0, 0, left=False, socket="s") is None
    assert await referee.detach(table, 0, 7, left=False, socket="s"), "of a history that is lost"
    await referee.attach(table, 0, 0, "s")
    assert await referee.detach(table, 0, 0, left=False, socket="s")


async def test_an_epoch_that_is_known_counts_more_than_a_name(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    referee, table = mirror.referee, mirror.table
    first = await referee.attach(table, 0, 0, "s")
    await referee.attach(table, 0, 0, "s")
    assert isinstance(first, Seated)
    assert not await referee.detach(table, 0, first.epoch, left=False, socket="s"), (
        "perhaps an older release's came since"
    )


async def test_who_has_left_for_good_is_not_only_away_and_no_other_seat_ever_is(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    referee, table = mirror.referee, mirror.table
    await referee.attach(table, 0, 0, "s")
    assert await referee.detach(table, 0, 0, left=True, socket="s")
    assert await referee.detach(table, 0, 0, left=False, socket="s")
    assert await referee.detach(table, 99, 1, left=False, socket="s") is None
    state = await referee.look(table)
    assert state is not None
    assert state.away[0] == 0
    assert 99 not in state.away


async def test_a_socket_of_a_lost_history_does_not_make_the_one_that_came_after_it_away(mirror: Mirror) -> None:
    await begin(mirror, *RACE)
    await mirror.attach(0)
    referee, table = mirror.referee, mirror.table
    assert await referee.detach(table, 0, mirror.hand.seats[0].epoch + 7, left=False), "who has the seat is not known"
    state = await referee.look(table)
    assert state is not None
    assert 0 not in state.away
