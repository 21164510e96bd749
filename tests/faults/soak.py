"""Many rounds, several at once, until enough was killed and cut: `make soak-faults`.

Each round has a seed of its own, which is printed if anything is wrong; the same people then send
the same messages, and the same things break in the same order.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from tests import data, postgres, redis_server
from tests.faults.figures import Figures
from tests.faults.rig import Outcome, Round, rig
from tests.servers import migrated_folder

WORKERS = {"sqlite": 0, "postgresql": 0, "workers": 2}  # Worker processes in each round.
ROUND_SECONDS = 60.0
LIFE = (0.1, 2.0)  # Seconds from a server's answer to its kill.
PEOPLE = 8
DISTURBANCES = 5.0  # On average, each second.


def main() -> int:
    options = parsed()
    seed = options.seed or f"{random.SystemRandom().randrange(10**6)}"
    say(f"SEED={seed}")
    total, faults = Figures(), 0
    began = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vitrine-")))
        if options.on != "sqlite":
            os.environ["DATABASE_URL"] = stack.enter_context(postgres.serving())
        migrated = migrated_folder(folder / "migrated")
        for case, outcome in played(options, seed, migrated):
            total.add(outcome.figures)
            faults += len(outcome.faults)
            report(case, outcome, total, time.monotonic() - began)
    say("\n".join([f"SEED={seed}", f"faults: {faults}", *total.lines()]))
    return int(faults > 0)


def say(text: str) -> None:
    """Print a line without delay, since a person may watch the run for hours."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000, help="and ten times as many cuts")
    parser.add_argument("--seconds", type=float, default=7_200, help="begin nothing after that")
    parser.add_argument("--at-once", type=int, default=3, help="rounds")
    parser.add_argument("--on", choices=["sqlite", "postgresql", "workers"], default="sqlite")
    parser.add_argument("--seed", default="")
    return parser.parse_args()


def played(
    options: argparse.Namespace, seed: str, migrated: Path
) -> Iterator[tuple[Round, Outcome]]:
    """Yield each round as it ends; begin new ones until there were enough kills and cuts."""
    deadline = time.monotonic() + options.seconds
    cases = (
        Round(f"{seed}.{number}", ROUND_SECONDS, PEOPLE, LIFE, DISTURBANCES) for number in count(1)
    )
    done = Figures()
    with ProcessPoolExecutor(options.at_once, get_context("spawn")) as pool:
        running: dict[Future[Outcome], Round] = {}
        while True:
            while (
                not is_enough(done, options.kills)
                and len(running) < options.at_once
                and time.monotonic() < deadline
            ):
                case = next(cases)
                running[pool.submit(play, case, migrated, WORKERS[options.on])] = case
            if not running:
                return
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                done.add(future.result().figures)
                yield running.pop(future), future.result()


def is_enough(done: Figures, kills: int) -> bool:
    return done.counts["kills"] >= kills and done.counts["cuts"] >= 10 * kills


def play(case: Round, migrated: Path, workers: int) -> Outcome:
    """Play one round on a copy of the folder; this runs in a process of the pool."""
    with tempfile.TemporaryDirectory(prefix="vitrine-") as name, ExitStack() as stack:
        folder = Path(name)
        port = 0
        if data.server():
            (folder / "redis").mkdir()
            port = stack.enter_context(redis_server.serving(folder / "redis")).port
        with rig(migrated, folder / "data", case.seed, port, workers) as it:
            return it.play(case)


def report(case: Round, outcome: Outcome, total: Figures, seconds: float) -> None:
    counts = total.counts
    so_far = ", ".join(f"{counts[name]:,} {name}" for name in ("kills", "cuts", "acknowledged"))
    say(f"{seconds:5.0f} s: {so_far}, {len(outcome.faults)} faults in {case.seed}")
    for fault in outcome.faults[:20]:
        say(f"  {case.seed} {fault}"[:6_000])


if __name__ == "__main__":
    sys.exit(main())
