"""The rules of Racing Demon as a pure library: no I/O, no clock, no asyncio. Time and secrets are arguments.

Everybody plays patience at once and races onto shared foundations; the referee decides who was first (docs/rules.md has
the rules by number). A hand is a frozen value, a command gives the next one. Here is the beginning of one, with two
seats.

Before the cards are dealt, the secret is chosen and its hash is published; then the players give their nonces, so that
neither side can choose the deal:

>>> from services.rules import transitions
>>> from services.rules.events import EndWhy, Player
>>> from services.rules.hand import Seat
>>> from services.rules.options import Options
>>> hand, prepared = transitions.prepare(
...     [Seat(), Seat()], match="m1", number=1, secret=f"{1365:064x}", seq=0, now_ms=0
... )
>>> prepared.commitment[:8]
'8c702399'
>>> players = [Player("ann", "Ann", bot=False, nonce="ann's"), Player("bob", "Bob", bot=False, nonce="bob's")]
>>> hand, dealt = transitions.deal(hand, options=Options(), players=players, start_at=3_000, now_ms=0)
>>> hand, started = transitions.start(hand, now_ms=3_000)

What everybody may see of it is a view; it never holds a hidden card:

>>> from services.rules.view import view
>>> for seat in view(hand).seats:
...     print(seat.demon_count, seat.demon_top, *seat.columns, seat.stock_count)
13 TH (AC,) (2C,) (8C,) (6D,) 35
13 AH (AD,) (2C,) (KH,) (8H,) 35

What a seat may do now:

>>> from services.rules.legal_moves import legal_moves
>>> for action in legal_moves(hand.layouts[0], hand.foundations, hand.options):
...     print(action)
PlayToFoundation(source=<Source.C0: 'c0'>, card=AC, foundation=None)
Turn(stock=35)

Ann opens a foundation, 900 ms after the signal. The verdict is the answer to her, the event is for everyone:

>>> from services.rules.cards import card
>>> from services.rules.moves import PlayToFoundation, Source
>>> from services.rules.referee import Command, judge
>>> play = PlayToFoundation(Source.C0, card("AC"))
>>> hand, verdict, events = judge(hand, Command(0, 0, 1, hand=1, seen=3, arrived_ms=3_898, action=play), now_ms=3_900)
>>> print(verdict.frame())
{"t":"verdict","n":1,"v":"applied","seq":4,"f":0}

Both see it, and both go for it with their two of clubs. Ann's is committed as event 5. Bob's comes 30 ms later, from a
player who has seen event 4 only: neither could know of the other, so both cards lie there (RD-8):

>>> hers = Command(0, 0, 2, hand=1, seen=4, arrived_ms=4_500, action=PlayToFoundation(Source.C1, card("2C")))
>>> hand, verdict, events = judge(hand, hers, now_ms=4_501)
>>> his = Command(1, 0, 1, hand=1, seen=4, arrived_ms=4_530, action=PlayToFoundation(Source.C1, card("2C")))
>>> hand, verdict, events = judge(hand, his, now_ms=4_531)
>>> verdict.outcome, events[0].tie, hand.foundations[0].slots[-1].seats
(<Outcome.TIED: 'tied'>, True, (0, 1))

Losing a race and an illegal move are values, never exceptions, and change nothing but the command's number:

>>> again, verdict, events = judge(hand, Command(1, 0, 2, 1, 6, 5_000, PlayToFoundation(Source.C2, card("KH"))), 5_001)
>>> print(verdict.frame())
{"t":"verdict","n":2,"v":"refused","why":"no_place"}
>>> again.layouts == hand.layouts, events
(True, ())

A hand is scored by own cards on the foundations, less two for each card left in the demon (RD-12):

>>> from services.rules.scoring import score_hand
>>> for sheet in score_hand(hand.layouts, hand.foundations, hand.callers, hand.options):
...     print(sheet)
SeatScore(seat=0, foundation=2, demon=13, points=-24)
SeatScore(seat=1, foundation=1, demon=13, points=-25)

The log of a hand explains itself: it ends with the secret, and from the events alone anyone gets the same cards, the
same verdicts and the same score (``replay``).

The vocabulary, one thing a module: ``cards``, ``layout``, ``moves`` (a seat by itself), ``foundation``, ``contest``,
``landing`` (the races), ``hand``, ``verdict``, ``events``, ``readers`` (what is said), ``referee``, ``transitions``
(what happens), ``blocked``, ``agreement`` (when it goes no further), ``deal``, ``scoring``, ``options``, ``teams``,
``words``, ``legal_moves``, ``view``, ``replay``; ``useful``, ``calling``, ``advice``, ``hint_texts`` (what a good
player would do). The other game is ``aces_up``; ``rulebook`` says which one a table plays.
"""
