"""Settings for how many messages are sent, and how many tokens they may cost."""

from history.core.registry import BUILT_IN_PRUNERS, pruner_names
from history.core.settings.kinds import Boolean, Choice, Integer
from history.core.settings.spec import (
    ADMINISTRATORS,
    CONVERSATIONS,
    EVERYONE,
    TEMPLATE,
    Group,
    SettingSpec,
)

WINDOW: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="policy",
        label="History policy",
        group=Group.WINDOW,
        help="How much of the transcript is sent: none, lastN or all.",
        kind=Choice(("none", "lastN", "all")),
        default="lastN",
        layers=EVERYONE,
        environment=("DEFAULT_HISTORY_POLICY", "NEXT_PUBLIC_DEFAULT_HISTORY_POLICY"),
        url="historyPolicy",
    ),
    SettingSpec(
        name="length",
        label="History length",
        group=Group.WINDOW,
        help="How many user messages lastN keeps, the current one included. 0 acts as 1. "
        "Start with 5 to 20.",
        kind=Integer(0, 10_000),
        default=20,
        layers=EVERYONE,
        environment=("DEFAULT_HISTORY_LENGTH", "NEXT_PUBLIC_DEFAULT_HISTORY_LENGTH"),
        url="historyLength",
    ),
    SettingSpec(
        name="preserve_system_messages",
        label="Preserve system messages",
        group=Group.WINDOW,
        help="System messages inside the transcript survive every policy; false removes them all. "
        "The agent's own prompt is not among them.",
        kind=Boolean(),
        default=True,
        layers=ADMINISTRATORS,
        environment=("HISTORY_PRESERVE_SYSTEM_MESSAGES",),
    ),
    SettingSpec(
        name="max_items",
        label="History window (items)",
        group=Group.WINDOW,
        help="Most messages of what the policy leaves; at least one question and one answer in "
        "words stay. A good start is 40.",
        kind=Integer(2, 10_000),
        default=None,
        unset="off",
        layers=CONVERSATIONS,
        environment=("HISTORY_MAX_ITEMS",),
    ),
)

BUDGET: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="token_budget",
        label="Token budget",
        group=Group.BUDGET,
        help="Most tokens that a request may use, the output reserve included. Only what is over "
        "it is pruned.",
        kind=Integer(256),
        default=None,
        unset="the context window",
        layers=CONVERSATIONS,
        environment=("HISTORY_TOKEN_BUDGET",),
    ),
    SettingSpec(
        name="context_window",
        label="Context window",
        group=Group.BUDGET,
        help="The model's own limit in tokens, where its catalogue is missing or wrong.",
        kind=Integer(512),
        default=8_192,
        default_source="assumed",
        layers=TEMPLATE,
        environment=("HISTORY_CONTEXT_WINDOW",),
    ),
    SettingSpec(
        name="output_reserve",
        label="Output reserve",
        group=Group.BUDGET,
        help="Tokens of the context window kept free for the answer.",
        kind=Integer(1),
        default=4_096,
        layers=ADMINISTRATORS,
        environment=("HISTORY_OUTPUT_RESERVE",),
    ),
    SettingSpec(
        name="pruner",
        label="Pruner",
        group=Group.BUDGET,
        help="What goes when the history is over its budget: fifo takes the oldest turns, "
        "sliding_window keeps a number of turns, summarize also asks for a summary.",
        kind=Choice(BUILT_IN_PRUNERS, pruner_names),
        default="fifo",
        layers=CONVERSATIONS,
        environment=("HISTORY_PRUNER",),
    ),
    SettingSpec(
        name="sliding_window_turns",
        label="Sliding window (turns)",
        group=Group.BUDGET,
        help="How many turns the pruner sliding_window keeps.",
        kind=Integer(1, 10_000),
        default=10,
        layers=ADMINISTRATORS,
        environment=("HISTORY_SLIDING_WINDOW_TURNS",),
    ),
    SettingSpec(
        name="min_history_turns",
        label="Protected turns",
        group=Group.BUDGET,
        help="The newest complete turns that no pruner takes. They may exceed the token budget, "
        "never the context window.",
        kind=Integer(0, 100),
        default=3,
        layers=ADMINISTRATORS,
        environment=("HISTORY_MIN_TURNS",),
    ),
    SettingSpec(
        name="max_message_tokens",
        label="Largest message",
        group=Group.BUDGET,
        help="A message with more tokens is sent as its head and tail with a marker between.",
        kind=Integer(64),
        default=None,
        unset="half of the history budget",
        layers=ADMINISTRATORS,
        environment=("HISTORY_MAX_MESSAGE_TOKENS",),
    ),
)
