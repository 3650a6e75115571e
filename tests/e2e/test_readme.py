"""Every example of the README, executed."""

from __future__ import annotations

import asyncio
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from services.client import Client
from tests.e2e.up_process import PANDEMONIUM, run, up

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()

pytestmark = pytest.mark.xdist_group("platform")


def examples(language: str) -> list[str]:
    """The code blocks of that language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands(program: str) -> list[list[str]]:
    """Each line of the shell examples that calls ``program``, without its comment."""
    lines = [line for block in examples("sh") for line in block.splitlines()]
    return [shlex.split(line, comments=True) for line in lines if line.startswith(program + " ")]


@pytest.mark.parametrize("example", examples("python"))
def test_python_examples_run(example: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", example], check=True, cwd=ROOT, timeout=60)


@pytest.mark.parametrize(
    "verb", sorted({line[1] for line in commands("make")} | set(re.findall(r"`make (\w+)`", README)))
)
def test_every_make_verb_exists(verb: str) -> None:
    subprocess.run(["make", "-n", verb], check=True, cwd=ROOT, timeout=60, capture_output=True)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_every_file_that_is_named_exists(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.timeout(400)
async def test_the_commands_do_what_they_say(tmp_path: Path) -> None:
    """With the folder, the port, the table and the file put in their places, and a lower target."""
    by_verb = {command[1]: command[2:] for command in commands("pandemonium")}
    assert set(by_verb) == {"up", "match", "watch", "verify", "load"}
    _, engines = by_verb["up"][-2:]

    async with up(tmp_path, "--engines", engines) as running, Client(running.url) as client:
        options = " ".join(by_verb["match"]).replace("--target 100", "--target 30").split()
        match = asyncio.create_task(run("match", *options, "--url", running.url, within_s=200))
        await client.guest("Reader")
        table = await client.create_table(seats=2, host_plays=False, bots=2)
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
