"""The tests run production in a separate process, because settings are read once, at the start."""

import os
import subprocess
import sys

import pytest

from chatapp.env import DEFAULTS, ROOT
from tests.told import no_number

pytestmark = pytest.mark.machine

COMPLETE = {
    "DJANGO_ENV": "production",
    "SECRET_KEY": "a-secret-of-this-test-0123456789-abcdefghijklmnopqrstuvwxyz",
    "PUBLIC_URL": "https://chat.example.org",
    "ALLOWED_HOSTS": "chat.example.org",
}
SHOW = "from chatapp import settings as s; print({})"


@pytest.fixture
def run(tmp_path):
    """Return a function that runs Python with only these variables of the app set."""
    inherited = {name: value for name, value in os.environ.items() if name not in DEFAULTS}
    own = {"ENV_FILE": os.devnull, "DATA_DIR": str(tmp_path / "data")}

    def run(*arguments, **variables):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=inherited | own | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def refusal(process):
    """Return the sentence with which a process refused to start."""
    assert process.returncode != 0
    return process.stderr.strip().splitlines()[-1].partition(": ")[2]


def test_with_nothing_set_it_names_everything_that_is_missing(run):
    process = run("manage.py", "check", DJANGO_ENV="production")

    assert refusal(process) == (
        "DJANGO_ENV=production: SECRET_KEY is missing or shorter than 50 characters; "
        "PUBLIC_URL is missing; ALLOWED_HOSTS is missing. See .env.example."
    )


@pytest.mark.whole("short key", "poor key", "any host", "no hosts", "debug")
@pytest.mark.parametrize(
    ("variable", "value", "fault"),
    [
        pytest.param(
            "SECRET_KEY", "", "SECRET_KEY is missing or shorter than 50 characters", id="no key"
        ),
        pytest.param(
            "SECRET_KEY",
            "short",
            "SECRET_KEY is missing or shorter than 50 characters",
            id="short key",
        ),
        pytest.param(
            "SECRET_KEY",
            "abcabcabc" * 8,
            "SECRET_KEY has fewer than 10 different characters",
            id="poor key",
        ),
        pytest.param("PUBLIC_URL", "", "PUBLIC_URL is missing", id="no address"),
        pytest.param("ALLOWED_HOSTS", "", "ALLOWED_HOSTS is missing", id="no hosts"),
        pytest.param("ALLOWED_HOSTS", "*", "ALLOWED_HOSTS must not contain *", id="any host"),
        pytest.param("DEBUG", "true", "DEBUG is true", id="debug"),
    ],
)
def test_one_fault_is_enough_to_refuse(run, variable, value, fault):
    process = run("manage.py", "check", **{**COMPLETE, variable: value})

    assert refusal(process) == f"DJANGO_ENV=production: {fault}. See .env.example."


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        pytest.param(
            {"DJANGO_ENV": "prod"},
            "DJANGO_ENV='prod' in the environment: must be one of local, lan, production",
            id="environment",
        ),
        pytest.param(
            {"DEFAULT_HISTORY_LENGTH": "5abc"},
            f"environment: {no_number('DEFAULT_HISTORY_LENGTH', '5abc')}",
            id="history length",
        ),
        pytest.param(
            {
                "DEFAULT_HISTORY_POLICY": "all",
                "NEXT_PUBLIC_DEFAULT_HISTORY_POLICY": "none",
            },
            "environment: DEFAULT_HISTORY_POLICY=all, "
            "NEXT_PUBLIC_DEFAULT_HISTORY_POLICY=none: set only one of them",
            id="two spellings",
        ),
    ],
)
def test_a_bad_variable_stops_the_start_in_local_mode_too(run, variables, sentence):
    assert refusal(run("manage.py", "check", **variables)) == sentence


def test_the_deployment_checks_find_nothing(run):
    process = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", **COMPLETE)

    assert (process.returncode, process.stderr) == (0, "")
    assert "no issues" in process.stdout


@pytest.mark.parametrize(
    ("variable", "value", "fault"),
    [
        ("PUBLIC_URL", "https://a.org", "PUBLIC_URL is set, but a network is served under this"),
        ("ALLOWED_HOSTS", "*", "ALLOWED_HOSTS must not contain *"),
        ("DEBUG", "true", "DEBUG is true"),
    ],
)
def test_what_a_network_may_not_be_served_with(run, variable, value, fault):
    process = run("manage.py", "check", **{"DJANGO_ENV": "lan", variable: value})

    assert refusal(process).startswith(f"DJANGO_ENV=lan: {fault}")


def test_checking_does_not_import_litellm(run):
    script = (
        "import sys; from chatapp import env; env.use_settings('chatapp.settings')\n"
        "from django.core.management import execute_from_command_line as go\n"
        "go(['manage.py', 'check']); print('litellm' in sys.modules)"
    )

    process = run("-c", script)

    assert process.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize(
    ("variables", "shown", "expected"),
    [
        pytest.param(
            COMPLETE,
            "s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME",
            "__Host-sessionid __Host-csrftoken",
            id="cookies of this host alone",
        ),
        pytest.param(
            COMPLETE | {"PUBLIC_URL": "http://chat.intranet"},
            "s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME",
            "sessionid csrftoken",
            id="plain names without TLS",
        ),
        pytest.param(COMPLETE, "s.DEBUG, s.ANONYMOUS_CHAT", "False False", id="closed"),
        pytest.param(
            COMPLETE,
            "s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS",
            "True True 31536000",
            id="https only",
        ),
        pytest.param(
            COMPLETE | {"PUBLIC_URL": "http://chat.intranet"},
            "s.SESSION_COOKIE_SECURE, s.SECURE_HSTS_SECONDS",
            "False 0",
            id="an intranet without TLS",
        ),
        pytest.param(
            COMPLETE | {"ANONYMOUS_CHAT": "true"}, "s.ANONYMOUS_CHAT", "True", id="opened"
        ),
        pytest.param({}, "s.DEBUG, s.ANONYMOUS_CHAT", "False True", id="local mode"),
        pytest.param(
            {"DJANGO_ENV": "lan"},
            "s.ANONYMOUS_CHAT, s.API_DOCS, s.SENDS_PER_MINUTE, 'localhost' in s.ALLOWED_HOSTS",
            "False False 30 True",
            id="a network is not this machine",
        ),
        pytest.param(
            {}, "s.ALLOWED_HOSTS", "['127.0.0.1', 'localhost', '[::1]']", id="loopback only"
        ),
    ],
)
def test_what_the_mode_decides(run, variables, shown, expected):
    assert run("-c", SHOW.format(shown), **variables).stdout.strip() == expected


def test_local_mode_keeps_its_secret_to_itself(run, tmp_path):
    show = SHOW.format("s.SECRET_KEY")

    first, second = run("-c", show).stdout, run("-c", show).stdout

    assert first == second
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "data" / "secret_key").read_text() == first.strip()


ADDRESSES = (
    "import django; from chatapp import env; env.use_settings('chatapp.settings'); django.setup()\n"
    "from django.urls import resolve; from django.http import Http404\n"
    "for path in ('/api/docs', '/api/openapi.json', '/api/agents'):\n"
    "    try: resolve(path); print('there')\n"
    "    except Http404: print('gone')\n"
)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        pytest.param(COMPLETE, ["gone", "gone", "there"], id="production"),
        pytest.param(COMPLETE | {"API_DOCS": "true"}, ["there"] * 3, id="production, opened"),
        pytest.param({}, ["there"] * 3, id="local mode"),
    ],
)
def test_the_apis_page_is_closed_in_production(run, variables, expected):
    assert run("-c", ADDRESSES, **variables).stdout.split() == expected
