"""Whatever happens to a table in whatever order, it stays one that makes sense."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from services.lobby import dispute, match, seating, solo
from services.lobby.agenda import Timing, due, next_step
from services.lobby.table import Pace, PlayerId, State, Strength, Table
from services.rules.options import Options
from services.runtime.errors import Fault
from tests.unit.lobby.tables import NOW, lease, solo_table, table

PLAYERS = st.sampled_from(["ada", "bob", "eve", "joe"])
SEATS = st.integers(0, 3)


class AnyTable(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.table = self.new()
        self.now = NOW
        self.matches = 1

    def new(self) -> Table:
        return table(3, "ada", quick=True, options=Options(dispute="replay_hand").to_json())

    def apply(self, after: Table) -> None:
        if self.table.state is State.CLOSED:
            assert after is self.table or (after.settled and not self.table.settled)
        self.table = after

    @rule(player=PLAYERS)
    def join(self, player: str) -> None:
        with suppress(Fault):
            self.apply(seating.join(self.table, PlayerId(player), player, "", self.now))

    @rule(player=PLAYERS)
    def leave(self, player: str) -> None:
        with suppress(Fault):
            self.apply(seating.leave(self.table, player, self.now))

    @rule()
    def add_bot(self) -> None:
        with suppress(Fault):
            self.apply(seating.add_bot(self.table, Strength.EASY, Pace.FAST, self.now)[0])

    @rule(seat=SEATS)
    def remove_bot(self, seat: int) -> None:
        with suppress(Fault):
            self.apply(seating.remove_bot(self.table, seat))

    @rule(player=PLAYERS, seat=SEATS)
    def remove_player(self, player: str, seat: int) -> None:
        with suppress(Fault):
            hosted = seating.remove_player(replace(self.table, quick=False), player, seat, self.now)
            self.apply(replace(hosted, quick=True))

    @rule(seat=SEATS, bot=st.sampled_from(["r1", "r2"]))
    def claim(self, seat: int, bot: str) -> None:
        with suppress(Fault):
            self.apply(seating.claim_bot(self.table, lease(seat, bot), bot, self.now))

    @rule(seat=SEATS, bot=st.sampled_from(["r1", "r2"]))
    def lapse(self, seat: int, bot: str) -> None:
        self.apply(seating.lapse(self.table, lease(seat, bot)))

    @rule(player=PLAYERS, present=st.booleans(), socket=st.sampled_from(["", "s1", "s2"]))
    def presence(self, player: str, present: bool, socket: str) -> None:
        self.apply(seating.set_presence(self.table, player, present, self.now, socket))

    @rule(ms=st.integers(1, 100_000))
    def time_passes(self, ms: int) -> None:
        self.now += ms
        self.apply(seating.drop_absent(self.table, self.now - 300_000, self.now))

    @rule()
    def fill(self) -> None:
        if self.table.state is State.OPEN:
            self.apply(seating.fill_with_bots(self.table, self.now))

    @rule()
    def prepare(self) -> None:
        self.apply(match.prepared(self.table, self.table.match, self.table.hand + 1, "hash", self.now))

    @rule(ready=st.booleans())
    def all_ready(self, ready: bool) -> None:
        for seat in self.table.seats:
            with suppress(Fault):
                self.apply(match.set_ready(self.table, seat.player, ready, "n"))

    @rule()
    def start(self) -> None:
        self.apply(match.start(self.table, ["x"] * len(self.table.seats), self.now))

    @rule()
    def dealt(self) -> None:
        self.apply(match.dealt(self.table, self.table.match, self.table.hand))

    @rule()
    def undealt(self) -> None:
        self.apply(match.undealt(self.table, self.table.match, self.table.hand, self.now))

    @rule(how=st.sampled_from(["goes on", "over", "playoff", "void"]))
    def scored(self, how: str) -> None:
        over = how == "over"
        result = match.Result(
            self.table.match,
            self.table.hand,
            tuple(range(len(self.table.seats))),
            over,
            (0,) if over else (),
            how == "playoff",
            how != "void",
        )
        self.apply(match.scored(self.table, result, self.now))

    @rule(player=PLAYERS, withdraw=st.booleans())
    def dispute(self, player: str, withdraw: bool) -> None:
        with suppress(Fault):
            self.apply(dispute.ask(self.table, player, withdraw))

    @rule()
    def all_dispute(self) -> None:
        for seat in self.table.people:
            self.dispute(seat.player, withdraw=False)
        self.apply(dispute.uphold(self.table))

    @rule(playoff=st.booleans(), late=st.booleans())
    def voided(self, playoff: bool, late: bool) -> None:
        standing = dispute.Standing((0,) * len(self.table.seats), playoff)
        hand = self.table.hand - late
        self.apply(dispute.voided(self.table, self.table.match, hand, standing, self.now))

    @rule()
    def dismissed(self) -> None:
        self.apply(dispute.dismissed(self.table, self.table.match, self.table.hand))

    @rule()
    def rematch(self) -> None:
        for seat in self.table.seats:
            with suppress(Fault):
                self.apply(match.ask_rematch(self.table, seat.player))
        self.matches += 1
        self.apply(match.rematch(self.table, f"m{self.matches}", self.now))

    @invariant()
    def nobody_sits_twice(self) -> None:
        seated = [seat.player for seat in self.table.seats if seat.player]
        assert len(seated) == len(set(seated))

    @invariant()
    def a_living_table_has_people_and_one_of_them_is_host(self) -> None:
        if self.table.state is not State.CLOSED:
            assert self.table.host in {seat.player for seat in self.table.people}

    @invariant()
    def no_seat_is_free_while_a_match_runs(self) -> None:
        if self.table.state in (State.PLAYING, State.BETWEEN):
            assert self.table.free_seats == 0

    @invariant()
    def leases_are_of_claimed_bots(self) -> None:
        assert all(self.table.seats[held.seat].player == held.player for held in self.table.leases)

    @invariant()
    def a_running_hand_was_promised_and_whoever_is_dealt_in_gave_or_got_a_nonce(self) -> None:
        if self.table.state is State.PLAYING:
            assert self.table.commitment
            assert self.table.hand >= 1
            assert all(seat.player and seat.nonce for seat in self.table.deal)
        elif self.table.state is not State.CLOSED:
            assert not self.table.deal

    @invariant()
    def only_a_counted_hand_is_disputed_and_no_other_begins_before_that_is_settled(self) -> None:
        if self.table.state is State.CLOSED:
            return
        settled = self.table.state in (State.BETWEEN, State.ENDED) and self.table.hand > 0
        if self.table.voiding or self.table.disputable:
            assert settled
        if self.table.voiding:
            assert self.table.disputable
            assert self.table.free_seats == 0
        if any(seat.dispute for seat in self.table.seats):
            assert self.table.disputable

    @invariant()
    def only_a_match_that_goes_on_has_a_playoff_and_only_one_that_is_over_has_winners(self) -> None:
        assert not (self.table.playoff and self.table.winners)
        if self.table.state in (State.OPEN, State.PLAYING, State.BETWEEN):
            assert not self.table.winners

    @invariant()
    def something_is_always_coming(self) -> None:
        assert due(self.table, Timing())


class AnySoloTable(AnyTable):
    """The same of a game for one: it has nobody else, waits for nobody, and has one hand."""

    def new(self) -> Table:
        return solo_table("ada")

    @rule()
    def close_done(self) -> None:
        self.apply(solo.close_done(self.table, self.now))

    @invariant()
    def it_is_the_players_or_closed(self) -> None:
        if self.table.state is not State.CLOSED:
            assert [seat.player for seat in self.table.seats] == ["ada"]

    @invariant()
    def it_never_waits_for_readiness_nor_for_another_hand(self) -> None:
        assert self.table.state is not State.BETWEEN
        assert self.table.hand <= 1
        if self.table.state is State.OPEN:
            assert next_step(self.table, self.now, Timing()) is not None

    @invariant()
    def no_bot_comes(self) -> None:
        assert not self.table.wanted


TestAnyTable = AnyTable.TestCase
TestAnySoloTable = AnySoloTable.TestCase
