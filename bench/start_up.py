"""Measure `manage.py check`, and make sure that it loads no litellm."""

import subprocess
import sys

from bench.tables import median_ms, milliseconds, print_table

CHECK = [sys.executable, "manage.py", "check"]
BARE = [sys.executable, "-c", "import django; from django.conf import settings"]
LITELLM = [sys.executable, "-c", "import litellm"]
LOADED = (
    "import sys; from chatapp import env; env.use_settings('chatapp.settings');"
    "from django.core.management import execute_from_command_line as run;"
    "run(['manage.py', 'check']); sys.exit('litellm' in sys.modules)"
)


def main() -> None:
    rows = [
        ["manage.py check", run(CHECK)],
        ["import django", run(BARE)],
        ["import litellm", run(LITELLM)],
    ]
    print_table("Start-up", ["", "median"], rows)
    loaded = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, check=False)
    print(f"manage.py check imports litellm: {'yes' if loaded.returncode else 'no'}")


def run(command: list[str]) -> str:
    return milliseconds(
        median_ms(lambda: subprocess.run(command, capture_output=True, check=True), 5)
    )


if __name__ == "__main__":
    main()
