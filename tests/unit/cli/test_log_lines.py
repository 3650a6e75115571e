from __future__ import annotations

import io

from services.cli.log_lines import LogLines, readable


def test_every_line_has_its_process_in_front_also_those_of_a_traceback() -> None:
    stream = io.StringIO()

    LogLines(stream)("engine-1", '{"event": "broke", "level": "error", "exception": "Traceback\\n  here"}')

    assert stream.getvalue() == "engine-1   error: broke\nengine-1   Traceback\nengine-1     here\n"


def test_named_values_follow_the_event() -> None:
    assert readable('{"event": "started", "level": "info", "port": 7001, "timestamp": "2026"}') == (
        "info",
        "started port=7001",
    )


def test_what_is_no_log_entry_passes_unchanged() -> None:
    assert readable("[1]") == ("info", "[1]")
    assert readable("* Ready {to} accept [bold]connections[/bold]")[1] == "* Ready {to} accept [bold]connections[/bold]"
