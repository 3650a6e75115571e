"""Everything that happens during the play of one process's tables, drawn beforehand: moments of seats, broken lines."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from services.loadtest import schedule
from services.loadtest.party import Party
from services.loadtest.scenario import Scenario
from services.loadtest.seat import Seat
from services.loadtest.wire import US

Agenda = list[tuple[int, Callable[[int], None]]]
"""What is done when, µs since the beginning; it is told when it should have been, on the machine's clock."""


def drawn(scenario: Scenario, parties: Sequence[Party], luck: random.Random) -> Agenda:
    """The agenda of these tables, a share of the scenario's; its last entry is the end of play.

    In a closed loop seats have no moments.
    """
    agenda: Agenda = [(round(scenario.seconds * US), _nothing)]
    if not scenario.pace.closed_loop:
        for party in parties:
            by_seat = {seat.seat: seat for seat in party.seats}
            for moment in schedule.moments(party.scenario, luck):
                if moment.seat in by_seat:  # somebody else may sit there, in quick play
                    agenda.append((round(moment.at_s * US), _acting(by_seat[moment.seat], moment.shared)))
    faults, seats = scenario.faults, [seat for party in parties for seat in party.seats]
    share = len(seats) / scenario.players
    for _ in range(round(faults.disconnects_per_minute * scenario.seconds / 60 * share)):
        agenda.append((round(luck.uniform(0, scenario.seconds) * US), _dropping(luck.choice(seats))))
    for seat in luck.sample(seats, min(len(seats), round(faults.storm_sockets * share))):
        agenda.append((round(faults.storm_at_s * US), _dropping(seat)))
    return sorted(agenda, key=lambda entry: entry[0])


def _acting(seat: Seat, shared: bool) -> Callable[[int], None]:
    return lambda due_us: seat.act(due_us, shared=shared)


def _dropping(seat: Seat) -> Callable[[int], None]:
    return lambda _: seat.drop()


def _nothing(_: int) -> None:
    pass
