"""Measure a search in all chats of one account, in a database that also holds another account's."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter, process_time

import django

from bench.tables import median_ms, milliseconds, print_table
from chatapp import env

env.use_settings("chatapp.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402 -- needs the line above
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from agents.models import AgentTemplate  # noqa: E402
from bench.conversations import agent_with, new_conversation  # noqa: E402
from bench.texts import ANSWER, QUESTION  # noqa: E402
from history.models import Conversation  # noqa: E402
from history.services.access import Actor  # noqa: E402
from history.services.path.appending import (  # noqa: E402
    NewMessage,
    append,
    assistant_message,
    user_message,
)
from history.services.search import find, install, remove  # noqa: E402

CHATS, MESSAGES, RUNS = 20, 5_000, 15
LETTERS, WORDS, OWN = "bdfgklmnprstvz", 20_000, 10  # Each message also has OWN random words.
FACTS = (
    "The spare key is under the blue pot.",
    "Change at stop 14 for the castle.",
    "It is written in C++, says the zq.",
    "Look into settings.py of v1.2.3.",
)
QUERIES = {
    "two rare words": "spare pot",
    "a word of every message, and a rare one": "harbour key",
    "a word of every message": "harbour",
    "two words of every message": "harbour station",
    "a word that nobody said": "zeppelin",
    "a common word and a number": "stop 14",
    "the same as a phrase": '"stop 14"',
    "a name with signs": "C++",
    "names with dots": "settings.py v1.2.3",
    "a rare word of two letters": "zq",
    "a word of two letters in every message": "to",
    "a single letter": "t",
    "a phrase of every second message": '"last stop"',
    "a phrase that nobody said, of words in every message": '"cost harbour"',
}


def main() -> None:
    call_command("migrate", verbosity=0)
    agent = agent_with("search")
    actor = Actor(user=_owner("ada", agent))
    _owner("bob", agent)
    _count_rows()
    head = [f"{CHATS * MESSAGES:,} own messages, {connection.vendor}", "chats found", "median"]
    head += ["processor time"]
    print_table("Search", head, [_row(actor, name) for name in QUERIES])
    print(f"The index made again: {_made_again()}")


def _count_rows() -> None:
    """Let PostgreSQL plan for what is stored. It does so itself, but only once in a minute."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _owner(name: str, agent: AgentTemplate) -> User:
    """Make an account with chats. The facts are in its oldest chat."""
    user, random = User.objects.create_user(name), Random(name)
    _chat(user, agent, map(user_message, FACTS))
    for _ in range(CHATS):
        _chat(user, agent, _messages(random))
    return user


def _chat(user: User, agent: AgentTemplate, messages: Iterator[NewMessage]) -> None:
    chat = new_conversation(agent)
    Conversation.objects.filter(pk=chat.pk).update(owner=user, visitor="")
    assert chat.branch
    append(chat.branch, list(messages))


def _messages(random: Random) -> Iterator[NewMessage]:
    words = ["".join(random.choices(LETTERS, k=random.randint(1, 9))) for _ in range(WORDS)]
    for number in range(MESSAGES // 2):
        yield user_message(f"{QUESTION}{' '.join(random.choices(words, k=OWN))} {number}")
        yield assistant_message(f"{ANSWER}{' '.join(random.choices(words, k=OWN))} harbour station")


def _row(actor: Actor, name: str) -> list[str]:
    look = partial(find, actor, QUERIES[name])
    wall = median_ms(look, RUNS)
    return [name, str(len(look())), milliseconds(wall), milliseconds(_processor_ms(look))]


def _processor_ms(look: Callable[[], object]) -> float:
    """Return the processor milliseconds of one call, including a local PostgreSQL's share."""
    began, ticks = process_time(), _server_ticks()
    for _ in range(RUNS):
        look()
    server = (_server_ticks() - ticks) / os.sysconf("SC_CLK_TCK")
    return (process_time() - began + server) * 1000 / RUNS


def _server_ticks() -> int:
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (process,) = cursor.fetchone()
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return int(fields[11]) + int(fields[12])


def _made_again() -> str:
    """Return how long a migration takes that rebuilds the search index of all messages."""
    began, busy = perf_counter(), process_time()
    remove(connection)
    install(connection)
    wall, processor = perf_counter() - began, process_time() - busy
    return f"{milliseconds(wall * 1000)}, {milliseconds(processor * 1000)} of a processor here"


if __name__ == "__main__":
    main()
