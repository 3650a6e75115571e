from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from services.loadtest import history
from services.loadtest.history import History, Recorder

DIGEST = "0123456789abcdef"


def test_what_is_recorded_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "p0.jsonl.gz"
    recorder = Recorder(path)
    recorder.opened(7, "t1", 2, "ann", 10, after=4)
    recorder.welcomed(7, 11, 3, True, False)
    recorder.snapshot(7, 12, 1, 40, DIGEST)
    recorder.event(7, 13, 1, 41, DIGEST)
    recorder.sent(7, 14, 4, 1, b'{"t":"turn","n":4}')
    recorder.verdict(7, 15, 4, "refused", None, "stock_empty")
    recorder.closed(7, 16, None)
    recorder.close()

    read = History(path)
    began, *records, ended = read

    assert isinstance(began, history.Began)
    assert began.format == history.FORMAT
    assert isinstance(ended, history.Ended)
    opened, welcomed, snapshot, event, sent, verdict, closed = records
    assert opened == history.Opened(7, "t1", 2, "ann", 10, 4)
    assert welcomed == history.Welcomed(7, 11, 3, True, False)
    assert snapshot == history.Snapshot(7, 12, 1, 40, DIGEST)
    assert event == history.Event(7, 13, 1, 41, DIGEST)
    assert isinstance(sent, history.Sent)
    assert bytes(sent.frame) == b'{"t":"turn","n":4}'
    assert verdict == history.Verdict(7, 15, 4, "refused", None, "stock_empty")
    assert closed == history.Closed(7, 16, None)
    assert (read.torn, read.unreadable) == (None, [])


def test_a_history_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "p0.jsonl.gz"
    Recorder(path).close()

    with pytest.raises(FileExistsError):
        Recorder(path)


def test_what_a_killed_process_recorded_is_read_up_to_the_tear_and_said_to_be_torn(tmp_path: Path) -> None:
    path = tmp_path / "p0.jsonl.gz"
    killed = (
        "import os, signal, sys; from pathlib import Path; from services.loadtest.history import Recorder\n"
        "recorder = Recorder(Path(sys.argv[1]))\n"
        f"for seq in range(1, 20_001): recorder.event(1, seq, 1, seq, '{DIGEST}')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", killed, str(path)], check=False, timeout=60)

    read = History(path)
    events = [record for record in read if isinstance(record, history.Event)]

    assert read.torn is not None
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert 15_000 < len(events) < 20_000


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.9, 0.999])
def test_a_file_cut_anywhere_gives_the_records_before_the_cut(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "p0.jsonl.gz"
    recorder = Recorder(path)
    for seq in range(1, 5_001):
        recorder.event(1, seq, 1, seq, f"{seq * 2_654_435_761 % 2**64:016x}")
    recorder.close()
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * kept)])

    read = History(path)
    seqs = [record.seq for record in read if isinstance(record, history.Event)]

    assert read.torn is not None
    assert f"after {len(seqs) + 1} records" in read.torn
    assert seqs == list(range(1, len(seqs) + 1))
    assert len(seqs) > 4_000 * kept


def test_a_line_that_is_no_record_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "p0.jsonl.gz"
    recorder = Recorder(path)
    recorder.sent(1, 5, 1, 1, b'{"t":"turn"')
    recorder.event(1, 6, 1, 9, DIGEST)
    recorder.close()

    read = History(path)
    records = list(read)

    assert history.Event(1, 6, 1, 9, DIGEST) in records
    assert len(read.unreadable) == 1
    assert read.torn is None
