"""Compose and Kubernetes files use variables, paths and commands that exist, and agree."""

import re
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands
from django.urls import resolve

from chatapp.env import DEFAULTS
from chatapp.process.draining import LAST_SECONDS
from chatapp.process.working import END_SECONDS

DEPLOY = Path(__file__).resolve().parent.parent.parent / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "containers/compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "vitrine"}
KUSTOMIZATION = yaml.safe_load((DEPLOY / "kubernetes/kustomization.yaml").read_text())
OBJECTS = [
    found
    for name in KUSTOMIZATION["resources"]
    for found in yaml.safe_load_all((DEPLOY / "kubernetes" / name).read_text())
]
KEYS = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY"}  # Read by their own names: see docs/providers.md.
PODS = {
    each["metadata"]["name"]: each["spec"]["template"]["spec"]
    for each in OBJECTS
    if each["kind"] == "Deployment"
}


def of_kind(kind):
    return {each["metadata"]["name"]: each["spec"] for each in OBJECTS if each["kind"] == kind}


def subcommand(command):
    return command[command.index("manage.py") + 1]


@pytest.mark.parametrize("name", OURS)
def test_compose_sets_variables_that_there_are(name):
    assert set(OURS[name]["environment"]) <= set(DEFAULTS) | KEYS


def test_compose_asks_for_what_its_example_has():
    text = (DEPLOY / "containers/compose.yaml").read_text()
    example = (DEPLOY / "containers/example.env").read_text()

    asked = set(re.findall(r"\$\{(\w+)", text))
    assert asked == set(re.findall(r"^(\w+)=", example, re.MULTILINE))


def test_nothing_in_compose_may_get_more_rights():
    for service in SERVICES.values():
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert all(service["read_only"] and service["cap_drop"] == ["ALL"] for service in OURS.values())


def test_only_the_proxy_is_reached_from_outside():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]


def test_kubernetes_sets_variables_that_there_are():
    (configured,) = KUSTOMIZATION["configMapGenerator"]

    names = {literal.split("=", 1)[0] for literal in configured["literals"]}
    assert names <= set(DEFAULTS)


def test_every_file_for_kubernetes_is_used():
    files = {path.name for path in (DEPLOY / "kubernetes").iterdir()}

    assert files == {"kustomization.yaml", *KUSTOMIZATION["resources"]}


@pytest.mark.parametrize("name", PODS)
def test_a_pod_has_no_rights_that_it_does_not_need(name):
    (container,) = PODS[name]["containers"]

    assert PODS[name]["securityContext"]["runAsNonRoot"]
    assert not PODS[name]["automountServiceAccountToken"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"].keys() == {"requests", "limits"}


@pytest.mark.parametrize("name", PODS)
def test_each_deployment_scales_and_survives_maintenance(name):
    scaled = of_kind("HorizontalPodAutoscaler")[name]

    assert scaled["scaleTargetRef"]["name"] == name
    assert scaled["minReplicas"] > of_kind("PodDisruptionBudget")[name]["minAvailable"]


def test_probes_ask_what_is_answered():
    (container,) = PODS["vitrine-web"]["containers"]
    probes = {each: container[f"{each}Probe"] for each in ("startup", "liveness", "readiness")}

    names = {each: resolve(probe["httpGet"]["path"]).url_name for each, probe in probes.items()}
    assert names == {"startup": "healthz", "liveness": "healthz", "readiness": "readyz"}


def test_there_is_time_to_let_answers_end():
    (configured,) = KUSTOMIZATION["configMapGenerator"]
    (seconds,) = (
        int(literal.split("=")[1])
        for literal in configured["literals"]
        if literal.startswith("DRAIN_SECONDS=")
    )
    graces = [pod["terminationGracePeriodSeconds"] for pod in PODS.values()]
    drain = int(OURS["web"]["environment"]["DRAIN_SECONDS"])
    stops = [service["stop_grace_period"] for service in OURS.values()]

    assert min(graces) >= END_SECONDS + seconds + LAST_SECONDS
    assert set(stops) == {f"{END_SECONDS + drain + LAST_SECONDS:.0f}s"}


def test_what_is_started_is_a_command_of_the_app():
    commands = [service["command"] for service in OURS.values() if "command" in service]
    commands += [
        pod["containers"][0].get("command", ["manage.py", "serve"]) for pod in PODS.values()
    ]

    assert {subcommand(command) for command in commands} <= set(get_commands())


@pytest.mark.parametrize(
    ("file", "size"),
    [
        ("deploy/containers/Caddyfile", r"@files \{\s+max_size (\d+)MB"),
        ("deploy/kubernetes/ingress.yaml", r"proxy-body-size: (\d+)m"),
        ("docs/operations.md", r"imports\)\$ \{[^}]+client_max_body_size (\d+)m"),
    ],
)
def test_a_proxy_lets_the_largest_file_through(file, size):
    (most,) = re.findall(size, (DEPLOY.parent / file).read_text())

    assert int(most) * 1_000_000 >= int(DEFAULTS["MAX_IMPORT_BYTES"]) + 65_536
