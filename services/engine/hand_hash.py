"""The hand's hash (head of ``referee.lua``) read into the rules' terms. Writes nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping

from services.engine.port import Solo, State
from services.rules.aces_up.options import AcesUpOptions
from services.rules.aces_up.state import State as AcesState
from services.rules.events import Player
from services.rules.foundation import Foundation, Slot
from services.rules.hand import Hand, Phase, Seat
from services.rules.layout import Layout
from services.rules.moves import Choice
from services.rules.options import RACING_DEMON, Options
from services.rules.rulebook import rules_of
from services.runtime.versions import require

KNOWN = frozenset({"1"})
"""Versions of the hash that are read; the script writes the newest."""
VOTES = {".": None, "s": Choice.SHIFT, "e": Choice.END, "r": Choice.REPLAY}
"""The characters of the field ``votes``."""
FAR_MS = 10_000_000_000_000
"""So much later than they are the due times of a table stand that is held still; as in ``referee.lua``."""


def state(table: str, fields: Mapping[str, str], now: int) -> State:
    """The table's state; ``fields`` are all but the kept verdicts. Raises ``UnknownVersion``."""
    require(f"the hand of table {table}", fields["schema"], KNOWN)
    seats = range(int(fields["seats"]))
    rules = rules_of(fields.get("options", ""))
    solo = Solo(rules, AcesState.decode(fields["L0"])) if isinstance(rules, AcesUpOptions) else None
    hand = Hand(
        match=fields["match"],
        number=int(fields["hand"]),
        commitment=fields["commitment"],
        secret=fields["secret"],
        seats=tuple(Seat(int(fields.get(f"E{s}", 0)), int(fields.get(f"N{s}", 0))) for s in seats),
        seq=int(fields["seq"]),
        phase=Phase(fields["phase"]),
        options=rules if isinstance(rules, Options) else RACING_DEMON,
        players=tuple(Player(**seat) for seat in json.loads(fields.get("info", "[]"))),
        layouts=tuple(Layout.decode(fields[f"L{s}"]) for s in seats if f"L{s}" in fields and solo is None),
        foundations=_foundations(fields),
        progress=int(fields["progress"]),
        votes=tuple(VOTES[v] for v in fields.get("votes", "." * len(seats))) if "dealt_seq" in fields else (),
        asked="asked" in fields,
        start_at=_due(fields, "start_at"),
        call_seq=_number(fields, "call_seq"),
        call_at=_number(fields, "call_at"),
        callers=tuple(map(int, fields["callers"].split(","))) if "callers" in fields else (),
        closes_at=_due(fields, "closes_at"),
        in_motion=frozenset(s for s in seats if f"M{s}" in fields),
        frozen="frozen" in fields,
    )
    away = {s: int(fields[f"A{s}"]) for s in seats if f"A{s}" in fields}
    return State(
        table=table,
        now=now,
        digest=fields["digest"],
        hand=hand,
        away=away,
        dealt_seq=_number(fields, "dealt_seq"),
        looks=int(fields.get("looks", 0)),
        solo=solo,
    )


def _number(fields: Mapping[str, str], name: str) -> int | None:
    return int(fields[name]) if name in fields else None


def _due(fields: Mapping[str, str], name: str) -> int | None:
    """The due time; of a table that is held still, what it was when that began."""
    at = _number(fields, name)
    return at - FAR_MS if at is not None and "frozen" in fields else at


def _foundations(fields: Mapping[str, str]) -> tuple[Foundation, ...]:
    heads = fields.get("heads", "")
    found = []
    for f in range(len(heads) // 3):
        suit, height = heads[f * 3], int(heads[f * 3 + 1 : f * 3 + 3])
        found.append(Foundation(suit, tuple(_slot(fields[f"F{f}.{rank}"]) for rank in range(1, height + 1))))
    return tuple(found)


def _slot(text: str) -> Slot:
    seq, at, seats = text.split(":")
    return Slot(tuple(map(int, seats.split(","))), int(seq), int(at))
