"""Frames as the edge writes them, read by a client's own parser."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.gateway.framing import text_frame
from tests.unit.gateway.fakes import unframed

LENGTHS = st.sampled_from([0, 1, 125, 126, 127, 65_535, 65_536, 70_000])


@given(st.lists(LENGTHS, min_size=1, max_size=4))
def test_what_is_framed_is_read_again_whatever_its_length(lengths: list[int]) -> None:
    payloads = [b"x" * length for length in lengths]
    assert unframed(b"".join(map(text_frame, payloads))) == payloads
