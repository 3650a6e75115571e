"""The edge's REST, typed, and the door to its table sockets (docs/protocol.md).

Everything that this player may see and do: ``Client`` remembers one token. Answers are frozen models; what the edge
refuses is a :class:`Refusal` with its stable code; what could not be sent or answered is a :class:`ConnectionProblem`.
Calls are never repeated by themselves.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from urllib.parse import quote

import httpx2
import msgspec

from services.client.addresses import Addresses
from services.client.errors import ConnectionProblem, NotTheProtocol, refusal
from services.client.models import (
    AcesUpDaily,
    AcesUpGamePage,
    AcesUpStatistics,
    Guest,
    Hint,
    HouseRules,
    Invitation,
    LeaderboardEntry,
    Match,
    MatchPage,
    Me,
    Pace,
    Seated,
    Strength,
    Table,
)
from services.client.session import TableSession
from services.rules.options import RACING_DEMON, Options

_PREFIX: Final = "/api/v1"
_TIMEOUT_S: Final = 10.0
_CONNECTIONS: Final = 20
_LOST: Final = (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError)
"""The connection was closed before the answer had come."""

T = TypeVar("T")


class _Problem(msgspec.Struct):
    code: str = "unknown"
    title: str = ""
    detail: str = ""
    option: str | None = None


class _Tables(msgspec.Struct):
    tables: list[Table]


class _Leaderboard(msgspec.Struct):
    entries: list[LeaderboardEntry]


class _Outlook(msgspec.Struct):
    winnable: bool | None


class _HandLog(msgspec.Struct):
    events: list[dict[str, Any]]


class Client:
    """One player's way to the platform.

    ::

        async with Client("http://127.0.0.1:8080") as client:
            await client.guest("Ada")
            seated = await client.quick_play()
            async with client.table(seated.table.id) as table:
                ...

    Several addresses may be given, of gateways without a balancer before them: a call goes to the next one if nobody
    listens at the present one, and so does the socket of a table when its connection ends.

    Proxies of the environment are not used. Clients made by :meth:`signed_in` share this one's connections.
    """

    def __init__(
        self,
        base_url: str | Sequence[str],
        token: str | None = None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """``transport`` replaces the network under REST, for tests of programs that use this class."""
        urls = [base_url] if isinstance(base_url, str) else list(base_url)
        self._addresses = Addresses([url.rstrip("/") for url in urls])
        self.token = token
        """The session; None: nobody is signed in."""
        secure = any(url.startswith("https:") for url in urls)
        self._http = httpx2.AsyncClient(
            timeout=_TIMEOUT_S,
            trust_env=False,
            verify=ssl.create_default_context() if secure else False,
            limits=httpx2.Limits(max_connections=_CONNECTIONS),
            transport=transport,
        )

    def signed_in(self, token: str) -> Client:
        """The same edge for another player. Its connections end with this client's."""
        other = object.__new__(Client)
        other._addresses, other._http, other.token = self._addresses, self._http, token
        return other

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the REST connections; table sessions are left on their own."""
        await self._http.aclose()

    # Who

    async def guest(self, name: str) -> Guest:
        """Makes a guest and signs this client in as it."""
        guest = await self._call(Guest, "POST", "/guests", {"name": name})
        self.token = guest.token
        return guest

    async def me(self) -> Me:
        """Who is signed in, and where they sit."""
        return await self._call(Me, "GET", "/me")

    async def delete_me(self) -> None:
        """Deletes the player for good: the seat, the name in all results, the figures, the session."""
        await self._send("DELETE", "/me")

    # Tables

    async def options(self) -> HouseRules:
        """Every house rule and every preset that a table can have."""
        return await self._call(HouseRules, "GET", "/options")

    async def create_table(
        self,
        *,
        seats: int = 4,
        public: bool = True,
        options: Options | Mapping[str, Any] = RACING_DEMON,
        host_plays: bool = True,
        bots: int = 0,
        strength: Strength = Strength.MEDIUM,
        pace: Pace = Pace.HUMAN,
    ) -> Table:
        """A new table, this player being its host.

        ``options`` may be a mapping of those that differ from the default or from those of its ``preset``:
        ``{"preset": "nerts", "target": 50}``. Raises :class:`BadRequest` with the ``option`` that can't be.
        """
        wish = {
            "seats": seats,
            "public": public,
            "options": json.loads(options.to_json()) if isinstance(options, Options) else dict(options),
            "host_plays": host_plays,
            "bots": bots,
            "strength": strength.value,
            "pace": pace.value,
        }
        return await self._call(Table, "POST", "/tables", wish)

    async def tables(self) -> list[Table]:
        """Public tables, newest first."""
        return (await self._call(_Tables, "GET", "/tables")).tables

    async def get_table(self, table: str) -> Table:
        """One table."""
        return await self._call(Table, "GET", _path("tables", table))

    async def join(self, table: str, invite: str = "") -> Seated:
        """Takes a seat; again: the same seat."""
        return await self._call(Seated, "POST", _path("tables", table, "join"), {"invite": invite})

    async def find(self, code: str) -> Invitation:
        """The table that has a short code, as it was told or typed.

        Raises :class:`NotFound` ``unknown_code``, and :class:`TooMany` after many wrong ones.
        """
        return await self._call(Invitation, "GET", _path("codes", code))

    async def join_by_code(self, code: str) -> Seated:
        """Takes a seat at the table that has the code."""
        found = await self.find(code)
        return await self.join(found.table, found.invite)

    async def leave(self, table: str) -> Table:
        """Gives the seat up."""
        return await self._call(Table, "POST", _path("tables", table, "leave"))

    async def quick_play(self, seats: int = 4) -> Seated:
        """A seat at a waiting public table, or at a new one."""
        return await self._call(Seated, "POST", "/quick-play", {"seats": seats})

    async def hint(self, table: str) -> Hint:
        """What this player's seat could do now. Who holds the table's view needs no call: ``rules.advice.hint``."""
        return await self._call(Hint, "GET", _path("tables", table, "hint"))

    async def add_bot(self, table: str, strength: Strength = Strength.MEDIUM, pace: Pace = Pace.HUMAN) -> Seated:
        """Asks for a bot in a free seat (the host, before the match)."""
        wish = {"strength": strength.value, "pace": pace.value}
        return await self._call(Seated, "POST", _path("tables", table, "bots"), wish)

    async def remove_bot(self, table: str, seat: int) -> Table:
        """Sends a bot away (the host, before the match)."""
        return await self._call(Table, "DELETE", _path("tables", table, "bots", str(seat)))

    async def remove_player(self, table: str, seat: int) -> Table:
        """Sends another player away, who can't come back to this table (the host, before the match)."""
        return await self._call(Table, "DELETE", _path("tables", table, "players", str(seat)))

    async def rematch(self, table: str) -> Table:
        """Asks for another match at the same table."""
        return await self._call(Table, "POST", _path("tables", table, "rematch"))

    async def dispute(self, table: str, *, withdraw: bool = False) -> Table:
        """Asks to have the last hand void and dealt again, or takes that back. It is done once all people have asked.

        Raises :class:`Conflict`: ``no_disputes``, ``nothing_to_dispute``, ``hand_running``, ``player_left``.
        """
        return await self._call(Table, "POST", _path("tables", table, "dispute"), {"withdraw": withdraw})

    async def close_table(self, table: str) -> None:
        """Ends the table (the host)."""
        await self._send("DELETE", _path("tables", table))

    def table(self, table: str, *, seat: bool = True, patience_s: float = 60.0) -> TableSession:
        """The table's socket: in the player's own seat, or watching. Attaches when entered with ``async with``."""
        path = _PREFIX + _path("tables", table, "socket")
        urls = ["ws" + url.removeprefix("http") + path for url in self._addresses.in_order()]
        return TableSession(urls, self.token, seat=seat, patience_s=patience_s)

    # Aces Up

    async def aces_up(
        self,
        number: int | None = None,
        *,
        daily: bool = False,
        winnable: bool = False,
        practice: bool = False,
        auto_remove: bool = False,
    ) -> Table:
        """Begins a game of Aces Up: of that deal, of the day's, of one that can be won, or of any.

        Ends the game that this player has. Raises :class:`BadRequest` with the ``option`` that can't be,
        :class:`Conflict` ``already_seated``.
        """
        wish = {
            "number": number,
            "daily": daily,
            "winnable": winnable,
            "practice": practice,
            "auto_remove": auto_remove,
        }
        return await self._call(Table, "POST", "/aces-up", wish)

    async def outlook(self, table: str) -> bool | None:
        """Whether this player's game at the table can still be won; None if that can't be told in time.

        Who holds the state needs no call: ``rules.aces_up.solver``. Raises :class:`Conflict` ``no_outlook``.
        """
        return (await self._call(_Outlook, "GET", _path("tables", table, "outlook"))).winnable

    async def aces_up_statistics(self) -> AcesUpStatistics:
        """This player's figures: of each deal the first attempt counts, practice aside."""
        return await self._call(AcesUpStatistics, "GET", "/aces-up/statistics")

    async def aces_up_games(self, *, limit: int = 20, page_token: str = "") -> AcesUpGamePage:
        """This player's games, newest first; without deals that were not touched."""
        wish = {"limit": str(limit), "page_token": page_token}
        return await self._call(AcesUpGamePage, "GET", "/aces-up/games", params={k: v for k, v in wish.items() if v})

    async def daily(self) -> AcesUpDaily:
        """The deal of the day."""
        return await self._call(AcesUpDaily, "GET", "/aces-up/daily")

    # History

    async def matches(self, player: str = "", *, limit: int = 20, page_token: str = "") -> MatchPage:
        """Matches, newest first, of one player or of all; without their hands."""
        wish = {"player": player, "limit": str(limit), "page_token": page_token}
        return await self._call(MatchPage, "GET", "/matches", params={k: v for k, v in wish.items() if v})

    async def match(self, match: str) -> Match:
        """A match with the sheet of every hand."""
        return await self._call(Match, "GET", _path("matches", match))

    async def hand_log(self, match: str, hand: int) -> list[bytes]:
        """The hand's log, event by event, as it was published: what ``services.rules.replay.verify`` takes."""
        log = await self._call(_HandLog, "GET", _path("matches", match, "hands", str(hand)))
        return [json.dumps(event, separators=(",", ":")).encode() for event in log.events]

    async def leaderboard(self) -> list[LeaderboardEntry]:
        """Players by matches won, then by average points of a hand."""
        return (await self._call(_Leaderboard, "GET", "/leaderboard")).entries

    # Within

    async def _call(
        self, kind: type[T], method: str, path: str, body: object = None, *, params: dict[str, str] | None = None
    ) -> T:
        content = await self._send(method, path, body, params)
        try:
            return msgspec.json.decode(content, type=kind)
        except msgspec.DecodeError as wrong:
            raise NotTheProtocol(f"{method} {path}: {wrong}") from None

    async def _send(self, method: str, path: str, body: object = None, params: dict[str, str] | None = None) -> bytes:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        left = len(self._addresses)
        repeatable = method == "GET"
        while True:
            address = self._addresses.present
            url = address + _PREFIX + path
            try:
                response = await self._http.request(method, url, json=body, params=params, headers=headers)
                break
            except httpx2.TransportError as error:
                left -= 1
                if self._addresses.present == address:
                    self._addresses.turn()
                if repeatable and isinstance(error, _LOST):
                    repeatable = False  # once: a connection that was kept may have been closed as this was sent
                # Nothing was sent where nobody listens: only then is it the first time at the next address, too.
                elif not left or not isinstance(error, httpx2.ConnectError):
                    raise ConnectionProblem(f"{method} {path}: {error or type(error).__name__}") from error
        if response.is_success:
            return response.content
        try:
            problem = msgspec.json.decode(response.content, type=_Problem)
        except msgspec.DecodeError:
            problem = _Problem()
        raise refusal(response.status_code, problem.code, problem.detail or problem.title, problem.option)


def _path(*parts: str) -> str:
    return "/" + "/".join(quote(part, safe="") for part in parts)
