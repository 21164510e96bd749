"""The check finds faults in scripts that would break every page."""

import subprocess
import sys

import pytest


@pytest.fixture
def check(chromium_path):
    """Return a function that checks a folder of scripts: exit code and messages."""

    def run(*arguments):
        command = [sys.executable, "-m", "deploy.scripts", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr.splitlines()

    return run


def test_the_apps_own_scripts_can_be_read(check):
    assert check() == (0, [])


def test_each_fault_is_named_with_its_script_and_line_and_nothing_is_run(check, tmp_path):
    for name, text in {
        "twice.js": "export const grow = 1;\nconst grow = 2;",
        "cut.js": "export function half() {",
        "asks.js": 'import { more } from "./fine.js";',
        "lost.js": 'import "./gone.js";',
        "fine.js": 'export const one = 1;\nthrow new Error("It was run.");',
        "above.js": 'import { grow } from "./twice.js";',
    }.items():
        (tmp_path / name).write_text(text)

    assert check(str(tmp_path)) == (
        1,
        [
            "gone.js: there is no such script",
            "twice.js:2: Uncaught SyntaxError: Identifier 'grow' has already been declared",
            "asks.js:1: Uncaught SyntaxError: The requested module './fine.js' does not provide an"
            " export named 'more'",
            "cut.js:1: Uncaught SyntaxError: Unexpected end of input",
        ],
    )
