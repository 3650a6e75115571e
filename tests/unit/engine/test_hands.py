from __future__ import annotations

import pytest

from services.engine.hands import Hands
from services.engine.judge import Judge
from services.engine.memory_referee import MemoryReferee
from services.engine.port import Timer
from services.rules.cards import card, cards
from services.rules.deal import commitment
from services.rules.events import Asked, Called, Dealt, Ended, EndWhy, Player, Shifted, ShiftWhy, parse
from services.rules.hand import Phase
from services.rules.moves import COLUMN, Call, Choice, MoveToColumn, PlayToFoundation, Source, Turn, Vote
from services.rules.options import PRESETS, RACING_DEMON, Options
from services.rules.replay import verify
from services.runtime.errors import FailedPrecondition, InvalidArgument, NotFound
from tests.unit.engine.tables import FRESH, SECRET, command, layouts, players, started

BLOCKED = "QSKS|KD|KC|JS|9C||"


async def log(store: MemoryReferee, table: str = "t") -> list[bytes]:
    return [frame for _, frame in await store.read(table, 0, 1000)]


async def last_event(store: MemoryReferee) -> object:
    return parse((await log(store))[-1])


async def test_a_hand_is_prepared_once_with_a_secret_of_its_own() -> None:
    secrets = iter(["aa" * 32, "bb" * 32, "cc" * 32])
    hands = Hands(MemoryReferee(), lambda: next(secrets))

    first = await hands.prepare("t", match="m", hand=1, seats=2)
    again = await hands.prepare("t", match="m", hand=1, seats=2)

    assert first == again == commitment("aa" * 32)


async def test_engines_that_start_alike_never_shuffle_alike() -> None:
    """The same table, match, hand and nonces, by an engine that was started again: nothing of the deal comes back."""
    promised, layouts = set[str](), set[tuple[str, ...]]()
    for _ in range(20):
        store = MemoryReferee()
        hands = Hands(store)
        promised.add(await hands.prepare("t", match="m", hand=1, seats=2))
        await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=0)
        layouts.add(tuple(layout.encode() for layout in (await hands.state("t")).hand.layouts))

    assert len(promised) == len(layouts) == 20
    assert len({one for both in layouts for one in both}) == 40


async def test_the_deal_follows_from_the_secret_and_the_nonces_and_is_made_once() -> None:
    store = MemoryReferee()
    hands = Hands(store, lambda: SECRET)
    await hands.prepare("t", match="m", hand=1, seats=2)

    deals = [
        await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=3000)
        for _ in range(2)
    ]

    assert deals == [2, 2]
    dealt = await last_event(store)
    assert isinstance(dealt, Dealt)
    assert dealt.start_at == store.now + 3000
    assert SECRET not in b"".join(await log(store)).decode()


async def test_what_can_not_be_dealt_is_said_with_its_reason() -> None:
    store = MemoryReferee()
    hands = Hands(store)
    with pytest.raises(NotFound, match="UNKNOWN_TABLE"):
        await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=0)
    await hands.prepare("t", match="m", hand=1, seats=2)
    with pytest.raises(FailedPrecondition, match="NOT_PREPARED"):
        await hands.deal("t", match="m", hand=2, options=RACING_DEMON, players=players(2), countdown_ms=0)
    with pytest.raises(InvalidArgument, match="BAD_SEATS"):
        await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(3), countdown_ms=0)
    bad = [players(2)[0], Player("p1", "Player", bot=False, nonce="line\nbreak")]
    with pytest.raises(InvalidArgument, match="BAD_NONCE"):
        await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=bad, countdown_ms=0)
    await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=0)
    with pytest.raises(FailedPrecondition, match="HAND_RUNNING"):
        await hands.deal("t", match="m", hand=2, options=RACING_DEMON, players=players(2), countdown_ms=0)
    with pytest.raises(FailedPrecondition, match="HAND_RUNNING"):
        await hands.prepare("t", match="m", hand=2, seats=2)


async def test_nobody_moves_before_the_countdown_is_over() -> None:
    store = MemoryReferee()
    hands = Hands(store, lambda: SECRET)
    await hands.prepare("t", match="m", hand=1, seats=2)
    await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=100)
    await store.attach("t", 0, 0)

    early = await Judge(store).one(command(1, Turn(35)))
    assert not await hands.fire("t", Timer.START)
    store.now += 100
    assert await hands.fire("t", Timer.START)
    assert not await hands.fire("t", Timer.START)

    assert b"not_started" in early.frame
    assert (await hands.state("t")).hand.phase is Phase.PLAYING


async def test_a_called_hand_ends_when_its_grace_is_over() -> None:
    store = MemoryReferee()
    hands = await started(store, *layouts("|AS|2S|3S|4S|5S|", FRESH.encode()))
    judge = Judge(store)
    await judge.one(command(1, Call(), at=store.now))
    called = await last_event(store)
    assert isinstance(called, Called)

    store.now = called.closes_at - 1
    assert not await hands.fire("t", Timer.CLOSES)
    store.now += 1
    assert await hands.fire("t", Timer.CLOSES)

    ended = await last_event(store)
    assert isinstance(ended, Ended)
    assert (ended.why, ended.callers, ended.secret) == (EndWhy.CALLED, (0,), SECRET)
    assert [score.points for score in ended.scores] == [0, -2 * 5]
    assert store.finished == ["t"]


async def test_a_blocked_table_is_shifted_and_one_that_can_play_is_not() -> None:
    store = MemoryReferee()
    hands = await started(store, *layouts("QSKS|KD|KC|JS|9C|AS5D6D|", BLOCKED))
    assert not await hands.fire("t", Timer.STUCK)
    store.now += 1000
    assert not await hands.fire("t", Timer.STUCK), "the ace comes by turning"

    store = MemoryReferee()
    hands = await started(store, *layouts("QSKS|KD|KC|JS|9C|5D6DAS7D|", BLOCKED))
    store.now += 1000
    assert await hands.fire("t", Timer.STUCK)
    shifted = await last_event(store)
    assert isinstance(shifted, Shifted)
    assert shifted.why is ShiftWhy.BLOCKED


async def test_a_dead_table_ends_with_every_penalty() -> None:
    store = MemoryReferee()
    hands = await started(store, *layouts(BLOCKED, BLOCKED))
    store.now += 1000

    assert await hands.fire("t", Timer.STUCK)

    ended = await last_event(store)
    assert isinstance(ended, Ended)
    assert (ended.why, [score.points for score in ended.scores]) == (EndWhy.DEAD, [-4, -4])


async def test_all_agreeing_shifts_or_ends_the_hand() -> None:
    for choice, event in ((Choice.SHIFT, Shifted), (Choice.END, Ended)):
        store = MemoryReferee()
        hands = await started(store, FRESH, FRESH)
        judge = Judge(store)
        await judge.one(command(1, Vote(choice, 0)))
        assert not await hands.fire("t", Timer.STUCK)
        await judge.one(command(1, Vote(choice, 0), seat=1))
        assert await hands.fire("t", Timer.STUCK)
        assert isinstance(await last_event(store), event)


async def test_all_blocked_is_the_end_where_nothing_shifts() -> None:
    """With three at a time the ace never comes up, and a shift would bring it."""
    store = MemoryReferee()
    two = layouts("QSKS|KD|KC|JS|9C|5D6DAS7D|", BLOCKED)
    hands = await started(store, *two, options=Options(stuck="end"))
    store.now += 1000

    assert await hands.fire("t", Timer.STUCK)

    ended = await last_event(store)
    assert isinstance(ended, Ended)
    assert (ended.why, ended.looked) == (EndWhy.BLOCKED, (cards("5D 6D"), ()))


async def test_what_is_proven_is_told_with_its_proof_though_all_have_voted_to_end() -> None:
    for stuck, why in (("end", EndWhy.BLOCKED), ("shift", EndWhy.DEAD)):
        store = MemoryReferee()
        hands = await started(store, *layouts(BLOCKED, BLOCKED), options=Options(stuck=stuck))
        judge = Judge(store)
        for seat in (0, 1):
            await judge.one(command(1, Vote(Choice.END, 0), seat=seat))
        assert await hands.fire("t", Timer.STUCK)
        ended = await last_event(store)
        assert isinstance(ended, Ended)
        assert (ended.why, len(ended.looked)) == (why, 2)


async def test_a_dead_hand_says_which_cards_were_looked_at() -> None:
    """The proof is in the log (RD-10 e)."""
    store = MemoryReferee()
    hands = await started(store, *layouts("QSKS|KD|KC|JS|9C|5D6D7D|", BLOCKED))
    store.now += 1000

    assert await hands.fire("t", Timer.STUCK)

    ended = await last_event(store)
    assert isinstance(ended, Ended)
    assert (ended.why, ended.looked) == (EndWhy.DEAD, (cards("5D 6D 7D"), ()))


async def test_an_idle_table_is_asked_once_and_swapping_columns_delays_nothing() -> None:
    """Nobody makes progress though somebody could: 18 s later the seats are asked (RD-10)."""
    store = MemoryReferee()
    hands = await started(store, *layouts("QSKS|9D|TS|TC|KH|AS5D6D|", BLOCKED))
    judge = Judge(store)
    begun, n, here, there = store.now, 0, 0, 1
    while not isinstance(await last_event(store), Asked):
        store.now += 500
        assert store.now - begun < 30_000
        n += 1
        await judge.one(command(n, MoveToColumn(COLUMN[here], card("9D"), there)))
        here, there = there, 3 - there
        await hands.fire("t", Timer.STUCK)

    assert store.now - begun == 18_000
    assert (await hands.state("t")).hand.asked
    for _ in range(20):
        store.now += 5_000
        assert not await hands.fire("t", Timer.STUCK), "asked once"


async def test_all_agreeing_to_deal_again_makes_the_hand_void() -> None:
    store = MemoryReferee()
    hands = await started(store, FRESH, FRESH, options=Options(dispute="replay_hand"))
    judge = Judge(store)
    for seat in (0, 1):
        await judge.one(command(1, Vote(Choice.REPLAY, 0), seat=seat))

    assert await hands.fire("t", Timer.STUCK)

    ended = await last_event(store)
    assert isinstance(ended, Ended)
    assert (ended.why, ended.scores) == (EndWhy.DISPUTED, ())


async def test_rules_that_so_many_seats_can_t_play_are_not_dealt() -> None:
    store = MemoryReferee()
    hands = Hands(store)
    await hands.prepare("t", match="m", hand=1, seats=2)
    with pytest.raises(InvalidArgument, match="BAD_OPTION"):
        await hands.deal("t", match="m", hand=1, options=PRESETS["pairs"], players=players(2), countdown_ms=0)


async def test_an_absent_seat_has_no_say_but_one_that_only_just_left_its_socket_has() -> None:
    store = MemoryReferee()
    hands = await started(store, FRESH, FRESH, FRESH)
    judge = Judge(store)
    await store.detach("t", 2, 1, left=False)
    for seat in (0, 1):
        await judge.one(command(1, Vote(Choice.END, 0), seat=seat))

    store.now += 59_999
    assert not await hands.fire("t", Timer.STUCK)
    store.now += 5_000
    assert await hands.fire("t", Timer.STUCK)

    ended = await last_event(store)
    assert isinstance(ended, Ended)
    assert ended.away == (2,)


async def test_a_seat_that_a_newer_socket_has_is_not_away_when_the_older_one_goes() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)
    await store.attach("t", 0, 0)
    assert not await store.detach("t", 0, 1, left=False)
    assert await store.detach("t", 0, 9, left=False), "of a history that is lost"
    state = await store.look("t")
    assert state is not None
    assert state.away == {}
    assert await store.detach("t", 0, 2, left=False)
    assert await store.detach("t", 0, 1, left=False), "the newer one is gone too"
    assert await store.detach("nowhere", 0, 1, left=False) is None


async def test_of_a_seat_that_no_socket_had_it_is_not_known_whether_one_waits_for_it() -> None:
    store = MemoryReferee()
    await store.prepare("t", match="m", hand=1, seats=2, secret="00" * 32, commitment="c")
    assert await store.detach("t", 0, 0, left=False, socket="s") is None
    await store.attach("t", 0, 0, "s")
    assert await store.detach("t", 0, 0, left=False, socket="s")


async def test_a_socket_that_never_heard_its_epoch_is_known_by_its_name() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)
    await store.attach("t", 0, 0, "older")
    await store.attach("t", 0, 0, "newer")
    assert not await store.detach("t", 0, 0, left=False, socket="older")
    assert not await store.detach("t", 0, 0, left=False)
    assert await store.detach("t", 0, 0, left=False, socket="newer")
    assert await store.detach("t", 0, 0, left=False, socket="older"), "the newer one is gone too"
    state = await store.look("t")
    assert state is not None
    assert state.away == {0: store.now}
    await store.attach("t", 0, 0)
    assert not await store.detach("t", 0, 0, left=False, socket="newer"), "one without a name has the seat"


async def test_who_has_left_for_good_is_not_only_away() -> None:
    store = MemoryReferee()
    await started(store, FRESH, FRESH)
    assert await store.detach("t", 0, 1, left=True)
    assert await store.detach("t", 0, 1, left=False)
    assert await store.detach("t", 99, 1, left=False) is None
    state = await store.look("t")
    assert state is not None
    assert state.away == {0: 0}


async def test_a_table_where_nobody_is_present_is_left_alone() -> None:
    store = MemoryReferee()
    hands = await started(store, *layouts(BLOCKED, BLOCKED))
    for seat in (0, 1):
        await store.detach("t", seat, 1, left=True)
    store.now += 1000

    assert not await hands.fire("t", Timer.STUCK)


async def test_an_abandoned_hand_is_void_and_tells_its_secret() -> None:
    store = MemoryReferee()
    hands = Hands(store, lambda: SECRET)
    await hands.prepare("t", match="m", hand=1, seats=2)
    await hands.abandon("t")
    assert len(await log(store)) == 1, "a hand that was not dealt has nothing to give up"
    await hands.deal("t", match="m", hand=1, options=RACING_DEMON, players=players(2), countdown_ms=0)
    with pytest.raises(FailedPrecondition, match="HAND_RUNNING"):
        await hands.forget("t")

    await hands.abandon("t")
    await hands.abandon("t")

    ended = await last_event(store)
    assert isinstance(ended, Ended)
    assert (ended.why, ended.scores, ended.secret) == (EndWhy.VOID, (), SECRET)
    assert verify(await log(store)).problems == ()
    await hands.forget("t")
    with pytest.raises(NotFound):
        await hands.state("t")


async def test_a_hand_ends_though_the_last_cards_are_claimed_together() -> None:
    store = MemoryReferee()
    hands = await started(store, *layouts("AS|KS|KD|KH|KC||", "AS|KS|KD|KH|KC||"))
    judge = Judge(store)
    aces = [command(1, PlayToFoundation(Source.DEMON, card("AS")), seat=s, at=store.now) for s in (0, 1)]
    calls = [command(2, Call(), seat=s, at=store.now) for s in (0, 1)]
    for one in (*aces, *calls):
        judge.submit(one, lambda answer: None)
    await judge.drain()
    store.now += 480

    assert await hands.fire("t", Timer.CLOSES)

    ended = await last_event(store)
    assert isinstance(ended, Ended)
    assert ended.callers == (0, 1)
    assert [score.points for score in ended.scores] == [1, 1]
