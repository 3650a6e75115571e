"""Games of Aces Up over the real edge, with engine, lobby and scoring behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TypeVar

import pytest

from services.client import Client, TableSession
from services.client.errors import BadRequest, Conflict, NotAllowed, NotFound, NotSignedIn, TableClosed, TooMany
from services.client.models import AcesUpGame, AcesUpStatistics, Table, TableState
from services.gateway.aces_up_advice import frame
from services.rules.aces_up.deal import daily, deal
from services.rules.aces_up.legal_moves import legal_moves
from services.rules.aces_up.moves import Action, Fill, GiveUp, Remove, Row, Undo
from services.rules.aces_up.options import LAST_NUMBER
from services.rules.aces_up.solver import Won, solve
from services.rules.aces_up.state import State
from services.rules.cards import card
from services.rules.replay import verify
from services.rules.verdict import Outcome
from tests.integration.gateway.place import Place
from tests.unit.scoring.games import LOSES, WINS, straight

pytestmark = pytest.mark.asyncio(loop_scope="session")

T = TypeVar("T")
NONE = AcesUpStatistics(played=0, won=0)


@asynccontextmanager
async def player(place: Place, name: str = "Ada") -> AsyncIterator[Client]:
    """A new player."""
    async with Client(f"http://127.0.0.1:{place.port}") as client:
        await client.guest(name)
        yield client


async def until(look: Callable[[], Awaitable[T]], right: Callable[[T], object]) -> T:
    """What ``look`` gives as soon as it is right."""
    async with asyncio.timeout(20):
        while not right(found := await look()):
            await asyncio.sleep(0.02)
    return found


def told(action: Action) -> object:
    """The action as a hint tells it."""
    return frame(action) if isinstance(action, Row | Remove | Fill) else None


async def play(client: Client, table: Table, actions: Sequence[Action]) -> TableSession:
    """These actions, all of them legal; the session that made them, which has ended."""
    async with client.table(table.id) as session:
        await session.until(lambda: session.view.game is not None and session.view.phase == "playing")
        verdicts = [session.do(action) for action in actions]
        assert {verdict.outcome for verdict in await asyncio.gather(*verdicts)} <= {Outcome.APPLIED}
    return session


async def played(client: Client, number: int, actions: Sequence[Action] | None = None, **options: bool) -> Table:
    """A game of that deal, played straight on unless the actions are given."""
    table = await client.aces_up(number, **options)
    await play(client, table, straight(number) if actions is None else actions)
    return table


async def counted(client: Client, games: int) -> Sequence[AcesUpGame]:
    """All of the player's games, once there are so many."""
    page = await until(client.aces_up_games, lambda page: len(page.games) == games)
    return page.games


async def test_a_game_is_played_counted_and_its_log_verified(place: Place) -> None:
    async with player(place) as client:
        assert await client.aces_up_statistics() == NONE
        table = await client.aces_up(WINS[0])
        assert table.options == {"game": "aces_up", "number": WINS[0], "practice": False, "auto_remove": False}
        assert (table.preset, table.teams, table.public, table.invite) == (None, (), False, "")
        await play(client, table, straight(WINS[0]))
        ended = await until(lambda: client.get_table(table.id), lambda table: table.state is TableState.ENDED)
        assert ended.winners == (0,)
        (game,) = await counted(client, 1)
        assert (game.match, game.table, game.number, game.why, game.removed) == (
            table.match,
            table.id,
            WINS[0],
            "won",
            48,
        )
        assert game.counts
        assert await client.aces_up_statistics() == AcesUpStatistics(
            played=1, won=1, win_rate=1.0, streak=1, longest_streak=1, removed=48, average=48.0, best=48
        )
        log = await client.hand_log(game.match, game.hand)
        assert verify(log).problems == ()
        # Nothing of it is a match, nor on the leaderboard.
        me = (await client.me()).player
        assert (await client.matches(me)).matches == ()
        with pytest.raises(NotFound):
            await client.match(game.match)
        assert me not in [entry.player for entry in await client.leaderboard()]


async def test_a_deal_won_again_by_playing_it_again_counts_once(place: Place) -> None:
    async with player(place) as client:
        await played(client, WINS[0])
        await counted(client, 1)
        once = await client.aces_up_statistics()
        await played(client, WINS[0])
        games = await counted(client, 2)
        assert [(game.why, game.counts) for game in games] == [("won", False), ("won", True)]
        assert await client.aces_up_statistics() == once
        assert once.win_rate == 1.0


async def test_a_restart_gives_up_a_touched_game_and_leaves_no_trace_of_an_untouched_one(place: Place) -> None:
    async with player(place) as client:
        untouched = await client.aces_up(WINS[0])
        touched = await client.aces_up(WINS[0])
        assert touched.id != untouched.id
        assert (await client.get_table(untouched.id)).state is TableState.CLOSED
        await play(client, touched, [Row(48)])
        await played(client, WINS[0])
        games = await counted(client, 2)
        assert [(game.match, game.why, game.counts) for game in games[1:]] == [(touched.match, "given_up", True)]
        assert (games[0].why, games[0].counts) == ("won", False)
        found = await client.aces_up_statistics()
        assert (found.played, found.won, found.streak) == (1, 0, 0)


async def test_a_game_that_another_one_has_ended_cannot_be_played_on(place: Place) -> None:
    async with player(place) as client:
        table = await client.aces_up(LOSES[0])
        async with client.table(table.id) as session:
            await session.until(lambda: session.view.phase == "playing")
            await session.row()
            await client.aces_up(LOSES[1])
            with pytest.raises(TableClosed):
                await session.until(lambda: False)
            with pytest.raises(TableClosed):
                await session.row()
        (game,) = await counted(client, 1)
        assert (game.why, game.number) == ("given_up", LOSES[0])


async def test_only_a_lower_card_of_a_suit_in_sight_can_be_removed(place: Place) -> None:
    """Deal 1 begins with 8D 3H AD AS, and then come QS JH JC AC."""
    async with player(place) as client:
        table = await client.aces_up(1)
        async with client.table(table.id) as session:
            await session.until(lambda: session.view.phase == "playing")
            for pile, name, why in (
                (3, "AS", "ace_stays"),
                (1, "3H", "no_higher"),
                (1, "8D", "not_there"),
                (2, "8D", "not_there"),
                (0, "AD", "not_there"),
            ):
                refused = await session.remove(pile, card(name))
                assert (refused.outcome, refused.why) == (Outcome.REFUSED, why), (pile, name)
            assert (await session.remove(0, card("8D"))).outcome is Outcome.APPLIED
            assert (await session.remove(0, card("8D"))).why == "empty_pile"
            assert (await session.fill(1, card("3H"), 2)).why == "no_gap"
            assert (await session.fill(1, card("3H"), 0)).outcome is Outcome.APPLIED
            await session.row()
            assert (await session.remove(0, card("3H"))).why == "buried"
            assert (await session.undo()).why == "no_practice"
            assert session.view.game is not None
            assert session.view.game.removed_count == 1


async def test_removals_are_looked_for_again_after_a_gap_is_filled_if_the_player_wants(place: Place) -> None:
    async with player(place) as client:
        table = await client.aces_up(4, auto_remove=True)
        async with client.table(table.id) as session:
            await session.until(lambda: session.view.phase == "playing")
            for action in (Row(48), Row(44)):
                await session.do(action)
            assert session.view.game is not None
            before = session.view.game.removed_count
            await session.fill(0, card("9S"), 3)
            assert session.view.game.removed_count == before + 2
            assert not [move for move in legal_moves(session.view.game) if isinstance(move, Remove)]


async def test_practice_counts_nowhere(place: Place) -> None:
    async with player(place) as client:
        await played(client, LOSES[0], [Row(48), Undo(), Row(48), GiveUp()], practice=True)
        (game,) = await counted(client, 1)
        assert (game.practice, game.why, game.counts) == (True, "given_up", False)
        assert await client.aces_up_statistics() == NONE


async def test_games_come_page_by_page(place: Place) -> None:
    async with player(place) as client:
        for number in (1, 2, LAST_NUMBER):
            await played(client, number, [Row(48), GiveUp()])
        await counted(client, 3)
        first = await client.aces_up_games(limit=2)
        second = await client.aces_up_games(limit=2, page_token=first.next_page_token)
        assert [game.number for game in (*first.games, *second.games)] == [LAST_NUMBER, 2, 1]
        assert second.next_page_token == ""


async def test_the_deal_of_the_day_is_the_same_for_all_and_says_how_it_went(place: Place) -> None:
    async with player(place) as ada, player(place, "Bob") as bob:
        before = datetime.now(UTC).date().isoformat()
        day = await ada.daily()
        assert day.number == daily(day.date)
        assert day.date in (before, datetime.now(UTC).date().isoformat())
        assert day.game is None
        table = await ada.aces_up(daily=True, auto_remove=True)
        assert table.options["number"] == day.number
        await play(ada, table, [Row(48), GiveUp()])
        after = await until(ada.daily, lambda day: day.game is not None)
        assert after.game is not None
        assert (after.game.why, after.game.number) == ("given_up", day.number)
        assert (await bob.daily()).game is None


async def test_without_a_number_every_game_is_another_deal(place: Place) -> None:
    async with player(place) as client:
        numbers = {(await client.aces_up()).options["number"] for _ in range(4)}
    assert len(numbers) == 4
    assert all(1 <= number <= LAST_NUMBER for number in numbers)


async def test_whoever_follows_the_hints_of_a_winnable_deal_wins_it(place: Place) -> None:
    async with player(place) as client:
        table = await client.aces_up(winnable=True)
        async with client.table(table.id) as session:
            await session.until(lambda: session.view.phase == "playing")
            assert await client.outlook(table.id) is True
            game = session.view.game
            assert game is not None
            line = solve(State(game.piles, deal(game.options.number).stock))
            assert isinstance(line, Won)
            for action in line.line:
                if isinstance(action, Row) and action.stock == 16:
                    break
                await session.do(action)
            # From here on every search is short.
            while (hint := await client.hint(table.id)).action is not None:
                assert hint.wins
                assert session.view.game is not None
                (move,) = (move for move in legal_moves(session.view.game) if told(move) == hint.action)
                assert (await session.do(move)).outcome is Outcome.APPLIED
            await session.until(lambda: session.table.state is TableState.ENDED)
            assert session.table.winners == (0,)
            assert (await client.hint(table.id)).key == "hint.not_playing"


async def test_a_game_that_cannot_be_won_any_more_goes_on_and_says_so(place: Place) -> None:
    async with player(place) as client:
        table = await client.aces_up(WINS[0])
        async with client.table(table.id) as session:
            await session.until(lambda: session.view.phase == "playing")
            for stock in range(48, 0, -4):
                await session.do(Row(stock))
            # All cards lie there, and not one was removed.
            await session.until(lambda: session.view.game is not None and session.view.game.stock_count == 0)
            assert await client.outlook(table.id) is False
            assert session.view.phase == "playing"


async def test_advice_is_for_who_plays_and_outlooks_are_for_aces_up(place: Place) -> None:
    async with player(place) as client, player(place, "Eve") as eve:
        table = await client.aces_up(1)
        for call in (eve.outlook(table.id), eve.hint(table.id)):
            with pytest.raises(NotAllowed) as refused:
                await call
            assert refused.value.code == "not_seated"
        with pytest.raises(NotFound):
            await eve.outlook("nothere")
        other = await eve.create_table(seats=2)
        with pytest.raises(Conflict) as conflict:
            await eve.outlook(other.id)
        assert conflict.value.code == "no_outlook"


async def test_many_questions_hold_nobody_up_and_are_answered_or_refused(place: Place) -> None:
    async with player(place) as client:
        table = await client.aces_up(3)
        async with client.table(table.id) as session:
            await session.until(lambda: session.view.phase == "playing")
            asked = [asyncio.create_task(client.outlook(table.id)) for _ in range(8)]
            assert (await session.row()).outcome is Outcome.APPLIED
            answers = await asyncio.gather(*asked, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, BaseException)]
    assert len(refused) < len(answers)
    assert all(isinstance(answer, TooMany) and answer.code == "too_many_questions" for answer in refused)


@pytest.mark.parametrize(
    ("wish", "status", "option"),
    [
        ({"number": 0}, 400, "number"),
        ({"number": LAST_NUMBER + 1}, 400, "number"),
        ({"number": 7, "daily": True}, 400, "number"),
        ({"number": 7, "winnable": True}, 400, "number"),
        ({"daily": True, "winnable": True}, 400, "number"),
        ({"number": True}, 422, None),
        ({"number": "7"}, 422, None),
        ({"seats": 2}, 422, None),
        ({"practice": "perhaps"}, 422, None),
    ],
)
async def test_a_game_that_cannot_be_is_refused_and_the_running_one_goes_on(
    place: Place, wish: dict[str, object], status: int, option: str | None
) -> None:
    async with player(place) as client, place.http() as http:
        table = await client.aces_up(7)
        answer = await http.post("/api/v1/aces-up", json=wish, headers={"Authorization": f"Bearer {client.token}"})
        assert (answer.status_code, answer.json().get("option")) == (status, option)
        assert (await client.get_table(table.id)).state is not TableState.CLOSED
        assert (await client.me()).table == table.id


async def test_a_player_is_at_one_table_at_a_time(place: Place) -> None:
    async with player(place) as client:
        table = await client.create_table(seats=2)
        with pytest.raises(Conflict) as refused:
            await client.aces_up(7)
        assert refused.value.code == "already_seated"
        await client.leave(table.id)
        await client.aces_up(7)
        for call in (client.create_table(seats=2), client.quick_play(2)):
            with pytest.raises(Conflict) as refused:
                await call
            assert refused.value.code == "already_seated"


async def test_options_of_aces_up_make_no_table_of_racing_demon(place: Place) -> None:
    async with player(place) as client:
        with pytest.raises(BadRequest) as refused:
            await client.create_table(options={"game": "aces_up", "number": 7})
        assert refused.value.option == "game"


async def test_who_is_not_signed_in_has_no_games(place: Place) -> None:
    async with Client(f"http://127.0.0.1:{place.port}") as nobody:
        for call in (nobody.aces_up(7), nobody.aces_up_statistics(), nobody.aces_up_games(), nobody.daily()):
            with pytest.raises(NotSignedIn):
                await call


async def test_anybody_who_knows_the_table_may_watch_and_nobody_may_sit_down(place: Place) -> None:
    async with player(place) as client, player(place, "Eve") as eve:
        table = await client.aces_up(LOSES[0])
        with pytest.raises(NotAllowed) as refused:
            await eve.join(table.id)
        assert refused.value.code == "bad_invite"
        async with eve.table(table.id, seat=False) as watched:
            await play(client, table, straight(LOSES[0]))
            await watched.until(lambda: watched.view.phase == "over")
            await watched.until(lambda: watched.table.state is TableState.ENDED)
            assert watched.view.game is not None
            assert watched.view.game.stock_count == 0
            assert watched.table.winners == ()
