"""A hand that all people at the table dispute is taken back by scoring, and the match goes on."""

from __future__ import annotations

from services.rules.options import Options
from tests.integration.lobby.fake_engine import FakeEngine
from tests.integration.lobby.fake_scoring import FakeScoring
from tests.integration.lobby.hall import BETWEEN, ENDED, PLAYING, Hall, fault, until

RULES = Options(dispute="replay_hand").to_json()


async def counted(hall: Hall, totals: list[int], winners: list[int] | None = None) -> str:
    """A table of two people whose first hand was counted; its id."""
    table = await hall.create("ada", seats=2, options_json=RULES)
    await hall.join(table.id, "bob")
    await hall.begin(table.id, ["ada", "bob"])
    await hall.score(table.id, totals, winners=winners or [])
    await hall.until_state(table.id, ENDED if winners else BETWEEN)
    return table.id


async def until_void(hall: Hall, table: str) -> None:
    async def look() -> bool:
        found = await hall.table(table)
        goes_on = found.state in (BETWEEN, PLAYING)
        return goes_on and not any(seat.dispute or seat.total for seat in found.seats)

    await until(look)


async def test_a_disputed_hand_is_void_and_dealt_again(hall: Hall, engine: FakeEngine, scoring: FakeScoring) -> None:
    table = await counted(hall, [30, -4])
    found = await hall.until_prepared(table)
    assert found.disputable
    scoring.standings[found.match] = ([0, 0], False)
    one = await hall.dispute(table, "ada")
    assert [seat.dispute for seat in one.seats] == [True, False]
    assert not [seat.dispute for seat in (await hall.dispute(table, "ada", withdraw=True)).seats if seat.dispute]
    await hall.dispute(table, "ada")
    await hall.dispute(table, "bob")
    await until_void(hall, table)
    assert (await fault(hall.dispute(table, "ada"))).reason == "NOTHING_TO_DISPUTE"
    again = await hall.begin(table, ["ada", "bob"], hand=2)
    assert (again.match, again.hand) == (found.match, 2)
    assert (await fault(hall.dispute(table, "ada"))).reason == "HAND_RUNNING"
    assert list(scoring.voided) == [(found.match, 1)]
    assert len(engine.dealt) == 2


async def test_a_match_that_was_over_goes_on(hall: Hall, scoring: FakeScoring) -> None:
    table = await counted(hall, [104, 20], winners=[0])
    scoring.standings[(await hall.table(table)).match] = ([0, 0], False)
    for player in ("bob", "ada"):
        await hall.dispute(table, player)
    await until_void(hall, table)
    assert not (await hall.table(table)).winners
    await hall.begin(table, ["ada", "bob"], hand=2)


async def test_bots_follow_the_one_person_at_the_table(hall: Hall, scoring: FakeScoring) -> None:
    table = await hall.create("ada", seats=2, bots=1, options_json=RULES)
    assert await hall.claim("w", "robot") is not None
    await hall.begin(table.id, ["ada", "robot"])
    await hall.score(table.id, [1, 2])
    scoring.standings[(await hall.until_prepared(table.id)).match] = ([0, 0], False)
    await hall.ready(table.id, "robot")
    assert not (await hall.dispute(table.id, "robot")).seats[1].dispute
    await hall.dispute(table.id, "ada")
    await until_void(hall, table.id)
    # The bot is still ready.
    await hall.begin(table.id, ["ada"], hand=2)


async def test_while_scoring_is_away_the_table_waits_and_it_is_done_once_it_is_back(
    hall: Hall, scoring: FakeScoring
) -> None:
    table = await counted(hall, [30, -4])
    scoring.standings[(await hall.until_prepared(table)).match] = ([0, 0], False)
    scoring.down = True
    for player in ("ada", "bob"):
        await hall.dispute(table, player)

    async def asked_again() -> bool:
        return scoring.calls > 2

    await until(asked_again)
    # Too late to think again, or to go on.
    for player in ("ada", "bob"):
        await hall.dispute(table, player, withdraw=True)
        await hall.ready(table, player)
    waiting = await hall.table(table)
    assert (waiting.state, waiting.hand, waiting.disputable) == (BETWEEN, 1, False)
    scoring.down, scoring.silent = False, True

    async def done_in_silence() -> bool:
        return scoring.voided.total() > 1

    await until(done_in_silence)
    scoring.silent = False
    await until_void(hall, table)
    await hall.until_dealt(table, hand=2)


async def test_a_hand_that_scoring_does_not_take_back_stands(hall: Hall, scoring: FakeScoring) -> None:
    table = await counted(hall, [30, -4])
    await hall.until_prepared(table)
    for player in ("ada", "bob"):
        await hall.dispute(table, player)

    async def dismissed() -> bool:
        return scoring.calls > 0 and not any(seat.dispute for seat in (await hall.table(table)).seats)

    await until(dismissed)
    stands = await hall.table(table)
    assert ([seat.total for seat in stands.seats], stands.disputable) == ([30, -4], False)
    await hall.begin(table, ["ada", "bob"], hand=2)


async def test_only_a_player_of_a_table_with_disputes_disputes_a_hand_that_counts(hall: Hall) -> None:
    table = await hall.create("ada", seats=2, options_json=RULES)
    assert (await fault(hall.dispute(table.id, "eve"))).reason == "NOT_SEATED"
    assert (await fault(hall.dispute(table.id, "ada"))).reason == "NOTHING_TO_DISPUTE"
    await hall.join(table.id, "bob")
    await hall.begin(table.id, ["ada", "bob"])
    await hall.score(table.id, [0, 0], counts=False)
    void = await hall.until_state(table.id, BETWEEN)
    assert not void.disputable
    assert (await fault(hall.dispute(table.id, "ada"))).reason == "NOTHING_TO_DISPUTE"
    plain = await hall.create("joe", seats=2)
    assert (await fault(hall.dispute(plain.id, "joe"))).reason == "NO_DISPUTES"


async def test_a_hand_that_was_ended_to_be_dealt_again_is_followed_by_the_next(
    hall: Hall, engine: FakeEngine, scoring: FakeScoring
) -> None:
    table = await hall.create("ada", seats=2, options_json=RULES)
    await hall.join(table.id, "bob")
    await hall.begin(table.id, ["ada", "bob"])
    await hall.score(table.id, [0, 0], counts=False)
    await hall.begin(table.id, ["ada", "bob"], hand=2)
    assert (await hall.table(table.id)).state == PLAYING
    assert len(engine.dealt) == 2
    assert scoring.calls == 0
