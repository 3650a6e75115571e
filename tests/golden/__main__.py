"""Makes the output of every playthrough again: ``python -m tests.golden``. With names, of these files only."""

from __future__ import annotations

import sys

from tests.golden.playthrough import FOLDER, played

for path in sorted(FOLDER.glob("*.txt")):
    if len(sys.argv) == 1 or path.name in sys.argv[1:] or path.stem in sys.argv[1:]:
        text = path.read_text()
        again = played(text)
        if again != text:
            path.write_text(again)
            print(f"changed: {path.name}")
