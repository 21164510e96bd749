"""The variables of history settings, each in a new process: settings are read at the start."""

import os
import subprocess
import sys

import pytest

from chatapp.env import DEFAULTS, ROOT

pytestmark = pytest.mark.machine

OWN = """
def keep_all(turns, settings, budget):
    return 0

def nothing(**options):
    return lambda segments: ()
"""
SHOW = """
import django
django.setup()
from django.conf import settings
from history.core.settings import registry
from history.core.settings.resolution import resolve
pruner = resolve([settings.HISTORY_ENVIRONMENT]).value("pruner")
print(pruner, [*registry.pruners], [*registry.processors], settings.HISTORY_CAPS)
"""


@pytest.fixture
def start(tmp_path):
    """Return a function that runs Python with only these variables set, and a module `own`."""
    (tmp_path / "own.py").write_text(OWN)
    inherited = {name: value for name, value in os.environ.items() if name not in DEFAULTS}
    given = {
        "ENV_FILE": os.devnull,
        "DATA_DIR": str(tmp_path / "data"),
        "PYTHONPATH": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "chatapp.settings",
    }

    def start(**variables):
        return subprocess.run(
            [sys.executable, "-c", SHOW],
            cwd=ROOT,
            env=inherited | given | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    return start


def test_what_is_of_ones_own_is_registered_and_may_be_set(start):
    process = start(
        HISTORY_CUSTOM_PRUNERS="mine=own.keep_all",
        HISTORY_CUSTOM_PROCESSORS="none=own.nothing",
        HISTORY_PRUNER="mine",
        HISTORY_LENGTH_MAX="50",
        HISTORY_TOKEN_BUDGET_MAX="",
    )

    assert process.stdout == "mine ['mine'] ['none'] Caps(length=50, token_budget=None)\n"


@pytest.mark.whole(
    "a name that is taken",
    "a tokenizer that is not there",
    "a bad name",
    "a cap that is no number",
    "a misspelt choice",
    "a tokenizer without a function",
    "misspelt names",
    "one that means something else",
)
@pytest.mark.parametrize(
    ("variables", "fault"),
    [
        pytest.param(
            {"HISTORY_CUSTOM_PRUNERS": "mine=own.gone"},
            "HISTORY_CUSTOM_PRUNERS, mine=own.gone: "
            'Module "own" does not define a "gone" attribute/class',
            id="not there",
        ),
        pytest.param(
            {"HISTORY_CUSTOM_PROCESSORS": "fine=own.nothing,token_limiter=own.nothing"},
            "HISTORY_CUSTOM_PROCESSORS, token_limiter=own.nothing: "
            "token_limiter: is taken, choose another name",
            id="a name that is taken",
        ),
        pytest.param(
            {"HISTORY_CUSTOM_PRUNERS": "Mine=own.keep_all"},
            "HISTORY_CUSTOM_PRUNERS, Mine=own.keep_all: Mine: must be at most 40 lower-case "
            "letters, digits and underscores, a letter first",
            id="a bad name",
        ),
        pytest.param(
            {"HISTORY_TOKENIZERS": "ollama_chat/*=own.gone"},
            "HISTORY_TOKENIZERS, ollama_chat/*=own.gone: "
            'Module "own" does not define a "gone" attribute/class',
            id="a tokenizer that is not there",
        ),
        pytest.param(
            {"HISTORY_TOKENIZERS": "ollama_chat/*"},
            "HISTORY_TOKENIZERS='ollama_chat/*' in the environment: "
            "must be name=package.module.function, separated by commas, each name once",
            id="a tokenizer without a function",
        ),
        pytest.param(
            {"HISTORY_PRUNER": "mine"},
            "environment: HISTORY_PRUNER=mine: must be fifo, sliding_window or summarize",
            id="a pruner that nobody registers",
        ),
        pytest.param(
            {"DEFAULT_HISTORY_POLICY": "lastn"},
            "environment: DEFAULT_HISTORY_POLICY=lastn: must be none, lastN or all "
            "(did you mean lastN?)",
            id="a misspelt choice",
        ),
        pytest.param(
            {"DEFAULT_HISTORY_LENGHT": "5", "HISTORY_IMAGE_KEEP": "1", "OTHER_HISTORY": "2"},
            "environment: DEFAULT_HISTORY_LENGHT: no such variable; did you mean "
            "DEFAULT_HISTORY_LENGTH?; HISTORY_IMAGE_KEEP: no such variable; did you mean "
            "HISTORY_IMAGES_KEEP?",
            id="misspelt names",
        ),
        pytest.param(
            {"MAX_MULTIMODAL_MESSAGES": "0", "HISTORY_FILES_KEEP": "0"},
            "environment: MAX_MULTIMODAL_MESSAGES: not accepted, because it counts messages, and 0 "
            "of them is none; set HISTORY_IMAGES_KEEP instead, which counts images, and 0 of which "
            "is all",
            id="one that means something else",
        ),
        pytest.param(
            {"HISTORY_LENGTH_MAX": "many"},
            "HISTORY_LENGTH_MAX='many' in the environment: must be a whole number from 1 to 10,000",
            id="a cap that is no number",
        ),
    ],
)
def test_a_bad_variable_stops_the_start(start, variables, fault):
    process = start(**variables)

    assert process.returncode != 0
    assert process.stderr.strip().splitlines()[-1].partition(": ")[2] == fault
