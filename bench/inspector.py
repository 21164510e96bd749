"""Measure how long the chat's pages take, one request each, by the number of stored messages.

Every turn has the record of its request, so the times include adding up the records. They are
processor times, which other work on the machine changes little.
"""

from collections.abc import Callable
from statistics import median
from time import process_time

import django

from bench.tables import milliseconds, print_table
from chatapp import env

env.use_settings("chatapp.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 -- needs the line above
from django.test import Client  # noqa: E402

from bench.answered import make_records  # noqa: E402
from bench.conversations import VISITOR, agent_with  # noqa: E402
from history.models import ContextPlan  # noqa: E402

LENGTHS = (100, 1_000, 10_000, 100_000)
ROUNDS, WARM = 7, 2


def panel(middle: ContextPlan, last: ContextPlan) -> str:
    return f"{_chat(last)}/panel"


def turn_page(middle: ContextPlan, last: ContextPlan) -> str:
    return f"{_chat(middle)}/debug/turn/{middle.generation.turn}"


def what_if(middle: ContextPlan, last: ContextPlan) -> str:
    return f"{_chat(last)}/panel/what-if?{_named(last)}&set.policy=lastN&set.length=5"


def what_if_all(middle: ContextPlan, last: ContextPlan) -> str:
    return f"{_chat(last)}/panel/what-if?{_named(last)}&set.policy=all&set.token_budget="


def _chat(record: ContextPlan) -> str:
    return f"/chat/{record.generation.conversation_id}"


def _named(record: ContextPlan) -> str:
    return f"generation={record.generation_id}&step=1"


PAGES: dict[str, Callable[[ContextPlan, ContextPlan], str]] = {
    "chat, first page": lambda middle, last: _chat(last),
    "panel": panel,
    "page of a turn in the middle": turn_page,
    "what-if, lastN 5": what_if,
    "what-if, all": what_if_all,
}


def main() -> None:
    call_command("migrate", verbosity=0)
    browser, agent = _browser(), agent_with("lastN 20", policy="lastN", length=20)
    records = {length: make_records(agent, length) for length in LENGTHS}
    rows = []
    for page, address in PAGES.items():
        addresses = {length: address(*found) for length, found in records.items()}
        rows.append(_row(page, _flat(browser, addresses)))
    head = ["processor time", *(f"{n:,}" for n in LENGTHS), "100,000 / 100"]
    print_table("The inspector and the chat, by messages stored", head, rows)


def _browser() -> Client:
    """Return a browser for the visitor who owns the conversations."""
    browser = Client(SERVER_NAME="localhost")
    session = browser.session
    session["visitor"] = VISITOR.visitor
    session.save()
    return browser


def _flat(browser: Client, addresses: dict[int, str]) -> dict[int, float]:
    """Return the median milliseconds by length. The rounds alternate between the lengths, so that
    other load on the machine affects all of them alike.
    """
    times: dict[int, list[float]] = {length: [] for length in LENGTHS}
    for _ in range(ROUNDS):
        for length, address in addresses.items():
            times[length].append(_timed(browser, address))
    return {length: median(found[WARM:]) for length, found in times.items()}


def _timed(browser: Client, address: str) -> float:
    started = process_time()
    response = browser.get(address)
    took = (process_time() - started) * 1000
    if response.status_code != 200:
        raise RuntimeError(f"{address}: {response.status_code}")
    return took


def _row(name: str, times: dict[int, float]) -> list[str]:
    ratio = times[LENGTHS[-1]] / times[LENGTHS[0]]
    return [name, *map(milliseconds, times.values()), f"{ratio:.2f}"]


if __name__ == "__main__":
    main()
