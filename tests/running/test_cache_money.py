"""How much a window's stride saves, computed from requests that the provider received."""

from decimal import Decimal

from history.core.money.cost import Prices, Usage, cost_of
from history.tokens import count_message
from tests.people import Person
from tests.provider import Reply

TURNS = 100
CLAUDE = Prices(
    input=Decimal(1), output=Decimal(0), cache_read=Decimal("0.1"), cache_write=Decimal("1.25")
)
WINDOW = {
    "DEFAULT_HISTORY_POLICY": "lastN",
    "DEFAULT_HISTORY_LENGTH": "20",
    "HISTORY_CONTEXT_WINDOW": "200000",
}
SYSTEM, USER, ANSWER, RESULT = 1_500, 60, 240, 600  # In words, about a token each.


def words(count, name):
    return " ".join([name] * count)


def received(app, provider, **environment):
    """Hold 100 turns; return each request's messages. Every other answer is longer."""
    provider.reset()
    server = app(**WINDOW, **provider.environment, **environment)
    server.write("UPDATE agents_agenttemplate SET system_prompt = ?", words(SYSTEM, "rule"))
    with Person(server).tab() as tab:
        conversation = None
        for turn in range(1, TURNS + 1):
            longer = RESULT if turn % 2 == 0 else 0
            provider.script(Reply(text=[words(ANSWER + longer, f"answer{turn}")]))
            ack, _ = tab.ask(
                words(USER, f"question{turn}"), agent="demo", conversation=conversation
            )
            conversation = ack["conversation"]
    return [request["messages"] for request in provider.requests]


def money(requests):
    """Return the cost if each request reads a shared prefix from the cache, and writes the rest."""
    total, before = Decimal(0), []
    for messages in requests:
        shared = next((n for n, m in enumerate(messages) if before[n : n + 1] != [m]), 0)
        sizes = [count_message(m["role"], m["content"]) for m in messages]
        read, prompt = sum(sizes[:shared]), sum(sizes)
        total += cost_of(Usage(prompt, cache_read=read, cache_write=prompt - read), CLAUDE).total
        before = messages
    return total


def test_a_window_moved_in_steps_costs_a_third_of_one_that_slides(app, provider):
    sliding = received(app, provider, HISTORY_LENGTH_STRIDE="1")
    in_steps = received(app, provider, HISTORY_LENGTH_STRIDE="10")

    assert (len(sliding), len(in_steps)) == (TURNS, TURNS)
    assert money(in_steps) * 3 <= money(sliding)
    assert min(len(messages) for messages in in_steps[30:]) >= len(sliding[-1])
