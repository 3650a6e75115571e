"""What the edge reads and writes, for programs: ``python -m services.gateway.schema frames`` or ``openapi`` prints it.

``frames`` is the JSON Schema of everything on a table socket, ``openapi`` the description of the REST calls. The page's
types are made from both at its build; ``docs/frames.schema.json`` is a copy of the first.
"""

from __future__ import annotations

import json
import sys
from functools import reduce
from operator import or_
from typing import Any, Final, cast

import msgspec

from services.gateway.app import create_app
from services.gateway.edge import Edge
from services.gateway.frames import CardName, ClientIn, ClientOut
from services.gateway.hand_frames import EVENT_FRAMES, GameSnapshot, Snapshot, Verdict


def frames_schema() -> dict[str, Any]:
    """``ClientIn`` is what a client sends; it gets ``ClientOut``, ``Verdict``, ``Event`` and one of the snapshots."""
    events = reduce(or_, EVENT_FRAMES.values())
    described, components = msgspec.json.schema_components(
        (ClientIn, ClientOut, events, Verdict, Snapshot, GameSnapshot), ref_template="#/$defs/{name}"
    )
    client_in, client_out, event, *_ = described
    unions = {"ClientIn": client_in, "ClientOut": client_out, "Event": event}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Frames of the table socket",
        "$defs": {"CardName": _CARD, **_with_cards_by_name(unions | components)},
    }


def openapi() -> dict[str, Any]:
    """The description of the REST calls; it is made without anything running."""
    return create_app(cast("Edge", _Nothing())).openapi()


def _with_cards_by_name(node: Any) -> Any:
    """The same schema, with the 52 cards listed once."""
    if isinstance(node, dict):
        if node == _CARD:
            return {"$ref": "#/$defs/CardName"}
        return {key: _with_cards_by_name(value) for key, value in node.items()}
    return [*map(_with_cards_by_name, node)] if isinstance(node, list) else node


class _Nothing:
    """An edge whose parts are never asked."""

    def __getattr__(self, name: str) -> _Nothing:
        return _Nothing()


_CARD: Final = msgspec.json.schema(CardName)
_PRINTED: Final = {"frames": frames_schema, "openapi": openapi}


def text(what: str = "frames") -> str:
    """The schema as it is printed. Raises KeyError for what there is not."""
    return json.dumps(_PRINTED[what](), indent=2) + "\n"


if __name__ == "__main__":
    print(text(*sys.argv[1:]), end="")
