"""The core must load where no framework is installed, in an interpreter of its own."""

import subprocess
import sys

IMPORT_THE_CORE = """
import importlib, pkgutil, sys
absent = ["django", "channels", "ninja", "litellm", "tiktoken", "pydantic"]
sys.modules.update(dict.fromkeys(absent))  # None: cannot be imported.
import history.core
for module in pkgutil.iter_modules(history.core.__path__, "history.core."):
    importlib.import_module(module.name)
"""


def test_the_core_needs_the_standard_library_alone():
    subprocess.run([sys.executable, "-c", IMPORT_THE_CORE], check=True)
