"""Every example of the README, executed."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from services.client import Client
from services.client.models import TableState
from services.loadtest.patience import patiently
from tests.e2e.up_process import PANDEMONIUM, READY_S, STOP_S, run, up
from tests.readme import README, ROOT, RUN_HERE, RUN_IN_CONTAINERS, at_a_prompt, command, examples, newcomer, section

pytestmark = pytest.mark.xdist_group("platform")


@pytest.mark.parametrize("example", examples("python"))
def test_python_examples_run(example: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", example], check=True, cwd=ROOT, timeout=60)


@pytest.mark.parametrize("verb", sorted(set(re.findall(r"(?:^|`)make (\w+)", README, re.MULTILINE))))
def test_every_make_verb_exists(verb: str) -> None:
    subprocess.run(["make", "-n", verb], check=True, cwd=ROOT, timeout=60, capture_output=True)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_every_file_that_is_named_exists(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.timeout(400)
async def test_the_commands_do_what_they_say(tmp_path: Path) -> None:
    """With the folder, the port, the table and the file put in their places, and a lower target."""
    lines = [line for block in examples("sh", section("The command")) for line in block.splitlines()]
    words = [shlex.split(line, comments=True) for line in lines]
    assert {program for program, *_ in words} == {"pandemonium"}
    by_verb = {verb: options for _, verb, *options in words}
    assert set(by_verb) == {"up", "match", "watch", "verify", "load"}
    _, engines = by_verb["up"][-2:]

    async with up(tmp_path, "--engines", engines) as running, Client(running.url) as client:
        options = " ".join(by_verb["match"]).replace("--target 100", "--target 30").split()
        match = asyncio.create_task(run("match", *options, "--url", running.url, within_s=200))
        await client.guest("Reader")
        table = await patiently(lambda: client.create_table(seats=2, host_plays=False, bots=2))
        assert by_verb["watch"] == ["TABLE"]
        seen = await watched(table.id, running.url)
        assert re.match(r"\d+ .+", seen)

        code, shown = await match
        assert code == 0, shown
        assert "verified: " in shown

        played = next(m for m in (await client.matches()).matches if m.over)
        assert by_verb["verify"] == ["HAND.json"]
        file = tmp_path / "HAND.json"
        file.write_bytes(b'{"events":[' + b",".join(await client.hand_log(played.id, 1)) + b"]}")
        assert (await run("verify", str(file)))[0] == 0

        smaller = ["--tables", "2", "--seconds", "2", "--url", running.url, "--out", str(tmp_path / "run")]
        code, shown = await run("load", *by_verb["load"], *smaller)
        assert code in (0, 3), shown  # on a busy machine it may be void, which it says
        assert "proven: nothing wrong was found" in shown
        assert await running.stop() == 0


def test_every_command_of_a_newcomer_is_run() -> None:
    """Here, or in tests/deploy, each once and with nothing behind it that isn't."""
    assert [
        next((each for each in (*RUN_HERE, *RUN_IN_CONTAINERS) if line.startswith(each)), line) for line in newcomer()
    ] == [
        *RUN_HERE,
        *RUN_IN_CONTAINERS,
    ]


def test_a_newcomer_clones_it(tmp_path: Path) -> None:
    """From here instead of from wherever it is kept."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone of the repository")
    line = command("git clone ")
    assert " REPOSITORY " in line
    clone = f"set -e; {line.replace(' REPOSITORY ', f' {shlex.quote(str(ROOT))} ')}; make help; pwd"
    said = subprocess.run(
        ["bash", "-c", clone],
        check=True,
        cwd=tmp_path,
        env=at_a_prompt(),
        timeout=60,
        capture_output=True,
        text=True,
    )
    assert "make run" in said.stdout
    assert Path(said.stdout.splitlines()[-1]) == tmp_path / "pandemonium"


@pytest.mark.timeout(300)
def test_a_newcomer_tests_it() -> None:
    """With the tests of cards alone: this is one of all the others."""
    env = at_a_prompt(ARGS="-p no:cacheprovider tests/unit/rules/test_cards.py", JOBS="1")
    said = subprocess.run(
        ["bash", "-c", command("make test")], check=True, cwd=ROOT, env=env, timeout=240, capture_output=True, text=True
    )
    assert re.search(r"\d+ passed", said.stdout)


@pytest.mark.timeout(300)
async def test_a_newcomer_runs_it_and_sees_bots_play(tmp_path: Path) -> None:
    """On a free port, with a folder of its own."""
    env = at_a_prompt(ARGS=f"--port 0 --data {tmp_path}")
    process = await asyncio.create_subprocess_shell(
        command("make run"), cwd=ROOT, env=env, stdout=asyncio.subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(2 * READY_S):  # with what `make` looks at before
            while not (ready := re.search(r"ready at (http://\S+)", (await process.stdout.readline()).decode())):
                assert not process.stdout.at_eof()
        async with httpx2.AsyncClient(base_url=ready[1], trust_env=False) as http, Client(ready[1]) as client:
            assert "<title>" in (await http.get("/")).text
            async with asyncio.timeout(30):
                while not any(table.state is TableState.PLAYING for table in await client.tables()):
                    await asyncio.sleep(0.1)
    finally:
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
        async with asyncio.timeout(STOP_S):
            await process.wait()


async def watched(table: str, url: str) -> str:
    """The first line that `pandemonium watch` prints; then it is stopped with Ctrl-C."""
    process = await asyncio.create_subprocess_exec(
        *PANDEMONIUM, "watch", table, "--url", url, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    async with asyncio.timeout(60):
        line = (await process.stdout.readline()).decode()
        process.send_signal(2)
        assert await process.wait() == 0
    return line
