"""docs/operations.md points to what exists: tests for its claims; settings, defaults, metrics and commands by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from services.bots.settings import BotsSettings
from services.cli.__main__ import app
from services.engine.settings import EngineSettings
from services.gateway.settings import GatewaySettings
from services.lobby.settings import LobbySettings
from services.ops.settings import OpsSettings
from services.runtime.settings import ServiceSettings
from services.scoring.settings import ScoringSettings
from tests.named_tests import is_a_test

ROOT = Path(__file__).parents[2]
BODY, _, SHOWN = (ROOT / "docs/operations.md").read_text().partition("\n## What shows it\n")
SERVICES = (EngineSettings, GatewaySettings, LobbySettings, ScoringSettings, BotsSettings, OpsSettings)
OF_OTHERS = {
    *("REQUIRE_PROMETHEUS", "REQUIRE_HELM", "PYTHON_IMAGE", "PANDEMONIUM_BIND", "PANDEMONIUM_OPS_PASSWORD"),
    *("SECRETS_DIR", "NOT_SERVING", "UNAVAILABLE", "DRAINING", "NOREPLICAS", "DEBUG", "INFO", "GET", "POST"),
}
"""Words in capitals that are no service's setting: of tests, of the stack, of a client, of protocols."""


def shown() -> list[tuple[str, str, str]]:
    """Heading, claim, and the test or command."""
    found, heading = [], ""
    for line in SHOWN.splitlines():
        if not line.startswith("| ") or line.startswith("| claim "):
            continue
        claim, proof = (cell.strip() for cell in line.strip("|").split("|"))
        if claim.startswith("**"):
            heading = claim.strip("*")
        else:
            found.append((heading, claim, proof.strip("`")))
    return found


def settings() -> dict[str, object]:
    """Every variable that a service reads, with its default."""
    found: dict[str, object] = {}
    for service in SERVICES:
        prefix = service.model_config.get("env_prefix", "")
        for name, field in service.model_fields.items():
            found[str(field.validation_alias or f"{prefix}{name}".upper())] = field.default
    return found


@pytest.mark.parametrize(("heading", "claim", "proof"), shown())
def test_a_claim_is_shown_by_what_exists(heading: str, claim: str, proof: str) -> None:
    assert re.search(rf"^##+ {re.escape(heading)}$", BODY, re.MULTILINE)
    assert claim
    if proof.startswith("make "):
        assert re.search(rf"^{proof.removeprefix('make ')}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    else:
        assert is_a_test(proof), proof


def test_every_part_has_claims_that_are_shown() -> None:
    assert len(shown()) > 100
    assert set(re.findall(r"^## (.+)$", BODY, re.MULTILINE)) <= {heading for heading, _, _ in shown()}


def test_every_setting_that_is_named_exists() -> None:
    files = ("docker-compose.yml", "deploy/docker/stack.sh", "deploy/docker/tls.yml")
    compose = "".join((ROOT / file).read_text() for file in files)
    named = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)*)(?:=[^`]*)?`", BODY))
    assert len(named) > 40
    assert {name for name in named - settings().keys() - OF_OTHERS if name not in compose} == set()


def test_a_default_that_is_told_is_the_default() -> None:
    told = re.findall(r"`([A-Z_]+)` \((\d+)\b(?!:)", BODY)
    known = settings()
    assert len(told) > 5
    assert {name for name, value in told if float(value) != float(str(known[name]))} == set()


def test_the_console_and_metrics_listen_on_loopback_unless_told_otherwise() -> None:
    assert OpsSettings.model_fields["host"].default == "127.0.0.1"
    assert ServiceSettings.model_fields["metrics_host"].default == "127.0.0.1"


def test_every_metric_that_is_named_exists() -> None:
    known = set(re.findall(r"`(pandemonium_\w+)`", (ROOT / "docs/metrics.md").read_text()))
    named = {re.sub(r"_(bucket|count|sum)$", "", name) for name in re.findall(r"\bpandemonium_[a-z_]+", BODY)}
    assert len(named) > 10
    assert named <= known


def test_every_command_that_is_named_exists() -> None:
    groups = {group.name: group.typer_instance for group in app.registered_groups}
    ops = groups["ops"]
    assert ops is not None
    of_platform = names(app) | {"ops"}
    of_ops = names(ops) | {group.name for group in ops.registered_groups}
    assert {
        verb for verb in re.findall(r"`?\bpandemonium ([a-z]+)\b(?! \|)", commands()) if verb not in of_platform
    } == set()
    assert {verb for verb in re.findall(r"pandemonium ops ([a-z]+)", commands()) if verb not in of_ops} == set()
    makefile = (ROOT / "Makefile").read_text()
    verbs = re.findall(r"\bmake ([a-z]+)", commands())
    assert {verb for verb in verbs if not re.search(rf"^{verb}:", makefile, re.MULTILINE)} == set()


def commands() -> str:
    """What stands in code, in a line or as a block."""
    blocks = re.findall(r"```sh\n(.*?)```", BODY, re.DOTALL)
    return "\n".join(blocks + re.findall(r"`([^`\n]+)`", BODY))


def names(of: typer.Typer) -> set[str | None]:
    """The words of a command line."""
    return {
        command.name or (command.callback.__name__.replace("_", "-") if command.callback else None)
        for command in of.registered_commands
    }
