from __future__ import annotations

import asyncio
import random

from services.loadtest.history import now_us
from services.loadtest.wire import Post, Wire


class Ends:
    """Where frames come out."""

    def __init__(self) -> None:
        self.came: list[tuple[bytes, int, int]] = []

    def __call__(self, frame: bytes, due_us: int) -> None:
        self.came.append((frame, due_us, now_us()))


async def until(ends: Ends, count: int) -> None:
    async with asyncio.timeout(30):
        while len(ends.came) < count:
            await asyncio.sleep(0.001)


async def test_a_wire_without_delay_carries_at_once() -> None:
    ends = Ends()
    put = now_us()
    assert Wire(0, 0, ends, random.Random(1), Post()).put(b"a", put) == put
    assert [frame for frame, *_ in ends.came] == [b"a"]


async def test_a_frame_takes_its_time_and_is_told_when_it_should_have_come() -> None:
    ends = Ends()
    wire = Wire(20_000, 0, ends, random.Random(1), Post())
    put = now_us()
    due = wire.put(b"a", put)
    assert due == put + 20_000
    assert ends.came == []
    await until(ends, 1)
    frame, told, came = ends.came[0]
    assert (frame, told) == (b"a", due)
    assert came >= due - 1_000


async def test_frames_never_overtake_one_another() -> None:
    ends = Ends()
    wire = Wire(1_000, 5_000, ends, random.Random(1), Post())
    frames = [b"%d" % i for i in range(100)]
    for frame in frames:
        wire.put(frame, now_us())
    await until(ends, 100)
    assert [frame for frame, *_ in ends.came] == frames


async def test_a_frame_that_was_put_late_is_due_when_it_should_have_been() -> None:
    ends = Ends()
    wire = Wire(1_000, 0, ends, random.Random(1), Post())
    put = now_us() - 50_000
    assert wire.put(b"late", put) == put + 1_000
    assert [frame for frame, *_ in ends.came] == [b"late"]


async def test_what_is_under_way_on_a_broken_wire_is_lost() -> None:
    ends = Ends()
    wire = Wire(2_000, 0, ends, random.Random(1), Post())
    wire.put(b"lost", now_us())
    wire.cut()
    wire.put(b"kept", now_us())
    await until(ends, 1)
    assert [frame for frame, *_ in ends.came] == [b"kept"]


async def test_wires_that_share_a_post_carry_in_the_order_of_time() -> None:
    ends, post = Ends(), Post()
    slow, fast = (Wire(delay, 0, ends, random.Random(1), post) for delay in (30_000, 5_000))
    put = now_us()
    slow.put(b"slow", put)
    fast.put(b"fast", put)
    await until(ends, 2)
    assert [frame for frame, *_ in ends.came] == [b"fast", b"slow"]


async def test_what_a_frame_sets_off_on_its_way_out_is_carried_too() -> None:
    ends, post = Ends(), Post()
    back = Wire(3_000, 0, ends, random.Random(1), post)

    def answer(frame: bytes, due_us: int) -> None:
        back.put(b"answer to " + frame, due_us)

    there = Wire(3_000, 0, answer, random.Random(1), post)
    there.put(b"question", now_us())
    await until(ends, 1)
    assert [frame for frame, *_ in ends.came] == [b"answer to question"]


async def test_what_is_put_while_another_comes_out_does_not_hold_up_what_is_due_before_it() -> None:
    ends, post = Ends(), Post()
    late = Wire(400_000, 0, ends, random.Random(1), post)

    def answer(frame: bytes, due_us: int) -> None:
        late.put(b"late", due_us)

    put = now_us()
    first, second = Wire(2_000, 0, answer, random.Random(1), post), Wire(20_000, 0, ends, random.Random(1), post)
    first.put(b"first", put)
    second.put(b"second", put)
    await until(ends, 2)
    assert [frame for frame, *_ in ends.came] == [b"second", b"late"]
    assert ends.came[0][2] - put < 200_000
