"""A lobby's parts without its sockets and background tasks, over a Redis connection that dies when told to.

So a lobby can be killed between any two things that it does, and another one be asked to go on.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis

from services.lobby.agenda import Timing
from services.lobby.bell import Bell
from services.lobby.bot_desk import BotDesk
from services.lobby.dispute import Standing
from services.lobby.driver import Driver
from services.lobby.keeper import Keeper
from services.lobby.lobby import Lobby
from services.lobby.redis_claims import Claims
from services.lobby.redis_codes import Codes
from services.lobby.redis_gate import Gate
from services.lobby.redis_hosted import Hosted
from services.lobby.redis_pause import Pause
from services.lobby.redis_places import Places
from services.lobby.redis_scored import ScoredStreams
from services.lobby.redis_tables import Tables
from services.lobby.redis_wanted import Wanted
from services.lobby.results import Results
from services.lobby.solo_desk import SoloDesk
from services.lobby.sweep import Sweep
from services.lobby.table import PlayerId, Table, TableId
from services.lobby.usher import Usher
from services.runtime.errors import FailedPrecondition


class Killed(BaseException):
    """The process is gone. No ``except Exception`` sees it."""


class Life:
    """How many more things the process does; the last one happens, but its answer is never heard."""

    def __init__(self, things: int | None = None) -> None:
        self.left = things
        self.done = 0

    async def live(self, thing: Awaitable[Any]) -> Any:
        answer = await thing
        self.done += 1
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                raise Killed
        return answer


class DyingRedis:
    """Passes everything on to a client for as long as its process lives."""

    def __init__(self, redis: Redis, life: Life) -> None:
        self._redis = redis
        self._life = life

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._redis, name)
        if name == "pipeline":
            return lambda **options: DyingPipeline(method(**options), self._life)
        return lambda *args, **options: self._life.live(method(*args, **options))


class DyingPipeline:
    def __init__(self, pipe: Any, life: Life) -> None:
        self._pipe = pipe
        self._life = life

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pipe, name)

    async def execute(self, **options: Any) -> Any:
        return await self._life.live(self._pipe.execute(**options))


class FakeEngines:
    """The port's fake: hands by match and number, shared by all lobbies; each call is a thing that a process does."""

    def __init__(self) -> None:
        self.prepared: dict[str, tuple[str, int]] = {}
        self.dealt: list[tuple[str, str, int]] = []
        self.deals: dict[tuple[str, str, int], list[tuple[PlayerId, str]]] = {}

    def seen_by(self, life: Life) -> EnginesOf:
        return EnginesOf(self, life)


@dataclass(frozen=True)
class EnginesOf:
    engines: FakeEngines
    life: Life

    async def prepare(self, table: Table) -> str:
        return str(await self.life.live(self._prepare(table)))

    async def deal(self, table: Table) -> None:
        await self.life.live(self._deal(table))

    async def abandon(self, table: str) -> None:
        await self.life.live(self._abandon(table))

    async def freeze(self, table: str, frozen: bool) -> None:
        await self.life.live(self._freeze(table, frozen))

    async def forget(self, table: str) -> None:
        await self.life.live(self._forget(table))

    async def _prepare(self, table: Table) -> str:
        self.engines.prepared[table.id] = (table.match, table.hand + 1)
        return f"hash of {table.match} {table.hand + 1}"

    async def _deal(self, table: Table) -> None:
        hand = (table.id, table.match, table.hand)
        if self.engines.prepared.get(table.id) != hand[1:]:
            raise FailedPrecondition("NOT_PREPARED")
        asked = [(seat.player, seat.nonce) for seat in table.deal]
        # Whoever asks again asks for the very same deal.
        assert self.engines.deals.setdefault(hand, asked) == asked
        if hand not in self.engines.dealt:
            self.engines.dealt.append(hand)

    async def _abandon(self, table: str) -> None:
        pass

    async def _freeze(self, table: str, frozen: bool) -> None:
        pass

    async def _forget(self, table: str) -> None:
        self.engines.prepared.pop(table, None)


class FakeScoring:
    """The port's fake, shared by all lobbies: takes hands back, from the totals it is told to those before."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        self.voided: list[tuple[str, int]] = []

    def seen_by(self, life: Life) -> ScoringOf:
        return ScoringOf(self, life)


@dataclass(frozen=True)
class ScoringOf:
    scoring: FakeScoring
    life: Life

    async def void_hand(self, match: str, hand: int) -> Standing:
        answer = await self.life.live(self._void_hand(match, hand))
        assert isinstance(answer, Standing)
        return answer

    async def _void_hand(self, match: str, hand: int) -> Standing:
        if (match, hand) not in self.scoring.voided:
            self.scoring.voided.append((match, hand))
        return self.scoring.standing


@dataclass(frozen=True)
class Parts:
    """One lobby process."""

    lobby: Lobby
    solo: SoloDesk
    desk: BotDesk
    driver: Driver
    sweep: Sweep
    results: Results
    keeper: Keeper
    life: Life

    async def settle(self) -> None:
        """Does everything that is due, also what somebody else left undone."""
        for _ in range(50):
            await self.sweep.look()
            due = [await self.keeper.bell.next() for _ in range(len(self.keeper.bell))]
            if not any([await self._exhaust(table) for table in due]):
                return
        raise AssertionError("there is always something due")

    async def _exhaust(self, table: TableId) -> bool:
        changed = False
        while await self.driver.step(table):
            changed = True
        return changed


def parts(
    redis: Redis,
    engines: FakeEngines,
    timing: Timing,
    *,
    things: int | None = None,
    pending_ms: int = 100,
    lease_ms: int = 60_000,
    consumer: str = "one",
    scoring: FakeScoring | None = None,
) -> Parts:
    """A lobby that dies after so many things that it does (``None``: never)."""
    life = Life(things)
    client: Any = DyingRedis(redis, life)
    gate = Gate()
    keeper = Keeper(
        tables=Tables(client, gate, lease_ms),
        claims=Claims(client, gate, pending_ms, 3_600_000),
        codes=Codes(client, gate, 3_600_000),
        places=Places(client, gate),
        bell=Bell(),
        timing=timing,
        retry_ms=0,
    )
    scoring = scoring or FakeScoring(Standing((), False))
    usher, wanted, pause = Usher(keeper), Wanted(client, client, gate), Pause(client, gate)
    return Parts(
        lobby=Lobby(keeper, usher, countdown_ms=3000, pause=pause, hosted=Hosted(client, gate, 8, 3_600_000)),
        solo=SoloDesk(usher, pause),
        desk=BotDesk(usher, wanted),
        driver=Driver(keeper, engines.seen_by(life), scoring.seen_by(life), wanted),
        sweep=Sweep(keeper, every_ms=1),
        results=Results(keeper, ScoredStreams(client, client, gate, consumer), take_over_ms=0),
        keeper=keeper,
        life=life,
    )
