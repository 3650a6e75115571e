"""The life of a hand but for its commands: prepared, dealt, started, looked at when stuck, ended, given up."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from services.engine import metrics, solo, stuck
from services.engine.port import Referee, Refusal, Solo, State, Timer
from services.rules.aces_up.deal import deal as numbered
from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.options import AcesUpOptions
from services.rules.deal import commitment, decks, valid_nonce
from services.rules.events import EndWhy, Player
from services.rules.hand import Hand, Phase
from services.rules.layout import deal
from services.rules.options import OptionError
from services.rules.rulebook import Rules
from services.runtime.errors import FailedPrecondition, Fault, InvalidArgument, NotFound, Unavailable

_T = TypeVar("_T")

TRIES: Final = 20
"""How often something computed from a state is computed again because the table had moved on."""


class Hands:
    """Transitions of the system. ``new_secret`` gives 32 random bytes in hex."""

    def __init__(self, referee: Referee, new_secret: Callable[[], str] = lambda: secrets.token_hex(32)) -> None:
        self._referee = referee
        self._new_secret = new_secret
        self._searching = asyncio.Semaphore(1)

    async def prepare(self, table: str, *, match: str, hand: int, seats: int) -> str:
        """The commitment of the table's next hand; the same again if it had been prepared before."""
        secret = self._new_secret()
        return _granted(
            table,
            await self._referee.prepare(
                table, match=match, hand=hand, seats=seats, secret=secret, commitment=commitment(secret)
            ),
        )

    async def deal(
        self, table: str, *, match: str, hand: int, options: Rules, players: Sequence[Player], countdown_ms: int
    ) -> int:
        """The sequence number of the hand's ``deal`` event; the same again if it had been dealt before."""
        state = await self.state(table)
        now = state.hand
        if (now.match, now.number) == (match, hand):
            if state.dealt_seq is not None:
                return state.dealt_seq
        elif now.phase in (Phase.DEALT, Phase.PLAYING, Phase.CLOSING):
            raise _fault(table, Refusal.HAND_RUNNING)
        else:
            raise _fault(table, Refusal.NOT_PREPARED)
        if len(players) != len(now.seats):
            raise InvalidArgument("BAD_SEATS", f"{len(players)} players for {len(now.seats)} seats")
        if (len(players) == 1) is not isinstance(options, AcesUpOptions):
            raise InvalidArgument("BAD_SEATS", f"{len(players)} seats can't play that game")
        for player in players:
            if not valid_nonce(player.nonce):
                raise InvalidArgument("BAD_NONCE", "a nonce is 1 to 64 printable ASCII characters")
        if isinstance(options, AcesUpOptions):
            return await self._deal_solo(table, now, options, players[0], countdown_ms)
        try:
            options.check_seats(len(players))
        except OptionError as impossible:
            raise InvalidArgument("BAD_OPTION", impossible.why, {"option": impossible.option}) from None
        shuffled = decks(now.secret, [player.nonce for player in players], match, hand)
        return _granted(
            table,
            await self._referee.deal(
                table,
                match=match,
                hand=hand,
                options=options,
                commitment=now.commitment,
                players=players,
                layouts=[deal(deck, options.demon_of(seat)) for seat, deck in enumerate(shuffled)],
                countdown_ms=countdown_ms,
            ),
        )

    async def _deal_solo(self, table: str, now: Hand, options: AcesUpOptions, player: Player, countdown_ms: int) -> int:
        return _granted(
            table,
            await self._referee.deal_solo(
                table,
                match=now.match,
                hand=now.number,
                solo=Solo(options, numbered(options.number)),
                commitment=now.commitment,
                player=player,
                countdown_ms=countdown_ms,
            ),
        )

    async def state(self, table: str) -> State:
        """The table's state. Raises ``NotFound``."""
        state = await self._referee.look(table)
        if state is None:
            raise _fault(table, Refusal.UNKNOWN_TABLE)
        return state

    async def fire(self, table: str, timer: Timer) -> bool:
        """Does what is to be done when a timer may be due; whether anything was."""
        match timer:
            case Timer.START:
                done = await self._referee.start(table)
            case Timer.CLOSES:
                done = await self._close(table)
            case Timer.STUCK:
                done = await self._unstick(table)
        if done:
            metrics.TIMERS.labels(timer.value).inc()
            metrics.EVENTS.inc()
        return done

    async def abandon(self, table: str) -> None:
        """Ends the running hand without a score; a game of Aces Up that was touched is given up.

        Raises ``NotFound``, or ``Unavailable`` if it doesn't stand still.
        """
        for _ in range(TRIES):
            state = await self.state(table)
            if state.hand.phase in (Phase.PREPARED, Phase.OVER) or await self._end(state, solo.abandoned(state)):
                return
        raise Unavailable("BUSY", f"table {table} did not stand still")

    async def freeze(self, table: str, frozen: bool) -> None:
        """Holds the table still, or lets it go on. A table that has had no hand needs neither."""
        await self._referee.freeze(table, frozen)

    async def forget(self, table: str) -> None:
        """Deletes all that is kept of a table without a running hand, once the last one is counted."""
        refusal = await self._referee.forget(table)
        if refusal is not None:
            raise _fault(table, refusal)

    async def _close(self, table: str) -> bool:
        """The grace after the call is over (RD-11), or a game of Aces Up."""
        for _ in range(TRIES):
            state = await self._referee.look(table, Timer.CLOSES)
            if state is None:
                return False
            if await self._end(state, solo.ended(state) if state.solo else EndWhy.CALLED):
                return True
        return False

    async def _unstick(self, table: str) -> bool:
        """The look at a table without progress (RD-10). The next one is set down already."""
        state = await self._referee.look(table, Timer.STUCK)
        if state is None:
            return False
        remedy = await self._resolve(state)
        if remedy is None:
            return False
        if remedy == stuck.ASK:
            return await self._referee.ask(state)
        if isinstance(remedy, EndWhy):
            return await self._end(state, remedy)
        shifted = await self._referee.shift(state, why=remedy, away=stuck.absent(state))
        if shifted:
            metrics.SHIFTS.labels(remedy.value).inc()
        return shifted

    async def _resolve(self, state: State) -> stuck.Remedy | None:
        if not stuck.heavy(state):
            return stuck.resolve(state)
        # Commands of other tables go on meanwhile, sharing the interpreter with one search at a time.
        async with self._searching:
            return await asyncio.to_thread(stuck.resolve, state)

    async def _end(self, state: State, why: EndWhy | AcesEndWhy) -> bool:
        ended = await self._referee.end(state, why=why, away=stuck.absent(state))
        if ended:
            metrics.HANDS_ENDED.labels(why.value).inc()
        return ended


def _granted(table: str, answer: _T | Refusal) -> _T:
    if isinstance(answer, Refusal):
        raise _fault(table, answer)
    return answer


def _fault(table: str, refusal: Refusal) -> Fault:
    match refusal:
        case Refusal.UNKNOWN_TABLE:
            return NotFound(refusal, f"table {table} has no hand")
        case Refusal.UNKNOWN_SEAT:
            return NotFound(refusal, f"table {table} has no such seat")
        case Refusal.NOT_PREPARED:
            return FailedPrecondition(refusal, f"that hand of table {table} is not prepared")
        case Refusal.HAND_RUNNING:
            return FailedPrecondition(refusal, f"a hand runs at table {table}")
        case Refusal.HAND_UNCOUNTED:
            return FailedPrecondition(refusal, f"the last hand of table {table} is not counted yet")
