"""The two games as one: which of them a table plays, by the text of its options.

>>> rules_of('{"draw":1}').draw, rules_of('{"game":"aces_up","number":7}').number
(1, 7)
"""

from __future__ import annotations

from services.rules.aces_up.moves import Action as AcesUpAction
from services.rules.aces_up.options import GAME, AcesUpOptions
from services.rules.moves import Action
from services.rules.options import OptionError, Options, decoded

Rules = Options | AcesUpOptions
AnyAction = Action | AcesUpAction
"""Whatever a seat may ask for, in either game."""


def rules_of(text: str) -> Rules:
    """The options of either game from JSON: of Aces Up, if they name it. Raises :class:`OptionError`."""
    given = decoded(text) if text else {}
    if isinstance(given, dict) and "game" in given:
        if given["game"] != GAME:
            raise OptionError("game", f"must be {GAME}, or left out for Racing Demon")
        return AcesUpOptions.from_mapping(given)
    return Options.from_mapping(given)
