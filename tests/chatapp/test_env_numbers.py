"""Every number in the environment has a range; a value outside of it stops the start, by name."""

import json
import os
import re
import subprocess
import sys

import pytest

from chatapp.env import ROOT
from chatapp.env.variables import VARIABLES
from history.core.settings.spec import Integer
from history.core.settings.table import SETTINGS
from tests import data

pytestmark = pytest.mark.machine

CAPS = {"HISTORY_LENGTH_MAX", "HISTORY_TOKEN_BUDGET_MAX"}
OF_HISTORY = {name for s in SETTINGS if isinstance(s.kind, Integer) for name in s.environment}
NUMBERS = {v.name for v in VARIABLES if v.default.isdigit()}
TRIED = ["0", "-1", "9" * 12, "9" * 5000, "many", "1e3", "1.5", "1_000", "\uff13", " 3", "0x10"]
# A process reads Django's settings only once, so this script reads them again for each value.
READ_ALL = """
import importlib, json, os, sys
import chatapp.settings
found = {}
for name, value in json.load(sys.stdin):
    os.environ[name] = value
    try:
        importlib.reload(chatapp.settings)
    except ValueError as refusal:
        found.setdefault(name, {})[value] = str(refusal)
    else:
        found.setdefault(name, {})[value] = "accepted"
    del os.environ[name]
print(json.dumps(found))
"""
START = "from chatapp.process.lifespan import reap; from django.core.management import call_command"
START += "; call_command('check'); call_command('migrate', verbosity=0); reap()"
# Requests by two people: one signs in, and the other is a visitor without an account.
COME = """
from django.contrib.auth.models import User
from django.test import Client
User.objects.create_user("ada", password="correct horse battery")
client = Client(headers={"host": "127.0.0.1"})
who = {"username": "ada", "password": "correct horse battery"}
print(client.post("/login", who).status_code, client.get("/chat").status_code)
print(Client(headers={"host": "127.0.0.1"}).post("/visitor").status_code)
"""


def surroundings(folder):
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "ENV_FILE": os.devnull, **data.variables(folder)}


def run(folder, *arguments, told="", **environment):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=surroundings(folder) | environment,
        input=told,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return data.make(tmp_path_factory.mktemp("numbers"))


@pytest.fixture(scope="module")
def outcomes(folder):
    """Return, by variable and value, whether the value is accepted, or the refusal."""
    cases = [(name, value) for name in sorted(NUMBERS | OF_HISTORY | CAPS) for value in TRIED]
    return json.loads(run(folder, "-c", READ_ALL, told=json.dumps(cases)))


@pytest.mark.parametrize("name", sorted(NUMBERS | OF_HISTORY | CAPS))
def test_what_is_no_number_in_its_range_is_refused_by_name(outcomes, name):
    refusal = re.compile(rf"{name}=.* must be a whole number from \d[\d,]* to \d[\d,]*$")
    found = dict(outcomes[name])
    if found["0"] == "accepted":
        del found["0"]

    assert {value: text for value, text in found.items() if not refusal.search(text)} == {}


@pytest.mark.whole
@pytest.mark.parametrize("end", [0, 1], ids=["the least", "the most"])
def test_the_app_works_with_all_numbers_at_either_end_of_their_ranges(outcomes, tmp_path, end):
    ranges = {name: re.findall(r"from (\S+) to (\S+)$", outcomes[name]["-1"]) for name in NUMBERS}
    values = {name: found[0][end].replace(",", "") for name, found in ranges.items()}

    answers = run(data.make(tmp_path), "manage.py", "shell", "-c", START + COME, **values)

    assert answers.split()[-3:] == ["302", "200", "204"]
