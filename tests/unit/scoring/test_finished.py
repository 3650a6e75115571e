from __future__ import annotations

import pytest

from services.scoring.finished import BadEntry, Finished

WHOLE = {b"table": b"t1", b"match": b"m1", b"hand": b"2", b"first": b"10", b"last": b"90"}


def test_an_entry_names_a_hand_and_its_range_of_events() -> None:
    assert Finished.parse(WHOLE) == Finished("t1", "m1", 2, 10, 90)


@pytest.mark.parametrize("field", [b"table", b"match", b"hand"])
@pytest.mark.parametrize("value", [None, b"", b"\x00", b"x" * 200])
def test_an_entry_that_names_no_hand_is_bad(field: bytes, value: bytes | None) -> None:
    fields = {**WHOLE, field: value} if value is not None else {k: v for k, v in WHOLE.items() if k != field}
    with pytest.raises(BadEntry, match=field.decode()):
        Finished.parse(fields)


@pytest.mark.parametrize("hand", [b"0", b"-1", b"1.5", b"99999999999", "²".encode()])
def test_hands_are_numbered_from_1(hand: bytes) -> None:
    with pytest.raises(BadEntry, match="hand"):
        Finished.parse({**WHOLE, b"hand": hand})


@pytest.mark.parametrize("broken", [{b"first": b""}, {b"last": b"9"}, {b"first": b"x"}, {b"last": b"99999999999"}])
def test_a_hand_without_a_usable_range_is_kept_as_one_without_a_log(broken: dict[bytes, bytes]) -> None:
    assert Finished.parse({**WHOLE, **broken}) == Finished("t1", "m1", 2, 0, 0)
