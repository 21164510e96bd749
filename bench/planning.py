"""Measure planning and storing a turn: every way to keep a history short, at growing lengths.

The time includes reading the database, projecting and storing the plan.
"""

from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

import django

from bench.tables import milliseconds, print_table
from chatapp import env

env.use_settings("chatapp.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 -- needs the line above

from bench.conversations import agent_with, summarised, waiting  # noqa: E402
from history.core.settings.spec import Value  # noqa: E402
from history.models import Generation  # noqa: E402
from history.services.planning.planning import plan_step, store_plan  # noqa: E402

LENGTHS = (100, 1_000, 10_000, 100_000)
ROUNDS, WARM = 40, 8
STRATEGIES: dict[str, dict[str, Value]] = {
    "lastN 20": {"policy": "lastN", "length": 20},
    "max_items 40": {"policy": "all", "max_items": 40},
    "8,000 tokens": {"policy": "all", "token_budget": 8_000},
    "8,000 tokens, tools, checkpoints": {
        "policy": "all",
        "token_budget": 8_000,
        "tool_results_keep": 5,
        "summarize": True,
    },
    "lastN 20, reasoning, images": {"policy": "lastN", "length": 20},
    "8,000 tokens, reasoning, images": {"policy": "all", "token_budget": 8_000},
    "8,000 tokens, 3 images, reasoning of 5 turns": {
        "policy": "all",
        "token_budget": 8_000,
        "images_keep": 3,
        "reasoning_keep": 5,
    },
}


def main() -> None:
    call_command("migrate", verbosity=0)
    measured = {name: flat(name, values) for name, values in STRATEGIES.items()}
    rows = [
        [name, *(milliseconds(times[length]) for length in LENGTHS), _ratio(times)]
        for name, times in measured.items()
    ]
    head = ["one turn, read, planned and stored", *(f"{n:,}" for n in LENGTHS), "100,000 / 100"]
    print_table("Planning one turn, by messages stored", head, rows)


def flat(name: str, values: dict[str, Value]) -> dict[int, float]:
    """Return the median milliseconds by length. The rounds alternate between the lengths, so that
    other load on the machine affects all of them alike.
    """
    generations = {length: _waiting(name, values, length) for length in LENGTHS}
    times: dict[int, list[float]] = {length: [] for length in LENGTHS}
    for step in range(1, ROUNDS + 1):
        for length, generation in generations.items():
            times[length].append(_timed(partial(_plan, generation, step)))
    return {length: median(found[WARM:]) for length, found in times.items()}


def _waiting(name: str, values: dict[str, Value], length: int) -> Generation:
    with_tools = "checkpoints" in name
    agent = agent_with(name.replace(",", ""), **values)
    generation = waiting(agent, length, tools=with_tools, parts="images" in name)
    if with_tools:
        summarised(generation)
    return generation


def _plan(generation: Generation, step: int) -> None:
    planned = plan_step(generation, step)
    store_plan(planned, vars(planned.parts))


def _timed(action: Callable[[], object]) -> float:
    started = perf_counter()
    action()
    return (perf_counter() - started) * 1000


def _ratio(times: dict[int, float]) -> str:
    return f"{times[LENGTHS[-1]] / times[LENGTHS[0]]:.2f}"


if __name__ == "__main__":
    main()
