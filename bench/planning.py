"""One turn planned and stored, at growing lengths, beside what others take to trim the same.

Ours reads the database, projects and stores the plan. The others are handed a list that is in
memory already, and store nothing.
"""

from statistics import median
from time import perf_counter
from typing import Any
from uuid import uuid4

import django

from bench.tables import median_ms, milliseconds, print_table
from chatapp import env

env.use_settings("chatapp.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 -- needs the line above
from django.utils import timezone  # noqa: E402
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, trim_messages  # noqa: E402
from litellm.utils import trim_messages as litellm_trim_messages  # noqa: E402

from agents.models import AgentTemplate  # noqa: E402
from history.models import Branch, Conversation, Generation  # noqa: E402
from history.services.access import Actor  # noqa: E402
from history.services.appending import append, assistant_draft, user_draft  # noqa: E402
from history.services.planning import plan_step  # noqa: E402
from history.services.sending import Send, send  # noqa: E402
from history.tokens import count_message  # noqa: E402

LENGTHS = (100, 1_000, 10_000, 100_000)
ROUNDS, WARM = 60, 10
LITELLM_MOST = 10_000
BUDGET = 8_000
BATCH = 10_000
QUESTION = "How do I get from the station to the harbour, and what does it cost? " * 3
ANSWER = "Take tram 28 to the last stop and walk along the river for ten minutes. " * 6
VISITOR = Actor(visitor="b" * 32)


def main() -> None:
    call_command("migrate", verbosity=0)
    agent = AgentTemplate.objects.create(slug="bench", name="Bench", system_prompt="Be brief.")
    rows, ours = [], planning(agent)
    for length in LENGTHS:
        chain = langchain(length)
        rows.append(
            [
                f"{length:,}",
                milliseconds(ours[length]),
                milliseconds(chain),
                milliseconds(litellm(length)),
                f"{chain / ours[length]:,.0f} x",
            ]
        )
    head = ["messages", "Vitrine", "langchain-core", "litellm", "langchain / Vitrine"]
    print_table(f"Planning one turn: lastN 20, or {BUDGET:,} tokens", head, rows)
    ratio = ours[LENGTHS[-1]] / ours[LENGTHS[0]]
    print(f"Planning at {LENGTHS[-1]:,} costs {ratio:.2f} times planning at {LENGTHS[0]:,}.")


def planning(agent: AgentTemplate) -> dict[int, float]:
    """Read, project, store, with `lastN` 20. The lengths take turns, so that each meets the same
    moods of the machine."""
    generations = {length: waiting(agent, length) for length in LENGTHS}
    times: dict[int, list[float]] = {length: [] for length in LENGTHS}
    for step in range(1, ROUNDS + 1):
        for length, generation in generations.items():
            started = perf_counter()
            plan_step(generation, step, lambda parts: parts)
            times[length].append((perf_counter() - started) * 1000)
    return {length: median(found[WARM:]) for length, found in times.items()}


def waiting(agent: AgentTemplate, length: int) -> Generation:
    """A generation that is to answer the last message of a conversation of this length."""
    conversation = conversation_of(agent, length)
    ack = send(VISITOR, Send("And now?", uuid4(), conversation=conversation.pk))
    return Generation.objects.select_related("branch").get(pk=ack.generation.pk)


def conversation_of(agent: AgentTemplate, length: int) -> Conversation:
    conversation = Conversation.objects.create(
        agent=agent, active=timezone.now(), **VISITOR.ownership
    )
    branch = conversation.branch = Branch.objects.create(conversation=conversation)
    conversation.save()
    pair = [user_draft(QUESTION), assistant_draft(ANSWER)]
    for start in range(0, length, BATCH):
        append(branch, pair * (min(BATCH, length - start) // 2))
    return conversation


def langchain(length: int) -> float:
    pair: list[BaseMessage] = [HumanMessage(QUESTION), AIMessage(ANSWER)]
    messages = pair * (length // 2)

    def trim() -> object:
        return trim_messages(
            messages,
            max_tokens=BUDGET,
            strategy="last",
            token_counter=lambda found: sum(count_message(m.type, str(m.content)) for m in found),
            start_on="human",
        )

    return median_ms(trim, 5 if length <= 1_000 else 1)


def litellm(length: int) -> float | None:
    """Not run at the last length: its time grows with the square of it."""
    if length > LITELLM_MOST:
        return None
    pair = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}]
    messages: list[dict[str, Any]] = pair * (length // 2)
    runs = 3 if length <= 1_000 else 1
    return median_ms(
        lambda: litellm_trim_messages(list(messages), model="gpt-4o", max_tokens=BUDGET), runs
    )


if __name__ == "__main__":
    main()
