"""The core loads in a Python without any framework."""

import subprocess
import sys
from pathlib import Path

import history.core

CORE = Path(history.core.__file__).parent

IMPORT_THE_CORE = """
import importlib, pkgutil, sys
absent = ["django", "channels", "ninja", "litellm", "tiktoken", "pydantic"]
sys.modules.update(dict.fromkeys(absent))  # None: cannot be imported.
import history.core
for module in pkgutil.walk_packages(history.core.__path__, "history.core."):
    print(importlib.import_module(module.name).__file__)
"""


def test_the_core_needs_the_standard_library_alone():
    command = [sys.executable, "-c", IMPORT_THE_CORE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert {*map(Path, done.stdout.splitlines())} == {*CORE.rglob("*.py")} - {CORE / "__init__.py"}
