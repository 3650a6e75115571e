from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from services.bots.settings import BotsSettings
from services.engine.settings import EngineSettings
from services.gateway.settings import GatewaySettings
from services.lobby.settings import LobbySettings
from services.ops.settings import OpsSettings
from services.runtime.healthcheck import PATIENCE_SECONDS
from services.runtime.redis_place import Cluster, Sentinels, place
from services.runtime.settings import ServiceSettings
from services.scoring.settings import ScoringSettings
from tests.certificates import Authority
from tests.deploy.chart import CHART, ROOT, Object, helm, invalid, invalid_custom, render, values_of
from tests.deploy.custom_objects import KINDS

NAMES: Final = ("small", "full", "keda", "sentinel", "cluster", "tls")
OPTIONAL: Final = {"small": {"bots"}, "keda": set[str](), "cluster": {"bots"}}
"""Services beside the four that are always there; of all other names every one."""
SETTINGS: Final[dict[str, type[ServiceSettings]]] = {
    each.service: each
    for each in (EngineSettings, GatewaySettings, LobbySettings, ScoringSettings, BotsSettings, OpsSettings)
}
POD_IP: Final = "10.1.2.3"
OTHERS_SECRETS: Final = {
    "redis_url": "redis://redis-place/0",
    "scoring_database_url": "postgresql+asyncpg://database-place/pandemonium",
    "accounts": "",
}
"""What is in Secrets that the chart does not make."""
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


def test_objects_of_other_kinds_are_what_their_programs_take(tmp_path: Path) -> None:
    found = [each for name in NAMES for each in objects(name) if each["kind"] in KINDS]
    assert {each["kind"] for each in found} == set(KINDS)
    assert not invalid_custom(found, tmp_path)
    monitor = of_kind("full", "ServiceMonitor")[0]
    spec = monitor["spec"] | {"endpoints": [{"port": "metrics", "intervall": "5s"}]}
    assert "spec.endpoints.0.intervall" in invalid_custom([monitor | {"spec": spec}], tmp_path)


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
        ("gateway.drainPerSecond=59", "a third of gateway.stopSeconds"),
        ("gateway.replicas=two", "/gateway/replicas"),
        ("gateway.resources.requests.cpus=1", "cpus"),
        ("gateway.resources.limits.memory=1GB", "/gateway/resources/limits/memory"),
        ("gateway.env.GATEWAY_GUEST_PER_MINUTE=9", "GATEWAY_GUEST_PER_MINUTE"),
        ("gateway.tolerations[0].effekt=NoSchedule", "effekt"),
        ("networkPolicy.metricsFrom[0].namespaceselector=x", "namespaceselector"),
        ("tls.secrets.engines=engines", "engines"),
        ("tls.secrets.engine=engines", "tls.secrets.gateway or tls.secret"),
        ("redis.tls.secret=redis-client", "begin with rediss"),
        ("database.tls.clientCertificate=true", "database.tls.secret"),
        ("traces.endpoint=collector.monitoring.svc", "/traces/endpoint"),
        ("traces.share=1", "traces.endpoint"),
        ("traces.share=1,traces.endpoint=http://collector.monitoring.svc:4319", "networkPolicy.traces.ports"),
        ("serviceMonitor.enabled=true", "networkPolicy.metricsFrom"),
        ("engine.autoscaling.enabled=true,engine.autoscaling.minReplicas=9", "engine.autoscaling.minReplicas"),
    ],
)
def test_wrong_values_are_named_and_nothing_is_made(wrong: str, said: str) -> None:
    done = helm("template", "cards", CHART, "--values", values_of("small"), "--set", wrong)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr


def test_the_schema_names_every_setting_that_a_service_can_be_given() -> None:
    """So that a variable with a slip of the pen is refused, where the service would not notice it."""
    schema = json.loads((CHART / "values.schema.json").read_text())["properties"]
    for noun, settings in SETTINGS.items():
        own = {name for name in variables(settings) if name.startswith(f"{noun}_".upper())}
        begins, named = schema[noun]["properties"]["env"]["propertyNames"]["allOf"][1].values()
        assert begins == {"pattern": f"^{noun}_".upper()}
        assert named["enum"] == sorted(own), f"values.schema.json: env of {noun}"


def variables(settings: type[ServiceSettings]) -> set[str]:
    """Every variable of the environment that a service reads, and those of PostgreSQL's clients."""
    prefix = settings.model_config["env_prefix"]
    own = {str(field.validation_alias or f"{prefix}{name}".upper()) for name, field in settings.model_fields.items()}
    of_postgres = {"PGSSLMODE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY"} if settings is ScoringSettings else set()
    return own | {"SECRETS_DIR"} | of_postgres


def lay_out(name: str, workload: Object, folder: Path, certificates: Authority) -> None:
    """The files that a pod finds where Secrets are mounted, in ``folder`` instead of the root."""
    shutil.rmtree(folder, ignore_errors=True)
    papers = certificates.papers()
    given = {"ca.crt": papers.ca, "tls.crt": papers.cert, "tls.key": papers.key}
    secrets = {each["metadata"]["name"]: each["stringData"] for each in of_kind(name, "Secret")}
    volumes = {each["name"]: each for each in workload["spec"]["template"]["spec"]["volumes"]}
    for mount in container(workload)["volumeMounts"]:
        volume = volumes[mount["name"]]
        sources = volume["projected"]["sources"] if "projected" in volume else [volume]
        for secret in (each["secret"] for each in sources if "secret" in each):
            for item in secret.get("items", [{"key": "accounts", "path": "accounts"}]):
                file = folder / mount["mountPath"].lstrip("/") / item["path"]
                file.parent.mkdir(parents=True, exist_ok=True)
                text = secrets.get(secret.get("name", ""), {}).get(item["key"])
                if item["key"] in given:
                    file.write_bytes(Path(given[item["key"]]).read_bytes())
                else:
                    file.write_text(text if text is not None else OTHERS_SECRETS[item["path"]])


@pytest.mark.parametrize("name", NAMES)
def test_every_service_takes_the_settings_and_finds_the_files_that_it_is_given(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificates = Authority(tmp_path)
    expected = {"engine", "gateway", "lobby", "scoring"}
    assert set(workloads(name)) == expected | OPTIONAL.get(name, {"bots", "ops"})
    for noun, workload in workloads(name).items():
        lay_out(name, workload, tmp_path / "pod", certificates)
        given = environment(workload)
        assert set(given) <= variables(SETTINGS[noun])
        with monkeypatch.context() as patch:
            for variable, value in given.items():
                patch.setenv(variable, value.replace("/run/secrets", f"{tmp_path}/pod/run/secrets"))
            settings = SETTINGS[noun].read()
            files = [Path(value) for key, value in given.items() if key.startswith(("PGSSLR", "PGSSLC", "PGSSLK"))]
        files += [Path(file) for file in re.findall(r"ssl_\w+=([^&]+)", settings.redis_url)]
        assert all((tmp_path / "pod" / file.relative_to("/")).is_file() for file in files)
        if isinstance(settings, OpsSettings):
            assert settings.accounts_file is not None
            assert settings.accounts_file.is_file()
        assert (settings.tls is not None) == (name == "tls")
        assert settings.redis_url == ServiceSettings().redis_url if noun == "bots" else settings.redis_url != ""
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
        if name == "tls" and not edge:
            # What Kubernetes asks by itself is not encrypted.
            probe = container(workload)["readinessProbe"]
            assert probe["exec"]["command"][-2:] == ["services.runtime.healthcheck", f"grpc://127.0.0.1:{serve}"]
            assert probe["timeoutSeconds"] > PATIENCE_SECONDS
        else:
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
    for noun, workload in workloads("tls").items():
        volumes = workload["spec"]["template"]["spec"]["volumes"]
        assert ("redis-client" in str(volumes)) == (noun != "bots")
        assert ("database-client" in str(volumes)) == (noun == "scoring")
        assert ("'engines'" in str(volumes)) == (noun == "engine")
        assert ("'services'" in str(volumes)) == (noun != "engine")


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


@pytest.mark.parametrize(("name", "most"), [("small", 2), ("full", 4), ("keda", 6), ("cluster", 1)])
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


@pytest.mark.parametrize("name", ["small", "full", "sentinel", "cluster", "tls"])
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
    assert anyone == (set() if name == "full" else {("gateway", 8080)})
    for noun, spec in policies.items():
        outside = {port["port"] for rule in spec["egress"] for port in rule["ports"]}
        redis = {"full": {6379, 26379}, "sentinel": {6379, 26379}, "cluster": {7000, 7001}, "tls": {6380}}
        wanted = redis.get(name, {6379})
        assert outside & wanted == (set() if noun == "bots" else wanted)
        assert (5432 in outside) == (noun == "scoring")
        traced = {"full": 4317, "sentinel": 4320}
        assert outside & {4317, 4320} == ({traced[name]} if name in traced else set())
        watched = [rule for rule in spec["ingress"] or [] if "namespaceSelector" in str(rule) and noun != "gateway"]
        assert len(watched) == (name == "full" and noun != "gateway")


def secret_url(name: str) -> str:
    (found,) = [
        each["stringData"]["redis_url"] for each in of_kind(name, "Secret") if "redis_url" in each["stringData"]
    ]
    return str(found)


def test_redis_may_have_sentinels_or_be_a_cluster_and_its_ports_are_let_through() -> None:
    sentinels, cluster = place(secret_url("sentinel")), place(secret_url("cluster"))
    assert isinstance(sentinels, Sentinels)
    assert isinstance(cluster, Cluster)
    assert (cluster.secure, cluster.files.ssl_ca_certs) == (True, "/run/secrets/redis-tls/ca.crt")
    assert cluster.files.ssl_certfile is None
    for name, found in (("sentinel", sentinels), ("cluster", cluster)):
        policy = next(each for each in of_kind(name, "NetworkPolicy") if each["metadata"]["name"] == "cards-engine")
        open_ports = {port["port"] for rule in policy["spec"]["egress"] for port in rule["ports"]}
        assert {port for _, port in found.addresses} <= open_ports


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
    (other,) = of_kind("tls", "Ingress")
    assert other["spec"]["tls"] == [{"hosts": ["cards.example"], "secretName": "cards-tls"}]
    assert other["metadata"]["annotations"] == {"haproxy.org/timeout-tunnel": "3600s"}


def cells(heading: str) -> dict[str, dict[str, str]]:
    """The table of docs/performance.md with that first cell: rows by their first cell, cells by their head."""
    text = (ROOT / "docs" / "performance.md").read_text()
    lines = iter(text.splitlines())
    head = next(line for line in lines if line.startswith(f"| {heading} |"))
    names = [cell.strip() for cell in head.strip("|").split("|")]
    next(lines)
    found: dict[str, dict[str, str]] = {}
    for line in lines:
        if not line.startswith("|"):
            return found
        row = dict(zip(names, (cell.strip() for cell in line.strip("|").split("|")), strict=True))
        found[row[heading]] = row
    return found


def test_what_is_requested_covers_what_was_measured() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    per_play = cells("tables of four, a person's pace")["400"]
    rate = float(cells("tables of four")["400"]["plays/s"].replace(",", ""))
    named = {"gateway": "gateway, µs a play", "engine": "engine", "lobby": "lobby"}
    for noun, column in named.items():
        cores = float(per_play[column]) * rate / 1e6
        assert (
            float(values[noun]["resources"]["requests"]["cpu"].removesuffix("m")) / 1000 * values[noun]["replicas"]
            >= cores
        )
    a_socket = float(per_play["gateway, bytes a socket"].replace(",", ""))
    gateway = values["gateway"]
    sockets = gateway["autoscaling"]["socketsPerPod"] * a_socket / 2**20
    assert float(gateway["resources"]["requests"]["memory"].removesuffix("Mi")) >= 102 + sockets


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


def test_rules_and_dashboards_are_the_files_as_they_are() -> None:
    rules = {each["metadata"]["name"]: each["spec"] for each in of_kind("full", "PrometheusRule")}
    files = {f"cards-{file.stem}": file for file in (ROOT / "deploy/prometheus/rules").glob("*.yml")}
    assert rules == {name: yaml.safe_load(file.read_text()) for name, file in files.items()}
    maps = of_kind("full", "ConfigMap")
    assert all(each["metadata"]["labels"]["grafana_dashboard"] == "1" for each in maps)
    boards = {name: text for each in maps for name, text in each["data"].items()}
    dashboards = {f"pandemonium-{file.name}": file for file in (ROOT / "deploy/grafana/dashboards").glob("*.json")}
    assert {name: json.loads(text) for name, text in boards.items()} == {
        name: json.loads(file.read_text()) for name, file in dashboards.items()
    }
    assert not of_kind("small", "PrometheusRule", "ConfigMap")


def test_engines_and_gateways_follow_the_load_and_go_one_by_one() -> None:
    resources = {
        each["metadata"]["labels"][COMPONENT]: each["spec"] for each in of_kind("full", "HorizontalPodAutoscaler")
    }
    keda = {each["metadata"]["labels"][COMPONENT]: each["spec"] for each in of_kind("keda", "ScaledObject")}
    assert set(resources) == set(keda) == {"engine", "gateway"}
    for noun in resources:
        (cpu,) = resources[noun]["metrics"]
        assert (cpu["resource"]["name"], cpu["resource"]["target"]["averageUtilization"]) == ("cpu", 65)
        for down in (
            resources[noun]["behavior"]["scaleDown"],
            keda[noun]["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]["scaleDown"],
        ):
            assert down["policies"] == [{"type": "Pods", "value": 1, "periodSeconds": 120}]
    assert [each["type"] for each in keda["engine"]["triggers"]] == ["cpu"]
    assert [each["type"] for each in keda["gateway"]["triggers"]] == ["cpu", "prometheus"]
    asked = keda["gateway"]["triggers"][1]["metadata"]["query"]
    assert re.findall(r"pandemonium_\w+", asked)[0] in (ROOT / "docs/metrics.md").read_text()
