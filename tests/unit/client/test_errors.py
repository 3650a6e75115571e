"""Every close code of the protocol is an end or a reason to reconnect, and the error tree is the one that is drawn."""

from __future__ import annotations

import re

import pytest

from services.client import errors
from services.client.errors import ClientError, handshake_end, session_end


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (1000, errors.Left),
        (1008, errors.BrokeRules),
        (1009, errors.BrokeRules),
        (4001, errors.SignedOut),
        (4003, errors.NotYourSeat),
        (4004, errors.NoSuchTable),
        (4009, errors.TakenOver),
        (4010, errors.TableClosed),
    ],
)
def test_final_close_codes_end_the_session(code: int, kind: type[ClientError]) -> None:
    assert type(session_end(code)) is kind


@pytest.mark.parametrize("code", [1001, 1006, 1011, 1012, 1013, 4008, 4029])
def test_other_close_codes_are_a_reason_to_resume(code: int) -> None:
    assert session_end(code) is None


def test_a_handshake_that_fails_for_now_is_tried_again() -> None:
    assert handshake_end(503) is None
    assert type(handshake_end(404)) is errors.NoSuchTable


def test_the_tree_is_the_one_that_is_drawn() -> None:
    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__ or ""))
    built = {kind.__name__ for kind in vars(errors).values() if isinstance(kind, type) and kind is not ClientError}
    assert drawn == {name for name in built if issubclass(getattr(errors, name), ClientError)}
