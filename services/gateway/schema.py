"""``python -m services.gateway.schema`` prints the JSON Schema of the frames that the edge reads and writes itself.

``docs/frames.schema.json`` is a copy of it. Verdicts, events and snapshots are described in docs/protocol.md.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from services.gateway.frames import ClientIn, ClientOut


def frames_schema() -> dict[str, Any]:
    """The schema: ``ClientIn`` is what a client sends, ``ClientOut`` what it gets."""
    (incoming, outgoing), components = msgspec.json.schema_components(
        (ClientIn, ClientOut), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Frames of the table socket",
        "$defs": {"ClientIn": incoming, "ClientOut": outgoing, **components},
    }


def text() -> str:
    """The schema as it is committed."""
    return json.dumps(frames_schema(), indent=2) + "\n"


if __name__ == "__main__":
    print(text(), end="")
