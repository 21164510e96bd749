"""Two hundred turns under other settings: read, planned and priced."""

import django

from bench.tables import median_ms, milliseconds, print_table
from chatapp import env

env.use_settings("chatapp.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 -- needs the line above

from bench.conversations import agent_with, conversation_of  # noqa: E402
from history.core.settings.spec import Value  # noqa: E402
from history.models import Conversation  # noqa: E402
from history.services.whatif.replaying import replayed  # noqa: E402
from history.services.whatif.trying import Variant, present, tried  # noqa: E402

TURNS, RUNS = 200, 3
VARIANTS: dict[str, dict[str, Value]] = {
    "lastN 20": {"policy": "lastN", "length": 20},
    "lastN 20 in steps of 10": {"policy": "lastN", "length": 20, "length_stride": 10},
    "everything, window of 1,000,000": {"policy": "all", "context_window": 1_000_000},
    "everything, window of 128,000": {"policy": "all"},
    "8,000 tokens, results kept 5": {
        "policy": "all",
        "token_budget": 8_000,
        "tool_results_keep": 5,
    },
    "everything, window of 128,000, results kept 5": {"policy": "all", "tool_results_keep": 5},
    "everything, window of 1,000,000, results kept 5": {
        "policy": "all",
        "context_window": 1_000_000,
        "tool_results_keep": 5,
    },
    "max_items 40": {"policy": "all", "max_items": 40},
}


def main() -> None:
    call_command("migrate", verbosity=0)
    agent = agent_with("replay", policy="none")
    plain = conversation_of(agent, 2 * TURNS, tools=False)
    tools = conversation_of(agent, 4 * TURNS, tools=True)
    rows = [[name, _time(plain, name), _time(tools, name)] for name in VARIANTS]
    head = ["200 turns replayed", "plain", "with a tool call each: 400 requests"]
    print_table("Replay of a conversation under other settings", head, rows)
    asked = Variant("all", {"policy": "all"})
    single = median_ms(lambda: tried(present(plain), [asked]), RUNS)
    print(f"One turn of 400 messages under policy all, beside its own: {milliseconds(single)}")


def _time(conversation: Conversation, name: str) -> str:
    """Measure a variant, less the replay of the present settings that comes with every variant."""
    base = median_ms(lambda: replayed(conversation, [], TURNS), RUNS)
    both = median_ms(lambda: replayed(conversation, [Variant(name, VARIANTS[name])], TURNS), RUNS)
    return milliseconds(both - base)


if __name__ == "__main__":
    main()
