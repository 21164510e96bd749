"""Every measurement, each in a process and a data folder of its own: `make bench`.

The machine may be shared: read the ratios of one run, not single times of different runs.
"""

import os
import subprocess
import sys
import tempfile

from chatapp import env

MEASUREMENTS = (
    "bench.planning",
    "bench.replaying",
    "bench.recalling",
    "bench.inspector",
    "bench.peers",
    "bench.first_token",
    "bench.start_up",
)


def main() -> int:
    chosen = [name for name in MEASUREMENTS if not sys.argv[1:] or name.split(".")[1] in sys.argv]
    codes = []
    env.prepare_libraries()  # What is started from here inherits it: no network.
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"DATA_DIR": folder, "ENV_FILE": os.devnull}
            command = [sys.executable, "-m", name]
            codes.append(subprocess.run(command, env=environment, check=False).returncode)
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
