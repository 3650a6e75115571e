"""The study's findings in full: as tables for docs/fairness.md, and as plain counts for JSON."""

from __future__ import annotations

import statistics
from dataclasses import asdict
from typing import Final

from tests.bench.fairness.findings import Findings, Tallies
from tests.bench.fairness.schemes import AT_ONCE, OURS
from tests.bench.fairness.tally import Tally

_HEAD: Final = "| | contests | robbed, % | robbed inside the cap, % | robbed beyond it, % | ties, % | undecided, ms |"
_RULE: Final = "|---|---|---|---|---|---|---|"


def markdown(found: Findings) -> str:
    """Markdown."""
    parts = []
    for jitter in found.grids:
        parts += _schemes(f"Grid, {jitter} roads", found.grid_total(jitter))
    parts += _schemes("Tables of two to eight", found.field_total())
    parts += ["RD-8, by players and by window:", "", _HEAD, _RULE]
    parts += [_row(f"{players} players", tallies[OURS]) for players, tallies in found.mixes.items()]
    parts += [_row(f"window {window} ms", tallies[OURS]) for window, tallies in found.windows.items()]
    parts += ["", "Clients that lie, played up to 300 ms later / when shown that the place was taken:", ""]
    parts += ["| client | scheme | alone, % | latest, ms | beside, % | latest, ms | when shown: alone, % | beside, % |"]
    parts += ["|---|---|---|---|---|---|---|---|"]
    for liar, gains in found.late.items():
        for scheme, gain in gains.items():
            shown = found.waiting[liar][scheme]
            at_once = f"{shown.robs_share} | {shown.shares_share}" if scheme in AT_ONCE else "|"
            parts.append(
                f"| {liar} | {scheme} | {gain.robs_share} | {gain.latest_alone_ms:.0f} | {gain.shares_share} "
                f"| {gain.latest_shared_ms:.0f} | {at_once} |"
            )
    parts += ["", "| blind | round trip, ms | alone, % | shared, % | median after the card below, ms |"]
    parts += ["|---|---|---|---|---|"]
    for (name, rtt), start in found.blind.items():
        after = statistics.median(start.after_ms)
        parts.append(f"| {name} | {rtt:.0f} | {start.alone_share} | {start.shared_share} | {after:.0f} |")
    return "\n".join(parts) + "\n"


def plain(found: Findings) -> dict[str, object]:
    """For JSON: the counts."""
    return {
        "grids": {
            jitter: [
                {"gap_ms": cell.gap_ms, "more_rtt_ms": cell.more_rtt_ms, "schemes": _counts(cell.tallies)}
                for cell in cells
            ]
            for jitter, cells in found.grids.items()
        },
        "tables": {players: _counts(tallies) for players, tallies in found.mixes.items()},
        "windows": {window: _counts(tallies) for window, tallies in found.windows.items()},
        "late": {liar: {name: asdict(gain) for name, gain in gains.items()} for liar, gains in found.late.items()},
        "waiting": {
            liar: {name: asdict(gain) for name, gain in gains.items()} for liar, gains in found.waiting.items()
        },
    }


def _schemes(title: str, tallies: Tallies) -> list[str]:
    return [f"{title}:", "", _HEAD, _RULE, *(_row(name, tally) for name, tally in tallies.items()), ""]


def _row(name: str, tally: Tally) -> str:
    shares = (tally.robbed_share, tally.robbed_inside_share, tally.robbed_beyond_share, tally.ties_share)
    return f"| {name} | {tally.contests:,} | {' | '.join(map(str, shares))} | {tally.mean_held_ms:.0f} |"


def _counts(tallies: Tallies) -> dict[str, object]:
    return {name: asdict(tally) for name, tally in tallies.items()}
