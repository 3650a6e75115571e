"""What the edge tells of house rules: the list of them, a table's preset and its teams. Knows nothing of play."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any, get_args, get_origin, get_type_hints

from services.gateway import models
from services.rules.options import (
    CHOICES,
    PAIRS_SEATS,
    PRESETS,
    RACING_DEMON,
    RANGES,
    OptionError,
    Options,
    preset_of,
)
from services.rules.teams import Team, teams
from services.rules.words import WORDS


def catalogue() -> models.HouseRules:
    """Every option and every preset, made from the rules themselves."""
    kinds = get_type_hints(Options)
    return models.HouseRules(
        options=[_option(field.name, kinds[field.name]) for field in fields(Options)],
        presets={name: json.loads(preset.to_json()) for name, preset in PRESETS.items()},
        pairs_seats=list(PAIRS_SEATS),
        words={name: models.Words(call=told.call, pile=told.pile) for name, told in WORDS.items()},
    )


def preset(options_json: str) -> str | None:
    """The name of the preset that these options are, if they are one."""
    options = _read(options_json)
    return preset_of(options) if options else None


def partners(seats: int, options_json: str) -> tuple[Team, ...]:
    """The teams of a table or match, by their seats; none where every seat plays for itself."""
    options = _read(options_json)
    if options is None or options.teams == "off" or not seats:
        return ()
    return teams(seats, options)


def standing(totals: Mapping[int, int], options_json: str) -> list[models.Team]:
    """The teams with the sums of their seats' totals; none where every seat plays for itself."""
    return [
        models.Team(seats=list(team), total=sum(totals[seat] for seat in team))
        for team in partners(len(totals), options_json)
    ]


def _option(name: str, kind: Any) -> models.Option:
    lowest, highest = RANGES.get(name, (None, None))
    return models.Option(
        name=name,
        default=getattr(RACING_DEMON, name),
        choices=list(CHOICES[name]) if name in CHOICES else None,
        lowest=lowest,
        highest=highest,
        per_seat=any(get_origin(part) is tuple for part in get_args(kind)),
    )


@lru_cache(maxsize=1024)
def _read(options_json: str) -> Options | None:
    """The options; None before there are any, or if a newer lobby has some that this edge does not know."""
    try:
        return Options.from_json(options_json) if options_json else None
    except OptionError:
        return None
