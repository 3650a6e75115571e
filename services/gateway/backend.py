"""What the edge asks of engine, lobby and scoring, by gRPC. Every call has a deadline; what fails is a ``Fault``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from grpc_health.v1 import health_pb2, health_pb2_grpc
from pandemonium.engine.v1 import engine_pb2, engine_pb2_grpc
from pandemonium.lobby.v1 import lobby_pb2, lobby_pb2_grpc
from pandemonium.scoring.v1 import scoring_pb2, scoring_pb2_grpc

from services.gateway import convert, models
from services.gateway.commands import Attached, Command, Snapshot, Verdict
from services.gateway.redis_sessions import Player
from services.gateway.table_view import TableView
from services.rules.aces_up.options import AcesUpOptions
from services.runtime import tracing
from services.runtime.channels import TwoWay, answer_of, channel, connected
from services.runtime.errors import Fault, Unavailable
from services.runtime.tls import Tls

DEADLINE_SECONDS: Final = 3.0
CONNECT_SECONDS: Final = 2.0

T = TypeVar("T")


class EngineStream:
    """One open PlayStream."""

    def __init__(self, stream: TwoWay) -> None:
        self._stream = stream

    async def write(self, commands: Sequence[Command]) -> None:
        """Sends one batch."""
        request = engine_pb2.PlayStreamRequest(packed=convert.packed(commands))
        if tracing.share:
            request.traces.extend(convert.traces(commands))
        await self._stream.write(request)

    async def read(self) -> Sequence[Verdict]:
        """The next verdicts."""
        return convert.verdicts(await self._stream.read())

    def cancel(self) -> None:
        """Ends it at once."""
        self._stream.cancel()


class Engine:
    """One engine."""

    def __init__(self, address: str, tls: Tls | None = None) -> None:
        self._channel = channel(address, DEADLINE_SECONDS, tls)
        self._stub = engine_pb2_grpc.EngineServiceStub(self._channel)
        self._health: Any = health_pb2_grpc.HealthStub(self._channel)

    async def open(self) -> EngineStream:
        """Connects and opens a stream of commands. Raises ``Unavailable``, also if the engine drains."""
        await connected(self._channel, CONNECT_SECONDS, "the engine cannot be reached")
        # A stream tells only by its first answer whether it was taken, and by then commands would be on it.
        asked = health_pb2.HealthCheckRequest()
        if (await answer_of(self._health.Check(asked))).status != health_pb2.HealthCheckResponse.SERVING:
            raise Unavailable("UNAVAILABLE", "the engine takes no streams")
        return EngineStream(TwoWay(self._stub.PlayStream(), "the engine"))

    async def attach(self, table: str, seat: int, after_n: int, socket: str) -> Attached:
        """Takes a seat for a new socket, which has this name."""
        request = engine_pb2.AttachRequest(table=table, seat=seat, after_n=after_n, socket=socket)
        return convert.attached(await answer_of(self._stub.Attach(request)))

    async def detach(self, table: str, seat: int, epoch: int, socket: str) -> bool:
        """Says that the socket of this name, and epoch if known, is gone. False: a newer one has the seat."""
        request = engine_pb2.DetachRequest(table=table, seat=seat, epoch=epoch, socket=socket)
        return not (await answer_of(self._stub.Detach(request))).taken_over

    async def snapshot(self, table: str) -> Snapshot:
        """The table's public state."""
        return convert.snapshot(await answer_of(self._stub.Snapshot(engine_pb2.SnapshotRequest(table=table))))

    async def close(self) -> None:
        """Ends the connection."""
        await self._channel.close()


class Engines:
    """All engines: any of them answers for any table, so a call goes to the next one if one can't be reached."""

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._engines = list(engines)

    async def attach(self, table: str, seat: int, after_n: int, socket: str) -> Attached:
        """Takes a seat for a new socket, which has this name."""
        return await self._any(lambda engine: engine.attach(table, seat, after_n, socket))

    async def detach(self, table: str, seat: int, epoch: int, socket: str) -> bool:
        """Says that the socket of this name, and epoch if known, is gone. False: a newer one has the seat."""
        return await self._any(lambda engine: engine.detach(table, seat, epoch, socket))

    async def snapshot(self, table: str) -> Snapshot:
        """The table's public state."""
        return await self._any(lambda engine: engine.snapshot(table))

    async def _any(self, call: Callable[[Engine], Awaitable[T]]) -> T:
        last: Fault = Unavailable("UNAVAILABLE", "no engine")
        for engine in tuple(self._engines):
            try:
                return await call(engine)
            except Unavailable as fault:
                last = fault
                # The next call starts with an engine that may be there.
                if self._engines[0] is engine:
                    self._engines.append(self._engines.pop(0))
        raise last


class Lobby:
    """The lobby."""

    def __init__(self, address: str, tls: Tls | None = None) -> None:
        self._channel = channel(address, DEADLINE_SECONDS, tls)
        self._stub = lobby_pb2_grpc.LobbyServiceStub(self._channel)

    async def view(self, table: str, player: str, known: int = 0) -> TableView:
        """A table, for its sockets; ``known``: the newest version of it that was seen here."""
        return TableView(await self.table(table, player, known), player)

    async def table(self, table: str, player: str, known: int = 0) -> models.Table:
        """A table, as ``player`` may see it, in a version that is not below ``known``."""
        request = lobby_pb2.GetTableRequest(table=table, player=player, known_version=known)
        return convert.table((await answer_of(self._stub.GetTable(request))).table)

    async def find(self, code: str) -> models.Invitation:
        """The table that has a code."""
        found = await answer_of(self._stub.FindTable(lobby_pb2.FindTableRequest(code=code)))
        return models.Invitation(table=found.table, invite=found.invite)

    async def tables(self, limit: int) -> list[models.Table]:
        """Public tables, newest first."""
        response = await answer_of(self._stub.ListTables(lobby_pb2.ListTablesRequest(limit=limit)))
        return [convert.table(table) for table in response.tables]

    async def create(self, player: Player, wish: models.TableRequest) -> models.Table:
        """Creates a table."""
        request = lobby_pb2.CreateTableRequest(
            player=player.id,
            name=player.name,
            seats=wish.seats,
            public=wish.public,
            options_json=convert.options_json(wish.options),
            host_plays=wish.host_plays,
            bots=wish.bots,
            strength=convert.strength(wish.strength),
            pace=convert.pace(wish.pace),
        )
        return convert.table((await answer_of(self._stub.CreateTable(request))).table)

    async def join(self, table: str, player: Player, invite: str) -> models.SeatTaken:
        """Takes a seat."""
        request = lobby_pb2.JoinRequest(table=table, player=player.id, name=player.name, invite=invite)
        return _seat_taken(await answer_of(self._stub.Join(request)))

    async def leave(self, table: str, player: str) -> models.Table:
        """Gives the seat up."""
        request = lobby_pb2.LeaveRequest(table=table, player=player)
        return convert.table((await answer_of(self._stub.Leave(request))).table)

    async def quick_play(self, player: Player, seats: int) -> models.SeatTaken:
        """A seat somewhere."""
        request = lobby_pb2.QuickPlayRequest(player=player.id, name=player.name, seats=seats)
        return _seat_taken(await answer_of(self._stub.QuickPlay(request)))

    async def play_aces_up(self, player: Player, options: AcesUpOptions) -> models.Table:
        """A game of Aces Up at a table of its own."""
        request = lobby_pb2.PlayAcesUpRequest(player=player.id, name=player.name, options_json=options.to_json())
        return convert.table((await answer_of(self._stub.PlayAcesUp(request))).table)

    async def ready(self, table: str, player: str, ready: bool, nonce: str) -> None:
        """Readiness for the next hand."""
        request = lobby_pb2.SetReadyRequest(table=table, player=player, ready=ready, nonce=nonce)
        await answer_of(self._stub.SetReady(request))

    async def add_bot(self, table: str, player: str, wish: models.BotRequest) -> models.SeatTaken:
        """A bot for a free seat."""
        request = lobby_pb2.AddBotRequest(
            table=table, player=player, strength=convert.strength(wish.strength), pace=convert.pace(wish.pace)
        )
        return _seat_taken(await answer_of(self._stub.AddBot(request)))

    async def remove_bot(self, table: str, player: str, seat: int) -> models.Table:
        """Sends a bot away."""
        request = lobby_pb2.RemoveBotRequest(table=table, player=player, seat=seat)
        return convert.table((await answer_of(self._stub.RemoveBot(request))).table)

    async def remove_player(self, table: str, player: str, seat: int) -> models.Table:
        """Sends another player away."""
        request = lobby_pb2.RemovePlayerRequest(table=table, player=player, seat=seat)
        return convert.table((await answer_of(self._stub.RemovePlayer(request))).table)

    async def rematch(self, table: str, player: str) -> models.Table:
        """Another match at the same table."""
        request = lobby_pb2.RematchRequest(table=table, player=player)
        return convert.table((await answer_of(self._stub.Rematch(request))).table)

    async def dispute(self, table: str, player: str, withdraw: bool) -> models.Table:
        """Has the last hand dealt again, if all want it."""
        request = lobby_pb2.DisputeRequest(table=table, player=player, withdraw=withdraw)
        return convert.table((await answer_of(self._stub.Dispute(request))).table)

    async def close_table(self, table: str, player: str) -> None:
        """Ends the table."""
        await answer_of(self._stub.CloseTable(lobby_pb2.CloseTableRequest(table=table, player=player)))

    async def present(self, table: str, player: str, present: bool, socket: str) -> None:
        """A seat's socket came or went; ``socket``: its name, or empty if its engine knows the newest."""
        request = lobby_pb2.SetPresenceRequest(table=table, player=player, present=present, socket=socket)
        await answer_of(self._stub.SetPresence(request))

    async def close(self) -> None:
        """Ends the connection."""
        await self._channel.close()


class Scoring:
    """Scoring."""

    def __init__(self, address: str, tls: Tls | None = None) -> None:
        self._channel = channel(address, DEADLINE_SECONDS, tls)
        self._stub = scoring_pb2_grpc.ScoringServiceStub(self._channel)

    async def match(self, match: str) -> models.Match:
        """A match with the sheet of every hand."""
        return convert.match((await answer_of(self._stub.GetMatch(scoring_pb2.GetMatchRequest(match=match)))).match)

    async def hand(self, match: str, hand: int) -> Sequence[bytes]:
        """A hand's full log."""
        response = await answer_of(self._stub.GetHand(scoring_pb2.GetHandRequest(match=match, hand=hand)))
        return tuple(response.events)

    async def matches(self, player: str, limit: int, page_token: str) -> models.Matches:
        """Matches, newest first."""
        request = scoring_pb2.ListMatchesRequest(player=player, limit=limit, page_token=page_token)
        response = await answer_of(self._stub.ListMatches(request))
        return models.Matches(
            matches=[convert.match(match) for match in response.matches], next_page_token=response.next_page_token
        )

    async def leaderboard(self, limit: int) -> models.Leaderboard:
        """Players by matches won."""
        request = scoring_pb2.LeaderboardRequest(limit=limit)
        return convert.leaderboard(await answer_of(self._stub.Leaderboard(request)))

    async def forget(self, player: str) -> None:
        """Deletes a player."""
        await answer_of(self._stub.ForgetPlayer(scoring_pb2.ForgetPlayerRequest(player=player)))

    async def aces_up_games(self, player: str, limit: int, page_token: str) -> models.AcesUpGames:
        """A player's games of Aces Up, newest first."""
        request = scoring_pb2.ListAcesUpGamesRequest(player=player, limit=limit, page_token=page_token)
        response = await answer_of(self._stub.ListAcesUpGames(request))
        games = [convert.aces_up_game(game) for game in response.games]
        return models.AcesUpGames(games=games, next_page_token=response.next_page_token)

    async def aces_up_attempt(self, player: str, number: int) -> models.AcesUpGame | None:
        """The player's game of a deal that counts."""
        request = scoring_pb2.GetAcesUpAttemptRequest(player=player, number=number)
        response = await answer_of(self._stub.GetAcesUpAttempt(request))
        return convert.aces_up_game(response.game) if response.HasField("game") else None

    async def aces_up_statistics(self, player: str) -> models.AcesUpStatistics:
        """A player's figures in Aces Up."""
        request = scoring_pb2.GetAcesUpStatisticsRequest(player=player)
        return convert.aces_up_statistics(await answer_of(self._stub.GetAcesUpStatistics(request)))

    async def close(self) -> None:
        """Ends the connection."""
        await self._channel.close()


@asynccontextmanager
async def closing(part: Engine | Lobby | Scoring) -> AsyncIterator[None]:
    """Closes the part's connection at the end."""
    try:
        yield
    finally:
        await part.close()


def _seat_taken(
    response: lobby_pb2.JoinResponse | lobby_pb2.QuickPlayResponse | lobby_pb2.AddBotResponse,
) -> models.SeatTaken:
    return models.SeatTaken(table=convert.table(response.table), seat=response.seat)
