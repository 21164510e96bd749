"""history/core/README.md: each block runs without Django, and prints the text below it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import history.core

ROOM = Path(history.core.__file__).parent
ROOT = ROOM.parents[1]
PAGE = (ROOM / "README.md").read_text()
BLOCK = re.compile(r"^```python\n(.*?)^```\n\n```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = BLOCK.findall(PAGE)

# With `-I` and `-S`, Python imports no installed package. The script blocks some besides.
RUN = """
import sys
absent = ["django", "channels", "ninja", "litellm", "tiktoken", "pydantic"]
sys.modules.update(dict.fromkeys(absent))  # None: cannot be imported.
sys.path.insert(0, sys.argv[1])
exec(sys.stdin.read(), {"__name__": "__main__"})
"""


def printed(code: str) -> str:
    """Run code in a Python without packages, and return what it prints."""
    command = [sys.executable, "-I", "-S", "-c", RUN, str(ROOT)]
    done = subprocess.run(command, input=code, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


def test_the_page_begins_with_ten_lines_that_run_as_they_stand():
    heading, blank, fence, *_ = PAGE.splitlines()
    code, output = BLOCKS[0]

    assert (heading[:2], blank, fence) == ("# ", "", "```python")
    assert len(code.splitlines()) <= 10
    assert printed(code) == output


@pytest.mark.parametrize("number", range(2, len(BLOCKS) + 1))
def test_each_block_prints_what_stands_below_it(number):
    """A block may use names from the blocks before it."""
    *before, (code, output) = BLOCKS[:number]
    earlier = "".join(f"{each}\n" for each, _ in before)

    assert printed(earlier + code).removeprefix("".join(out for _, out in before)) == output


def test_every_block_of_code_is_run():
    assert len(BLOCKS) == PAGE.count("```python\n") >= 5


def test_the_page_uses_only_names_that_the_engine_offers():
    imported = re.findall(r"^from history\.core import (.+)$", PAGE, re.MULTILINE)
    names = {name for line in imported for name in line.split(", ")}

    assert re.findall(r"^(?:from|import) (?!history\.core import)", PAGE, re.MULTILINE) == []
    assert names <= set(history.core.__all__)
    assert [name for name in history.core.__all__ if not re.search(rf"\b{name}\b", PAGE)] == []


def test_the_engine_offers_about_ten_names_and_each_exists():
    assert len(history.core.__all__) <= 14
    assert all(hasattr(history.core, name) for name in history.core.__all__)
