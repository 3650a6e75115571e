from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from services.runtime import log
from tests.log_lines import lines, logged_as


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    """Where this test's log goes."""
    with logged_as("echo") as stream:
        yield stream


def test_a_line_is_one_object_with_time_level_service_and_event(out: io.StringIO) -> None:
    log.logger("x").info("serving", port=7001)
    (line,) = lines(out)
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "serving", "level": "info", "service": "echo", "port": 7001}


def test_libraries_come_out_in_the_same_shape(out: io.StringIO) -> None:
    logging.getLogger("some.library").warning("slow: %d ms", 7, extra={"table": "t1"})
    (line,) = lines(out)
    assert (line["event"], line["level"], line["service"], line["table"]) == ("slow: 7 ms", "warning", "echo", "t1")


def test_a_traceback_stays_on_its_line(out: io.StringIO) -> None:
    error = ValueError("two\nlines")
    log.logger("x").error("broke", exc_info=error)
    (line,) = lines(out)
    assert "two\nlines" in line["exception"]


def test_what_is_below_the_level_is_left_out(out: io.StringIO) -> None:
    log.logger("x").debug("detail")
    logging.getLogger("some.library").debug("detail")
    assert lines(out) == []


def test_what_is_known_of_the_work_is_on_every_line(out: io.StringIO) -> None:
    with structlog.contextvars.bound_contextvars(request_id="r1", table="t1", trace_id="a"):
        log.logger("x").info("done")
        logging.getLogger("some.library").info("too")
    for line in lines(out):
        assert (line["request_id"], line["table"], line["trace_id"]) == ("r1", "t1", "a")


def test_a_terminal_gets_text_and_so_does_who_asks_for_it(out: io.StringIO) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal, pipe = Terminal(), io.StringIO()
    log.configure("echo", "INFO", terminal)
    log.logger("x").info("serving", port=7001)
    log.configure("echo", "INFO", pipe, form="text")
    log.logger("x").info("serving", port=7001)
    for shown in (terminal.getvalue(), pipe.getvalue()):
        assert "serving" in shown
        assert not shown.startswith("{")
    assert "\x1b[" in terminal.getvalue()
    assert "\x1b[" not in pipe.getvalue()

    again = Terminal()
    log.configure("echo", "INFO", again, form="json")
    log.logger("x").info("serving", port=7001)
    assert json.loads(again.getvalue())["port"] == 7001
