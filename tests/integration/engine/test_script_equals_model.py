"""THE test of the script: on every history it says and keeps exactly what the pure referee in ``rules`` does."""

from __future__ import annotations

import asyncio
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.cards import DECK
from services.rules.events import EndWhy, ShiftWhy
from services.rules.layout import Layout, Pile
from services.rules.legal_moves import legal_moves
from services.rules.moves import (
    COLUMN,
    Action,
    Call,
    Choice,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Source,
    Turn,
    Vote,
)
from services.rules.options import Options
from tests.integration.engine.mirror import Mirror, low_cards_first, mirrored

SEATS = 3


def likely_action(random: Random, mirror: Mirror, seat: int) -> Action:
    """Mostly something that can be done or contested, sometimes nonsense."""
    layout, hand = mirror.hand.layouts[seat], mirror.hand
    tops = [(source, pile[-1]) for source, pile in _piles(layout) if pile]
    calls = 2 if layout.demon else 10
    match random.choices(("play", "legal", "turn", "vote", "call", "wild"), (60, 20, 12, 3, calls, 3))[0]:
        case "play" if tops:
            near = [
                t
                for t in tops
                if t[1].rank == 1
                or any(f.suit == t[1].suit and -1 <= f.height - t[1].rank <= 1 for f in hand.foundations)
            ]
            source, card = random.choice(near or tops)
            target = random.choice((None, None, *range(len(hand.foundations) + 1)))
            return PlayToFoundation(source, card, target)
        case "legal":
            moves = legal_moves(layout, hand.foundations, hand.options)
            return random.choice(moves) if moves else Recycle()
        case "turn":
            return Turn(len(layout.stock)) if layout.stock else Recycle()
        case "vote":
            return Vote(random.choice(list(Choice)), hand.progress - random.choice((0, 0, 0, 1)))
        case "call":
            return Call()
        case _:
            card, source = random.choice(DECK), random.choice(list(Source))
            return random.choice(
                (
                    MoveToColumn(source, card, random.randrange(len(COLUMN))),
                    PlayToFoundation(source, card, random.choice((None, 0, 1, 31))),
                    Turn(random.randrange(40)),
                    Recycle(),
                )
            )


async def race(random: Random, mirror: Mirror) -> None:
    """Seats that have the same card on a top play it one after the other, not having seen the one before."""
    seen, hand = mirror.hand.seq, mirror.hand
    for seat in random.sample(range(SEATS), SEATS):
        for action in legal_moves(hand.layouts[seat], hand.foundations, hand.options):
            if isinstance(action, PlayToFoundation) and action.card.rank > 1:
                break
        else:
            continue
        for other in [seat, *random.sample(range(SEATS), SEATS)]:
            for source, pile in _piles(mirror.hand.layouts[other]):
                if pile and pile[-1] is action.card:
                    play = PlayToFoundation(source, action.card, random.choice((action.foundation, None)))
                    late = random.choice((0, 0, 0, 1, 5))
                    await mirror.one(mirror.command(other, play, seen=seen + late, ago=random.choice((0, 20))))
                    mirror.now += random.choice(
                        (0, 10, 40, hand.options.tie_window_ms, hand.options.tie_window_ms + 1, 300)
                    )
        return


async def history(redis_url: str, *, seed: int, steps: int, demon: int, window: int, alike: bool) -> None:
    random = Random(seed)
    one_pass = random.random() < 0.2
    async with mirrored(redis_url, seats=SEATS) as mirror:
        options = Options(
            tie_window_ms=window,
            draw=random.choice((1, 3)),
            contest=random.choice(("tie_if_undecidable", "tie_if_undecidable", "first_only")),
            call=random.choice(("optional", "automatic")),
            in_motion=random.choice(("complete", "complete", "void")),
            stuck="end" if one_pass else random.choice(("shift", "end")),
            passes=1 if one_pass else "unlimited",
            dispute=random.choice(("off", "replay_hand")),
        )
        layouts = [low_cards_first(random, demon) for _ in range(SEATS)]
        if alike:
            layouts = layouts[:1] * SEATS
        await mirror.begin(layouts, options, countdown_ms=50)
        for step in range(steps):
            mirror.now += random.choice((0, 1, 5, 30, 70, 200))
            if random.random() < (0.3 if mirror.hand.frozen else 0.05):
                await mirror.hold(not mirror.hand.frozen)
            seat = random.randrange(SEATS)
            match random.choices(
                ("one", "row", "round", "race", "system"), (40, 20, 20, 15, 30 if mirror.hand.frozen else 5)
            )[0]:
                case "one":
                    command = mirror.command(
                        seat,
                        likely_action(random, mirror, seat),
                        n=mirror.hand.seats[seat].last_n + random.choice((1,) * 12 + (0, -1, -70, 2)),
                        ago=random.choice((-20, 0, 0, 10, 60, 100, 300)),
                        unseen=random.choice((0, 0, 1, 2, 5, 20)),
                        older=random.choice((0,) * 30 + (1, -1)),
                        hand=mirror.hand.number - random.choice((0,) * 30 + (1,)),
                    )
                    await mirror.one(command._replace(n=max(0, command.n)))
                case "row":
                    n = mirror.hand.seats[seat].last_n
                    row = [
                        mirror.command(
                            seat, likely_action(random, mirror, seat), n=n + 1 + i, unseen=random.randrange(4)
                        )
                        for i in range(random.randint(1, 5))
                    ]
                    await mirror.in_a_row(random.randrange(2), row)
                case "round":
                    await mirror.at_once(
                        [
                            mirror.command(
                                s,
                                likely_action(random, mirror, s),
                                ago=random.choice((0, 20, 90)),
                                unseen=random.randrange(6),
                            )
                            for s in random.sample(range(SEATS), random.randint(2, SEATS))
                        ]
                    )
                case "race":
                    await race(random, mirror)
                case _:
                    match random.randrange(6):
                        case 0:
                            await mirror.attach(seat)
                        case 1:
                            await mirror.shift(random.choice(list(ShiftWhy)), random.choice(((), (1,))))
                        case 2:
                            await mirror.ask(mirror.hand.progress - random.choice((0, 0, 1)))
                        case 3 if step > steps // 2:
                            await mirror.end(random.choice([why for why in EndWhy if why is not EndWhy.VOID]))
                        case _:
                            await mirror.start()
            if step == 1:
                mirror.now += 50
                await mirror.start()
            if step % 10 == 0:
                await mirror.look()
        await mirror.end(random.choice(list(EndWhy)))
        await mirror.end(EndWhy.VOID)
        await mirror.look()
        await mirror.begin([low_cards_first(random) for _ in range(SEATS)])
        await mirror.start()
        await mirror.one(mirror.command(0, Turn(len(mirror.hand.layouts[0].stock))))
        if mirror.hand.frozen:
            mirror.now += 10
            await mirror.hold(False)
            await mirror.start()
        await mirror.look()


@settings(max_examples=30)
@given(
    seed=st.integers(0, 2**32),
    steps=st.integers(5, 120),
    demon=st.sampled_from((1, 2, 5)),
    window=st.sampled_from((1, 80, 250)),
    alike=st.booleans(),
)
def test_the_script_equals_the_model_on_every_history(
    redis_url: str, seed: int, steps: int, demon: int, window: int, alike: bool
) -> None:
    asyncio.run(history(redis_url, seed=seed, steps=steps, demon=demon, window=window, alike=alike))


def _piles(layout: Layout) -> list[tuple[Source, Pile]]:
    return [
        (Source.DEMON, layout.demon),
        (Source.WASTE, layout.waste),
        *zip(COLUMN, layout.columns, strict=True),
    ]
