"""Scenes for the paper server: tables that wait, play and have ended, their matches, and games of Aces Up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from pydantic import BaseModel

from services.bots.judgement import Strength
from services.gateway import frames, house_rules, models
from services.rules.aces_up.events import AcesEndWhy
from services.rules.aces_up.options import AcesUpOptions
from services.rules.events import Called, Dealt, Ended, Event, Played, digest, encode_body, seal
from services.rules.options import PRESETS
from tests.unit.bots.paper_match import NOON, PaperHand, PaperMatch
from tests.unit.rules.aces_up.games import log_of
from tests.unit.scoring.games import WINS, straight
from tests.web.paper_server import Scene

NAMES: Final = (
    *("Ada Lovelace", "Bot Hornbeam", "Charlotte", "Bot Juniper"),
    *("Bot Sycamore", "Wilhelmina Augusta", "Bot Tamarisk", "Bot Hawthorn"),
)
"""Who sits at the tables: people and bots, with short names and with some of the longest."""
TABLE: Final = "paper"
MATCH: Final = "m1"
_DEAL: Final = WINS[0]
_MIDDLE: Final = 0.62
"""So much of a hand has been played where it is looked at."""
_HAND_MS: Final = 240_000
_WATCHERS: Final = 12
PRESET: Final = "family"
"""Matches to 50, which are not too long to be looked at."""
RULES: Final = PRESETS[PRESET]
_OPTIONS: Final[dict[str, Any]] = json.loads(RULES.to_json())


def front(*, known: bool) -> Scene:
    """The front door and all that is read beside the game, for somebody who was here before or is new."""
    tables = [
        _table(4, "open", id="open4", taken=2),
        _table(2, "open", id="open2", taken=1),
        _table(8, "open", id="open8", taken=7),
        _table(3, "playing", id="playing3", hand=2),
    ]
    scene = _scene(tables, seat=None)
    return scene if known else replace(scene, name=None)


def waiting(seats: int) -> Scene:
    """A table of one's own, where a seat is free."""
    return _scene([_table(seats, "open", taken=seats - 1)])


def playing(seats: int, *, watched: bool = False) -> Scene:
    """In the middle of a hand, as one who plays or who watches."""
    hand = _match(seats).hands[0]
    told = _log(hand.events)[: round(len(hand.events) * _MIDDLE)]
    if watched:
        told.append(frames.encode(frames.Watchers(_WATCHERS)).decode())
    return _scene([_table(seats, "playing", hand=1)], told, seat=None if watched else 0)


def lost(seats: int) -> Scene:
    """In the middle of a hand, and nobody answers any more."""
    return replace(playing(seats), silent=True)


def tied(seats: int) -> Scene:
    """Two cards have just come to lie in one place."""
    ties = [
        (hand, at)
        for hand in _match(seats).hands
        for at, event in enumerate(hand.events)
        if isinstance(event, Played) and event.tie
    ]
    hand, last = max(ties, key=lambda tie: tie[1])
    return _scene([_table(seats, "playing", hand=hand.number)], _from_one(hand)[: last + 1])


def to_call(seats: int) -> Scene:
    """One's own demon is empty, and nobody has called yet."""
    hand = next(hand for hand in _match(seats).hands if _end(hand).callers == (0,))
    call = next(at for at, event in enumerate(hand.events) if isinstance(event, Called))
    return _scene([_table(seats, "playing", hand=hand.number)], _from_one(hand)[:call])


def ended(seats: int, *, over: bool) -> Scene:
    """The sheet lies on the table: after the first hand, or after the last one of the match."""
    match = _match(seats)
    hand = match.hands[-1 if over else 0]
    winners = list(match.result.winners) if over else []
    table = _table(seats, "ended" if over else "between", hand=hand.number, winners=winners)
    return _scene([table], _from_one(hand), match=_told(match, hand.number))


def aces_up(actions: int | None, *, practice: bool = False) -> Scene:
    """A game of Aces Up after so many actions, or won."""
    options = AcesUpOptions(_DEAL, practice=practice)
    events = _sealed(log_of(straight(_DEAL)[:actions], options, AcesEndWhy.WON if actions is None else None))
    table = _table(1, "ended" if actions is None else "playing", hand=1, options=json.loads(options.to_json()))
    return _scene([table], events)


@cache
def _match(seats: int) -> PaperMatch:
    match = PaperMatch([Strength.MEDIUM] * seats, seed=seats, options=RULES)
    match.play()
    return match


def _end(hand: PaperHand) -> Ended:
    end = hand.events[-1]
    assert isinstance(end, Ended)
    return end


def _log(events: Sequence[Event]) -> list[str]:
    """A hand's log, with the names of those who sit at the tables here."""
    return _sealed([_named(event) if isinstance(event, Dealt) else event for event in events])


def _from_one(hand: PaperHand) -> list[str]:
    """The log as if the hand were its table's first, so that nothing has to be known of those before it."""
    return _log([replace(event, seq=seq) for seq, event in enumerate(hand.events, start=1)])


def _named(dealt: Dealt) -> Dealt:
    players = zip(dealt.seats, NAMES, strict=False)
    return replace(dealt, seats=tuple(replace(each, name=name, bot=_is_bot(name)) for each, name in players))


def _sealed(events: Sequence[Event]) -> list[str]:
    previous, out = "", list[str]()
    for event in events:
        body = encode_body(event)
        previous = digest(previous, body)
        out.append(seal(body, previous))
    return out


def _is_bot(name: str) -> bool:
    return name.startswith("Bot ")


def _scene(
    tables: Sequence[models.Table],
    events: Sequence[str] = (),
    *,
    seat: int | None = 0,
    match: models.Match | None = None,
) -> Scene:
    """The tables, the first of which has come so far; and the rest of the world around them."""
    mine = tables[0].id if seat is not None else None
    short = _match(4)
    match = match or _told(short, len(short.hands))
    past = [match, *(_told(_match(other), 1).model_copy(update={"id": f"m{other}"}) for other in (2, 8))]
    answers: dict[str, BaseModel] = {
        "/me": models.Me(player="p0", name=NAMES[0], table=mine),
        "/options": house_rules.catalogue(),
        "/tables": models.Tables(tables=[table for table in tables if table.public]),
        "/matches": models.Matches(matches=past, next_page_token="more"),
        "/leaderboard": models.Leaderboard(entries=[_leader(place) for place in range(len(NAMES))]),
        "/aces-up/statistics": _statistics(),
        "/aces-up/games": models.AcesUpGames(games=[_game(index) for index in range(12)], next_page_token=""),
        "/aces-up/daily": models.AcesUpDaily(date="2023-11-14", number=2_023_1114, game=_game(2)),
        f"/tables/{TABLE}/outlook": models.Outlook(winnable=True),
        "/matches/a1/hands/1": _hand_log(_sealed(log_of(straight(_DEAL), AcesUpOptions(_DEAL), AcesEndWhy.WON))),
    }
    answers |= {f"/matches/{each.id}": each for each in past}
    hands = _match(len(match.hands[0].seats)).hands
    answers |= {f"/matches/{MATCH}/hands/{hand.number}": _hand_log(_log(hand.events)) for hand in hands}
    return Scene(answers, tuple(tables), {tables[0].id: list(events)}, seat)


def _hand_log(events: Sequence[str]) -> models.HandLog:
    return models.HandLog(events=[json.loads(event) for event in events])


def _table(
    seats: int,
    state: models.TableState,
    *,
    id: str = TABLE,
    taken: int | None = None,
    hand: int = 0,
    options: dict[str, Any] = _OPTIONS,
    winners: Sequence[int] = (),
) -> models.Table:
    totals = _match(seats).totals[hand - 1] if hand and options is _OPTIONS else (0,) * seats
    return models.Table(
        id=id,
        version=1,
        state=state,
        public=id != TABLE,
        invite="kJ8xq2Wm" if id == TABLE else "",
        code="7FK2QX" if id == TABLE else "",
        host="p0",
        options=options,
        preset=PRESET,
        seats=[_seat(seat, totals[seat], free=seat >= (taken or seats)) for seat in range(seats)],
        teams=[],
        match=MATCH if hand else "",
        hand=hand,
        commitment="c0" * 32,
        winners=list(winners),
        playoff=False,
        disputable=False,
        created_ms=NOON,
    )


def _seat(seat: int, total: int, *, free: bool) -> models.Seat:
    bot = not free and _is_bot(NAMES[seat])
    return models.Seat(
        index=seat,
        player="" if free else f"p{seat}",
        name="" if free else NAMES[seat],
        bot=bot,
        strength="medium" if bot else None,
        pace="human" if bot else None,
        ready=bot,
        present=not free,
        total=total,
        dispute=False,
    )


def _told(match: PaperMatch, hands: int) -> models.Match:
    """The match as it is in the books after so many of its hands."""
    over = hands == len(match.hands)
    return models.Match(
        id=MATCH,
        table=TABLE,
        options=_OPTIONS,
        preset=PRESET,
        hands=[_sheet(match, number) for number in range(1, hands + 1)],
        teams=[],
        over=over,
        winners=list(match.result.winners) if over else [],
        started_ms=NOON,
    )


def _sheet(match: PaperMatch, number: int) -> models.HandSheet:
    end, totals = _end(match.hands[number - 1]), match.totals[number - 1]
    seats = [
        models.SeatScore(
            seat=score.seat,
            player=f"p{score.seat}",
            name=NAMES[score.seat],
            bot=_is_bot(NAMES[score.seat]),
            foundation=score.foundation,
            demon=score.demon,
            called=score.seat in end.callers,
            points=score.points,
            total=totals[score.seat],
        )
        for score in end.scores
    ]
    return models.HandSheet(hand=number, why=end.why, seats=seats, teams=[], ended_ms=NOON + number * _HAND_MS)


def _leader(place: int) -> models.LeaderboardEntry:
    won = 40 - 4 * place
    name = NAMES[place].removeprefix("Bot ")
    return models.LeaderboardEntry(
        player=f"p{place}", name=name, matches=60, won=won, hands=412, points_per_hand=15.25 - place
    )


def _game(index: int) -> models.AcesUpGame:
    removed = 48 - index * 7 % 23
    return models.AcesUpGame(
        match="a1",
        hand=1,
        table=TABLE if index == 0 else f"paper{index}",
        number=_DEAL + index * 98_765_432,
        practice=index % 5 == 4,
        auto_remove=False,
        why="won" if removed == 48 else "lost" if index % 3 else "given_up",
        removed=removed,
        started_ms=NOON - index * _HAND_MS,
        ended_ms=NOON - index * _HAND_MS + 95_000,
        counts=index % 5 != 4,
    )


def _statistics() -> models.AcesUpStatistics:
    return models.AcesUpStatistics(
        played=123, won=9, win_rate=9 / 123, streak=1, longest_streak=2, removed=4_321, average=35.1, best=48
    )
