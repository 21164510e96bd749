"""Search for a fact ten thousand messages back, in the configured database."""

from functools import partial

import django

from bench.tables import median_ms, milliseconds, print_table
from chatapp import env

env.use_settings("chatapp.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 -- needs the line above
from django.db import connection  # noqa: E402

from bench.conversations import agent_with, begun, conversation_of, filled  # noqa: E402
from history.models import Branch, Conversation  # noqa: E402
from history.services.path.appending import append, user_message  # noqa: E402
from history.services.search import recall  # noqa: E402

MESSAGES, RUNS = 10_000, 15
LAST = 1_000_000  # A turn after all others.
FACT = "The spare key is under the blue pot."
QUERIES = {
    "two rare words": "spare pot",
    "a question": "where is the spare key?",
    "a word of every message, and a rare one": "harbour key",
    "a word that nobody said": "zeppelin",
}


def main() -> None:
    call_command("migrate", verbosity=0)
    agent = agent_with("recall")
    conversation_of(agent, MESSAGES, tools=False)  # Another conversation of the same length.
    branch = _with_fact(begun(agent))
    head = [f"{MESSAGES:,} messages back, {connection.vendor}", "found", "median"]
    print_table("Recall", head, [_row(branch, name) for name in QUERIES])


def _with_fact(conversation: Conversation) -> Branch:
    assert conversation.branch
    append(conversation.branch, [user_message(FACT)])
    filled(conversation, MESSAGES, tools=False)
    return conversation.branch


def _row(branch: Branch, name: str) -> list[str]:
    look = partial(recall, branch, LAST, QUERIES[name], 5)
    found = any(each.excerpt == FACT for each in look())
    return [name, "yes" if found else "no", milliseconds(median_ms(look, RUNS))]


if __name__ == "__main__":
    main()
