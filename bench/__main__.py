"""Run every measurement, each in a process and a data folder of its own: `make bench`.

Measurements write a great deal, so they never use the developer's database, not even the one in
`DATABASE_URL`. To measure another database than SQLite, name it in `BENCH_DATABASE_URL`.

The machine may be shared: compare ratios within one run, not single times of different runs.
"""

import os
import subprocess
import sys
import tempfile

from chatapp import env

MEASUREMENTS = (
    "bench.planning",
    "bench.searching",
    "bench.inspector",
    "bench.peers",
    "bench.first_token",
    "bench.streaming",
    "bench.turns",
    "bench.chats",
    "bench.telling",
    "bench.weighing",
    "bench.scaling",
    "bench.in_a_browser",
    "bench.hostile",
)


def main() -> int:
    chosen = [name for name in MEASUREMENTS if not sys.argv[1:] or name.split(".")[1] in sys.argv]
    codes = []
    env.prepare_libraries()  # Child processes inherit this: no network.
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", name]
            done = subprocess.run(command, env=surroundings(folder), check=False)
            codes.append(done.returncode)
    return int(any(codes))


def surroundings(folder: str) -> dict[str, str]:
    """Return a measurement's environment. An empty DATABASE_URL means SQLite in the folder."""
    address = os.environ.get("BENCH_DATABASE_URL", "")
    return os.environ | {"DATA_DIR": folder, "DATABASE_URL": address, "ENV_FILE": os.devnull}


if __name__ == "__main__":
    sys.exit(main())
