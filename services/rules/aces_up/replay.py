"""A game of Aces Up from its log alone: the same cards, the same removals, the same end.

:func:`replay` gives the game that a log leads to; :func:`contradiction` says what is wrong with one. Every action is
made again, and an event that the rules don't give is found out. What was refused is not in a log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from services.rules.aces_up.deal import deal
from services.rules.aces_up.events import AcesDealt, AcesEnded, AcesEndWhy, GaveUp, asked, told
from services.rules.aces_up.moves import Illegal, apply
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.result import result
from services.rules.aces_up.state import State
from services.rules.cards import Card
from services.rules.chain import Contradiction
from services.rules.deal import commitment
from services.rules.event import Event, SeatEvent
from services.rules.events import Prepared, Started, encode_body
from services.rules.hand import Phase


@dataclass(frozen=True, slots=True)
class Game:
    """A game after event ``seq``. Before the deal there are no options, no ``start_at`` (ms) and no state.

    ``last_n`` is the number of the player's last command that is in the log; ``why`` is how the game ended.
    """

    match: str
    hand: int
    commitment: str
    seq: int
    phase: Phase = Phase.PREPARED
    options: AcesUpOptions | None = None
    start_at: int | None = None
    state: State | None = None
    last_n: int = 0
    gave_up: bool = False
    why: AcesEndWhy | None = None


def replay(events: Iterable[Event]) -> Game:
    """The game after the last of ``events``, which begin with its ``prepare``. Raises :class:`Contradiction`."""
    game: Game | None = None
    for event in events:
        game = _prepared(event) if game is None else advance(game, event)
    if game is None:
        raise Contradiction("a game's log begins with its prepare event")
    return game


def contradiction(events: Sequence[Event]) -> str | None:
    """What is wrong with the whole log of a game, if anything is."""
    try:
        game = replay(events)
    except Contradiction as wrong:
        return str(wrong)
    return None if game.why else "the log does not reach the end of a game"


def advance(game: Game, event: Event) -> Game:
    """The game one event later. Raises :class:`Contradiction` if the rules give another event, or none."""
    match event:
        case AcesDealt():
            after, expected = _dealt(game, event)
        case Started():
            after, expected = _started(game, event)
        case AcesEnded():
            after, expected = _ended(game, event)
        case SeatEvent():
            after, expected = _done(game, event)
        case _:
            raise Contradiction(f"event {event.seq}: no {event.e} in a game of Aces Up")
    if expected != event:
        raise Contradiction(f"event {event.seq}: the rules give {encode_body(expected)}}}")
    return after


def _prepared(event: Event) -> Game:
    if not isinstance(event, Prepared):
        raise Contradiction("a game's log begins with its prepare event")
    if event.seats != 1:
        raise Contradiction(f"event {event.seq}: {event.seats} seats")
    return Game(event.match, event.hand, event.commitment, event.seq)


def _dealt(game: Game, event: AcesDealt) -> tuple[Game, Event]:
    _expect(game.phase is Phase.PREPARED, event)
    _expect(len(event.seats) == 1, event)
    state = deal(event.options.number)
    opened: tuple[Card, ...] = tuple(pile[-1] for pile in state.piles)
    expected = AcesDealt(
        game.seq + 1,
        event.at,
        game.hand,
        game.match,
        event.options,
        game.commitment,
        event.seats,
        event.start_at,
        opened,
        state.stock_count,
    )
    after = replace(
        game, seq=expected.seq, phase=Phase.DEALT, options=event.options, start_at=event.start_at, state=state
    )
    return after, expected


def _started(game: Game, event: Started) -> tuple[Game, Event]:
    _expect(game.phase is Phase.DEALT, event)
    assert game.start_at is not None
    _expect(event.at >= game.start_at, event)
    expected = Started(game.seq + 1, event.at, game.hand)
    return replace(game, seq=expected.seq, phase=Phase.PLAYING), expected


def _done(game: Game, event: SeatEvent) -> tuple[Game, Event]:
    _expect(game.phase is Phase.PLAYING and not game.gave_up, event)
    assert game.options is not None
    assert game.state is not None
    if event.seat != 0:
        raise Contradiction(f"event {event.seq}: no seat {event.seat}")
    if event.n <= game.last_n:
        raise Contradiction(f"event {event.seq}: command {event.n} was judged before")
    action = asked(event, game.state.stock_count)
    if action is None:
        raise Contradiction(f"event {event.seq}: no {event.e} in a game of Aces Up")
    applied = apply(game.state, action, game.options)
    if isinstance(applied, Illegal):
        raise Contradiction(f"event {event.seq}: the rules refuse it: {applied.reason}")
    expected = told(action, applied, (game.seq + 1, event.at, event.seat, event.n, event.seen, event.arrived))
    gave_up = isinstance(event, GaveUp)
    return replace(game, seq=expected.seq, state=applied.state, last_n=event.n, gave_up=gave_up), expected


def _ended(game: Game, event: AcesEnded) -> tuple[Game, Event]:
    _expect(game.phase is not Phase.OVER and _may_end(game, event.why), event)
    if _commitment(event.secret) != game.commitment:
        raise Contradiction(f"event {event.seq}: the secret is not the one that was committed to")
    removed = game.state.removed_count if game.state else 0
    expected = AcesEnded(game.seq + 1, event.at, game.hand, game.match, event.why, removed, event.secret)
    return replace(game, seq=expected.seq, phase=Phase.OVER, why=event.why), expected


def _may_end(game: Game, why: AcesEndWhy) -> bool:
    """Any game may be void; the others were played, and a game for practice is never lost.

    Who leaves a game that was touched gives it up.
    """
    if why is AcesEndWhy.VOID:
        return True
    if game.phase is not Phase.PLAYING or game.state is None or game.options is None:
        return False
    match why:
        case AcesEndWhy.GIVEN_UP:
            return (game.gave_up or game.last_n > 0) and result(game.state, game.options) is None
        case AcesEndWhy.WON | AcesEndWhy.LOST:
            return result(game.state, game.options) is why


def _commitment(secret: str) -> str | None:
    try:
        return commitment(secret)
    except ValueError:
        return None


def _expect(possible: bool, event: Event) -> None:
    if not possible:
        raise Contradiction(f"event {event.seq}: nothing like it could happen then")
