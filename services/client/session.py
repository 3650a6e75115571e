"""A seat (or a watcher) at a table, over as many connections as it takes.

The thin shell around :class:`services.client.protocol.TableProtocol`: it carries effects out and turns tickets into
futures. What is decided is decided there; connections are kept up by :class:`services.client.link.Link`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Self
from weakref import WeakSet

from services.client import frames
from services.client.errors import ClientError, Left, NotTheProtocol, Watching
from services.client.feed import Feed
from services.client.link import Link
from services.client.models import Emote, Table
from services.client.protocol import Complained, Effect, Failed, Happened, Reconnect, Said, Send, Settled, TableProtocol
from services.rules.aces_up import moves as aces_up
from services.rules.cards import Card
from services.rules.events import Event
from services.rules.moves import Call, Choice, MoveToColumn, PlayToFoundation, Recycle, Source, Turn, Vote
from services.rules.rulebook import AnyAction
from services.rules.verdict import Verdict
from services.rules.view import TableView

_log = logging.getLogger(__name__)


class TableSession:
    """A table's socket: ``async with client.table(table_id) as table``.

    ``view`` is what there is to see, kept up to date by events. Commands are on their way when the method returns, and
    give a future :class:`Verdict`; when it is there, the view contains what came of the command, whichever of verdict
    and event arrived first. A lost connection is resumed by itself, and unanswered commands are sent again under their
    numbers. A command fails with :class:`SetBack` if its history was lost, and with whatever ended the session.

    Of several addresses in ``url`` each connection goes to the next one. ``patience_s`` is how long the edge may be out
    of reach before the session ends with :class:`ConnectionProblem`.
    """

    def __init__(self, url: str | Sequence[str], token: str | None, *, seat: bool, patience_s: float = 60.0) -> None:
        self._wants_seat = seat
        self._protocol = TableProtocol(seat=seat)
        self._link = Link(url, token, self, patience_s=patience_s)
        self._keeper: asyncio.Task[None] | None = None
        self._verdicts: dict[int, asyncio.Future[Verdict]] = {}
        self._waiters: list[asyncio.Future[None]] = []
        self._feeds: WeakSet[Feed[Event]] = WeakSet()
        self._listeners: WeakSet[Feed[Said]] = WeakSet()
        self.ended: ClientError | None = None
        """Why the session is over; None while it isn't."""

    # What there is to see

    @property
    def view(self) -> TableView:
        """What there is to see of the present hand; empty before the table's first."""
        return self._protocol.view

    @property
    def table(self) -> Table:
        """Seats, readiness, totals: the table as the lobby knows it. Raises RuntimeError before the first welcome."""
        if self._protocol.table is None:
            raise RuntimeError("not attached yet: enter the session with 'async with'")
        return self._protocol.table

    @property
    def seat(self) -> int | None:
        """This session's seat; None: it watches."""
        return self._protocol.seat

    @property
    def seq(self) -> int:
        """The last event applied."""
        return self._protocol.seq

    @property
    def attached(self) -> bool:
        """Whether a connection is up and the edge has welcomed it."""
        return self._protocol.attached

    @property
    def paused(self) -> bool:
        """Whether the edge said that the log can't be reached. Commands are kept meanwhile."""
        return self._protocol.paused

    @property
    def unanswered(self) -> int:
        """How many commands have no verdict yet."""
        return self._protocol.unanswered

    @property
    def rtt_ms(self) -> float | None:
        """The round trip that the edge last measured."""
        return self._protocol.rtt_ms

    @property
    def watchers(self) -> int:
        """How many watch the table, this session too if it does."""
        return self._protocol.watchers

    @property
    def notice(self) -> Mapping[str, str]:
        """What the operators tell all players, by language; empty: nothing."""
        return self._protocol.notice.texts if self._protocol.notice else {}

    # Commands

    def play(self, source: Source, card: Card, to: int | None = None) -> asyncio.Future[Verdict]:
        """A card to foundation ``to``, or to any that takes it (RD-7)."""
        return self.do(PlayToFoundation(source, card, to))

    def move(self, source: Source, card: Card, column: int) -> asyncio.Future[Verdict]:
        """A card, or the tail that begins with it, to a column (RD-4, RD-5)."""
        return self.do(MoveToColumn(source, card, column))

    def turn(self) -> asyncio.Future[Verdict]:
        """The next packet of the stock (RD-9)."""
        seats, seat = self.view.seats, self.seat
        return self.do(Turn(seats[seat].stock_count if seats and seat is not None else 0))

    def recycle(self) -> asyncio.Future[Verdict]:
        """The waste turned over (RD-9)."""
        return self.do(Recycle())

    def call(self) -> asyncio.Future[Verdict]:
        """Calls "Demon!" (RD-11)."""
        return self.do(Call())

    def vote(self, choice: Choice) -> asyncio.Future[Verdict]:
        """Consent when stuck, for the progress that the view shows (RD-10)."""
        return self.do(Vote(choice, self.view.progress))

    # Aces Up

    def row(self) -> asyncio.Future[Verdict]:
        """Four cards, one on every pile (AU-4)."""
        game = self.view.game
        return self.do(aces_up.Row(game.stock_count if game else 0))

    def remove(self, pile: int, card: Card) -> asyncio.Future[Verdict]:
        """The top card of a pile out of the game (AU-2)."""
        return self.do(aces_up.Remove(pile, card))

    def fill(self, source: int, card: Card, to: int) -> asyncio.Future[Verdict]:
        """The top card of pile ``source`` into the gap ``to`` (AU-3)."""
        return self.do(aces_up.Fill(source, card, to))

    def undo(self) -> asyncio.Future[Verdict]:
        """The last step back, in practice."""
        return self.do(aces_up.Undo())

    def redo(self) -> asyncio.Future[Verdict]:
        """A step that was taken back, again."""
        return self.do(aces_up.Redo())

    def give_up(self) -> asyncio.Future[Verdict]:
        """Ends the game as it is."""
        return self.do(aces_up.GiveUp())

    def do(self, action: AnyAction) -> asyncio.Future[Verdict]:
        """Any action. Raises :class:`Watching` without a seat, and what ended the session."""
        if self.ended is not None:
            raise self.ended
        if not self._wants_seat:
            raise Watching("a session with seat=False has no commands")
        future: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        future.add_done_callback(_retrieved)
        ticket, effects = self._protocol.submit(action)
        self._verdicts[ticket] = future
        self._carry_out(effects)
        return future

    async def ready(self, nonce: str | None = None, *, is_ready: bool = True) -> None:
        """Ready for the next hand; the table shows when that took effect. Waits for a connection.

        ``nonce`` (1 to 64 printable ASCII characters) is this player's share in the shuffle; None makes one.
        """
        await self.until(lambda: self.attached)
        self._link.send(frames.ready(is_ready, nonce or secrets.token_hex(16)))

    async def emote(self, emote: Emote) -> None:
        """Says a word to everyone at the table. Waits for a connection; what the edge refuses (too many) is logged."""
        await self.until(lambda: self.attached)
        self._link.send(frames.emote(emote))

    # Waiting

    def __aiter__(self) -> Feed[Event]:
        """The events from now on. After a resume that needed a snapshot their ``seq`` jumps."""
        feed: Feed[Event] = Feed()
        if self.ended is not None:
            feed.end(self.ended)
        self._feeds.add(feed)
        return feed

    def emotes(self) -> Feed[Said]:
        """The emotes of all seats from now on. Those sent while the connection is down are missed."""
        feed: Feed[Said] = Feed()
        if self.ended is not None:
            feed.end(self.ended)
        self._listeners.add(feed)
        return feed

    async def changed(self) -> None:
        """Waits until anything has changed: view, table, connection. Raises what ended the session."""
        if self.ended is not None:
            raise self.ended
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        await waiter
        if self.ended is not None:
            raise self.ended

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until ``condition`` holds; it is looked at after each change. Raises what ended the session."""
        while not condition():
            await self.changed()

    # Life

    async def __aenter__(self) -> Self:
        """Attached. Raises :class:`SessionEnded` or :class:`ConnectionProblem`."""
        self._keeper = asyncio.create_task(self._keep_connected(), name="table session")
        try:
            await self.until(lambda: self.attached)
        except BaseException:
            await self._leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._leave()

    # What the link tells

    def opened(self) -> None:
        """A new connection is open."""
        self._carry_out(self._protocol.attach())

    def received(self, frame: bytes) -> None:
        """A frame has come."""
        try:
            effects = self._protocol.received(frame)
        except NotTheProtocol as error:
            self._end(error)
            self._link.drop()
            return
        self._carry_out(effects)
        self._wake()

    def lost(self) -> bool:
        """The connection is gone; whether it had been welcomed."""
        attached = self._protocol.attached
        self._protocol.lost()
        self._wake()
        return attached

    # Within

    async def _keep_connected(self) -> None:
        try:
            await self._link.keep_up()
        except ClientError as end:
            self._end(end)

    async def _leave(self) -> None:
        self._end(Left("the session was left"))
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
        await self._link.close()

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(frame):
                    self._link.send(frame)
                case Happened(event):
                    for feed in self._feeds:
                        feed.put(event)
                case Said():
                    for listener in self._listeners:
                        listener.put(effect)
                case Settled(ticket, verdict):
                    future = self._verdicts.pop(ticket, None)
                    if future is not None and not future.done():
                        future.set_result(verdict)
                case Failed(ticket, error):
                    future = self._verdicts.pop(ticket, None)
                    if future is not None and not future.done():
                        future.set_exception(error)
                case Complained(code, detail):
                    _log.warning("the edge complained: %s: %s", code, detail)
                case Reconnect(why):
                    _log.info("attaching anew: %s", why)
                    self._link.drop()

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _end(self, error: ClientError) -> None:
        if self.ended is not None:
            return
        self.ended = error
        for future in self._verdicts.values():
            if not future.done():
                future.set_exception(error)
        self._verdicts.clear()
        for feed in self._feeds:
            feed.end(error)
        for listener in self._listeners:
            listener.end(error)
        self._wake()


def _retrieved(future: asyncio.Future[Verdict]) -> None:
    """Keeps asyncio from reporting the error of a command that nobody waited for."""
    if not future.cancelled():
        future.exception()
