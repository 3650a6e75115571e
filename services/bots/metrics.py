"""The bots' metrics. Labels come from small closed sets, and every series is there from the start."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge

SEATS: Final = Gauge("pandemonium_bots_seats", "Seats that bots of this process play now.")
GUESTS: Final = Gauge("pandemonium_bots_guests", "Guests that this process has made and keeps.")
CLAIMS: Final = Counter("pandemonium_bots_claims", "Offers of a bot to the lobby, by outcome.", ("outcome",))
PARTINGS: Final = Counter("pandemonium_bots_partings", "Seats that bots stopped playing, by cause.", ("cause",))
MOVES: Final = Counter("pandemonium_bots_moves", "Commands of bots, by verdict.", ("verdict",))

CLAIM_OUTCOMES: Final = ("claimed", "none", "seated_elsewhere", "fault")
PARTING_CAUSES: Final = (
    *("table_closed", "match_over", "seat_lost", "edge_lost", "not_attached"),
    *("lease_lost", "stopping", "broken"),
)

for _outcome in CLAIM_OUTCOMES:
    CLAIMS.labels(_outcome)
for _cause in PARTING_CAUSES:
    PARTINGS.labels(_cause)
for _verdict in ("applied", "tied", "returned", "refused"):
    MOVES.labels(_verdict)
