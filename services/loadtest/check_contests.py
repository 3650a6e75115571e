"""Every race for a foundation place, decided again from the log's own fields (RD-8, ``services.rules.contest``).

Independent of the replay: of each place only the first card's number and commit time and the seats beside it are kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.loadtest.check_log import LoggedHand
from services.loadtest.check_report import Fault, Report
from services.rules.contest import Contest, decide
from services.rules.events import Played, Returned
from services.rules.options import Options


@dataclass(slots=True)
class _Place:
    seq: int
    at_ms: int
    seats: list[int]
    contested: bool = False


def check(log: LoggedHand, options: Options, report: Report) -> None:
    """Checks that the first to be committed stays, and each later one is shared, late or has seen it, as it must be."""
    places: dict[tuple[int, int], _Place] = {}
    for event in log.events:
        if not isinstance(event, Played | Returned):
            continue
        report.checked["plays to foundations"] += 1
        place = places.get((event.f, event.rank))
        if place is None:
            if isinstance(event, Returned) or event.tie:
                report.add(log.fault(Fault.CONTEST_WRONG, f"nobody held {_name(event)} before it", event.seq))
            else:
                places[event.f, event.rank] = _Place(event.seq, event.at, [event.seat])
            continue
        if wrong := _wrong(event, place, options):
            report.add(log.fault(Fault.CONTEST_WRONG, f"{_name(event)}: {wrong}", event.seq))
        if isinstance(event, Played):
            place.seats.append(event.seat)
        place.contested = True
        report.checked["contests"] += 1
        report.checked["cards that share their place" if isinstance(event, Played) else "cards that went back"] += 1
    report.checked["places"] += len(places)
    report.checked["places that were raced for"] += sum(place.contested for place in places.values())


def _wrong(event: Played | Returned, place: _Place, options: Options) -> str | None:
    arrived = min(event.arrived, event.at)
    right = decide(
        seen=event.seen,
        arrived_ms=arrived,
        slot_seq=place.seq,
        slot_at_ms=place.at_ms,
        window_ms=options.tie_window_ms,
        ties=options.contest == "tie_if_undecidable",
    )
    if isinstance(event, Played):
        if not event.tie:
            return f"seat {event.seat} took it, but seats {place.seats} hold it since event {place.seq}"
        return None if right is Contest.SHARED else f"seat {event.seat} shares it, but its card was {right}"
    told = (event.why, list(event.first), event.gap)
    expected = (right, place.seats, max(0, arrived - place.at_ms))
    return None if told == expected else f"returned as {told}, but it is {expected} (why, first, gap)"


def _name(event: Played | Returned) -> str:
    return f"foundation {event.f}, rank {event.rank}"
