"""Search all chats of one account, beside another account's, in the configured database."""

from functools import partial

import django

from bench.tables import median_ms, milliseconds, print_table
from chatapp import env

env.use_settings("chatapp.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402 -- needs the line above
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from agents.models import AgentTemplate  # noqa: E402
from bench.conversations import agent_with, begun, conversation_of  # noqa: E402
from history.models import Conversation  # noqa: E402
from history.services.access import Actor  # noqa: E402
from history.services.path.appending import append, user_message  # noqa: E402
from history.services.search import find  # noqa: E402

CHATS, MESSAGES, RUNS = 20, 5_000, 15
FACT = "The spare key is under the blue pot."
QUERIES = {
    "two rare words": "spare pot",
    "a word of every message, and a rare one": "harbour key",
    "a word of every message": "harbour",
    "two words of every message": "harbour station",
    "a word that nobody said": "zeppelin",
}


def main() -> None:
    call_command("migrate", verbosity=0)
    agent = agent_with("search")
    actor = Actor(user=_owner("ada", agent))
    _owner("bob", agent)
    head = [f"{CHATS * MESSAGES:,} own messages, {connection.vendor}", "chats found", "median"]
    print_table("Search", head, [_row(actor, name) for name in QUERIES])


def _owner(name: str, agent: AgentTemplate) -> User:
    """Make an account with its chats, the oldest of which holds the fact."""
    user = User.objects.create_user(name)
    first = begun(agent)
    assert first.branch
    append(first.branch, [user_message(FACT)])
    chats = [first, *(conversation_of(agent, MESSAGES, tools=False) for _ in range(CHATS))]
    for chat in chats:
        Conversation.objects.filter(pk=chat.pk).update(owner=user, visitor="")
    return user


def _row(actor: Actor, name: str) -> list[str]:
    look = partial(find, actor, QUERIES[name])
    return [name, str(len(look())), milliseconds(median_ms(look, RUNS))]


if __name__ == "__main__":
    main()
