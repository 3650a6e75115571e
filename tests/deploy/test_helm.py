from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from services.bots.settings import BotsSettings
from services.engine.settings import EngineSettings
from services.gateway.settings import GatewaySettings
from services.lobby.settings import LobbySettings
from services.ops.settings import OpsSettings
from services.runtime.settings import ServiceSettings
from services.scoring.settings import ScoringSettings
from tests.deploy.chart import CHART, Object, helm, invalid, render, values_of

NAMES: Final = ("small", "full", "keda")
SETTINGS: Final[dict[str, type[ServiceSettings]]] = {
    each.service: each
    for each in (EngineSettings, GatewaySettings, LobbySettings, ScoringSettings, BotsSettings, OpsSettings)
}
POD_IP: Final = "10.1.2.3"
FIELDS: Final = {"status.podIP": POD_IP}
"""What a pod is told of itself, as it could be."""
COMPONENT: Final = "app.kubernetes.io/component"
ADDRESS: Final = re.compile(r"(?:https?://)?(cards-[a-z0-9.-]+):(\d+)")


@cache
def objects(name: str) -> list[Object]:
    return render(name)


def of_kind(name: str, *kinds: str) -> list[Object]:
    return [each for each in objects(name) if each["kind"] in kinds]


def workloads(name: str) -> dict[str, Object]:
    """The service's noun and what keeps its pods."""
    return {each["metadata"]["labels"][COMPONENT]: each for each in of_kind(name, "Deployment", "StatefulSet")}


def container(workload: Object) -> Object:
    (only,) = workload["spec"]["template"]["spec"]["containers"]
    found: Object = only
    return found


def environment(workload: Object) -> dict[str, str]:
    return {
        each["name"]: each["value"] if "value" in each else FIELDS[each["valueFrom"]["fieldRef"]["fieldPath"]]
        for each in container(workload)["env"]
    }


def reporting() -> dict[str, ServiceSettings]:
    """Services that tell the console where their metrics are."""
    return {noun: settings() for noun, settings in SETTINGS.items() if settings.reports}


def selected(selector: dict[str, str], name: str) -> list[str]:
    """Services whose pods have all of these labels."""
    pods = {noun: each["spec"]["template"]["metadata"]["labels"] for noun, each in workloads(name).items()}
    return [noun for noun, labels in pods.items() if selector.items() <= labels.items()]


@pytest.mark.parametrize("name", NAMES)
def test_it_passes_helms_own_check(name: str) -> None:
    done = helm("lint", CHART, "--strict", "--values", values_of(name))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("version", ["1.27", "1.37"])
def test_every_object_is_what_kubernetes_takes_from_the_oldest_to_the_newest(version: str, tmp_path: Path) -> None:
    assert not invalid([each for name in NAMES for each in objects(name)], version, tmp_path)


def test_the_comparison_with_the_schemas_finds_a_wrong_name(tmp_path: Path) -> None:
    service = of_kind("small", "Service")[0]
    spec = service["spec"] | {"selektor": {}}
    assert "selektor" in invalid([service | {"spec": spec}], "1.37", tmp_path)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("engine.replica=3", "replica"),
        ("redis.url=http://elsewhere", "redis"),
        ("redis.url=", "redis.existingSecret or redis.url"),
        ("ops.enabled=true", "ops.accountsSecret"),
        ("ingress.enabled=true", "ingress.host"),
        ("gateway.drainSeconds=9", "a third of gateway.stopSeconds"),
    ],
)
def test_wrong_values_are_named_and_nothing_is_made(wrong: str, said: str) -> None:
    done = helm("template", "cards", CHART, "--values", values_of("small"), "--set", wrong)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_every_service_takes_the_settings_that_it_is_given(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {"engine", "gateway", "lobby", "scoring"}
    assert set(workloads(name)) == expected | {"small": {"bots"}, "full": {"bots", "ops"}, "keda": set()}[name]
    for noun, workload in workloads(name).items():
        given = environment(workload)
        known = {f"{noun}_{field}".upper() for field in SETTINGS[noun].model_fields}
        shared = {"LOG_FORMAT", "LOG_LEVEL", "TRACE_SHARE", "OTEL_EXPORTER_OTLP_ENDPOINT", "SECRETS_DIR"}
        assert set(given) <= known | shared
        with monkeypatch.context() as patch:
            for variable, value in (given | {"SECRETS_DIR": str(tmp_path)}).items():
                patch.setenv(variable, value)
            settings = SETTINGS[noun].read()
        ports = {port["name"]: port["containerPort"] for port in container(workload)["ports"]}
        assert settings.metrics_port == ports.pop("metrics")
        assert [settings.port] == list(ports.values())
        assert (settings.host, settings.metrics_host) == ("0.0.0.0", POD_IP)
        assert container(workload)["command"] == ["python", "-m", f"services.{noun}"]


@pytest.mark.parametrize("name", NAMES)
def test_a_pod_has_time_for_its_drain(name: str) -> None:
    for noun, workload in workloads(name).items():
        pod = workload["spec"]["template"]["spec"]
        _, pause = container(workload)["lifecycle"]["preStop"]["exec"]["command"]
        stop = float(environment(workload)[f"{noun.upper()}_STOP_SECONDS"])
        assert pod["terminationGracePeriodSeconds"] >= float(pause) + stop + 2


def probed(workload: Object, probe: str) -> tuple[str, Any]:
    found = container(workload)[probe]
    ports = {port["name"]: port["containerPort"] for port in container(workload)["ports"]}
    how = next(kind for kind in ("httpGet", "tcpSocket", "grpc") if kind in found)
    port = found[how]["port"]
    return f"{how} {found[how].get('path', '')}".strip(), ports.get(port, port)


@pytest.mark.parametrize("name", NAMES)
def test_readiness_is_asked_of_the_service_and_a_drain_does_not_look_dead(name: str) -> None:
    for noun, workload in workloads(name).items():
        serve = container(workload)["ports"][0]["containerPort"]
        edge = noun in ("gateway", "ops")
        assert probed(workload, "readinessProbe") == ("httpGet /readyz" if edge else "grpc", serve)
        for probe in ("livenessProbe", "startupProbe"):
            assert probed(workload, probe) == ("httpGet /healthz" if edge else "tcpSocket", serve)


@pytest.mark.parametrize("name", NAMES)
def test_no_pod_may_more_than_it_needs(name: str) -> None:
    for workload in workloads(name).values():
        pod = workload["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not pod["automountServiceAccountToken"]
        assert container(workload)["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"cpu", "memory"} <= set(container(workload)["resources"]["requests"])
        assert "memory" in container(workload)["resources"]["limits"]
        keys = [rule["topologyKey"] for rule in pod["topologySpreadConstraints"]]
        assert keys == ["kubernetes.io/hostname", "topology.kubernetes.io/zone"]


def test_passwords_are_in_secrets_only_and_reach_only_who_needs_them() -> None:
    holders = {each["metadata"]["name"] for each in objects("small") if "secret@" in str(each)}
    assert (
        holders
        == {each["metadata"]["name"] for each in of_kind("small", "Secret")}
        == {"cards-redis", "cards-database"}
    )
    assert not of_kind("full", "Secret")
    for noun, workload in workloads("full").items():
        volumes = workload["spec"]["template"]["spec"]["volumes"]
        assert ("redis-place" in str(volumes)) == (noun != "bots")
        assert ("database-place" in str(volumes)) == (noun == "scoring")
        assert ("operators" in str(volumes)) == (noun == "ops")


def addresses(workload: Object) -> Iterator[tuple[str, int]]:
    """Host and port of every part of the platform that a service is told."""
    for value in environment(workload).values():
        for host, port in ADDRESS.findall(value):
            yield host, int(port)


@pytest.mark.parametrize("name", NAMES)
def test_every_address_in_the_settings_leads_to_pods_that_listen_there(name: str) -> None:
    services = {each["metadata"]["name"]: each for each in of_kind(name, "Service")}
    for noun, workload in workloads(name).items():
        found = list(addresses(workload))
        assert bool(found) == (noun not in ("engine", "scoring"))
        for host, port in found:
            service = services[host.rpartition(".")[2]]
            (target,) = selected(service["spec"]["selector"], name)
            assert port in [each["port"] for each in service["spec"]["ports"]]
            assert port in [each["containerPort"] for each in container(workloads(name)[target])["ports"]]


@pytest.mark.parametrize(("name", "most"), [("small", 2), ("full", 4), ("keda", 6)])
def test_gateways_and_lobbies_know_every_engine_that_may_ever_start(name: str, most: int) -> None:
    engine = workloads(name)["engine"]
    assert engine["kind"] == "StatefulSet"
    names = [f"cards-engine-{number}.{engine['spec']['serviceName']}:7001" for number in range(most)]
    for noun in ("gateway", "lobby"):
        assert environment(workloads(name)[noun])[f"{noun.upper()}_ENGINES"].split(",") == names
    scalers = list(of_kind(name, "HorizontalPodAutoscaler", "ScaledObject"))
    if not scalers:
        assert engine["spec"]["replicas"] == most
        return
    assert "replicas" not in engine["spec"]
    (scaler,) = [each for each in scalers if each["metadata"]["labels"][COMPONENT] == "engine"]
    assert scaler["spec"].get("maxReplicas", scaler["spec"].get("maxReplicaCount")) == most
    for each in scalers:
        target = each["spec"]["scaleTargetRef"]
        assert (target["kind"], target["name"]) in [
            (found["kind"], found["metadata"]["name"]) for found in workloads(name).values()
        ]


@pytest.mark.parametrize("name", ["small", "full"])
def test_the_network_lets_through_what_the_settings_need_and_nothing_else(name: str) -> None:
    policies = {each["metadata"]["labels"][COMPONENT]: each["spec"] for each in of_kind(name, "NetworkPolicy")}
    services = {each["metadata"]["name"]: each for each in of_kind(name, "Service")}
    assert set(policies) == set(workloads(name))
    needed = {
        (noun, selected(services[host.rpartition(".")[2]]["spec"]["selector"], name)[0], port)
        for noun, workload in workloads(name).items()
        for host, port in addresses(workload)
    }
    if "ops" in policies:
        needed |= {("ops", noun, at.metrics_port) for noun, at in reporting().items()}

    def inside(way: str, peers: str) -> set[tuple[str, str, int]]:
        found = set()
        for noun, spec in policies.items():
            assert selected(spec["podSelector"]["matchLabels"], name) == [noun]
            assert spec["policyTypes"] == ["Ingress", "Egress"]
            for rule in spec[way] or []:
                for peer in rule.get(peers, []):
                    if set(peer) == {"podSelector"}:
                        (other,) = selected(peer["podSelector"]["matchLabels"], name)
                        found |= {
                            (other, noun, port["port"]) if way == "ingress" else (noun, other, port["port"])
                            for port in rule["ports"]
                        }
        return found

    assert inside("ingress", "from") == inside("egress", "to") == needed
    anyone = {
        (noun, port["port"])
        for noun, spec in policies.items()
        for rule in spec["ingress"] or []
        for port in rule["ports"]
        if "from" not in rule
    }
    assert anyone == ({("gateway", 8080)} if name == "small" else set())
    for noun, spec in policies.items():
        outside = {port["port"] for rule in spec["egress"] for port in rule["ports"]}
        assert (6379 in outside) == (noun != "bots")
        assert (5432 in outside) == (noun == "scoring")


@pytest.mark.parametrize("name", NAMES)
def test_one_copy_at_a_time_may_be_taken_away_and_a_single_one_holds_up_no_node(name: str) -> None:
    guarded = {each["metadata"]["labels"][COMPONENT] for each in of_kind(name, "PodDisruptionBudget")}
    several = {noun for noun, each in workloads(name).items() if each["spec"].get("replicas", 2) > 1}
    assert guarded == several
    assert all(each["spec"]["maxUnavailable"] == 1 for each in of_kind(name, "PodDisruptionBudget"))


def test_the_ingress_leaves_sockets_open_and_keeps_what_it_is_told() -> None:
    (ingress,) = of_kind("full", "Ingress")
    notes = ingress["metadata"]["annotations"]
    assert notes["nginx.ingress.kubernetes.io/proxy-read-timeout"] == "3600"
    assert notes["cert"] == "ours"
    (rule,) = ingress["spec"]["rules"]
    assert rule["http"]["paths"][0]["backend"]["service"] == {"name": "cards-gateway", "port": {"name": "http"}}
    assert not of_kind("small", "Ingress")


def test_prometheus_finds_every_service_under_its_noun() -> None:
    (monitor,) = of_kind("full", "ServiceMonitor")
    chosen = monitor["spec"]["selector"]["matchLabels"]
    found = [
        each["metadata"]["labels"][monitor["spec"]["jobLabel"]]
        for each in of_kind("full", "Service")
        if chosen.items() <= each["metadata"]["labels"].items()
        and monitor["spec"]["endpoints"][0]["port"] in [port["name"] for port in each["spec"]["ports"]]
    ]
    assert sorted(found) == sorted(SETTINGS)
