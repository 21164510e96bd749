"""Settings for how many messages are sent, and how many tokens they may cost."""

from history.core.settings.registry import BUILT_IN_PRUNERS, pruner_names
from history.core.settings.spec import (
    ADMINISTRATORS,
    CONVERSATIONS,
    EVERYONE,
    TEMPLATE,
    Boolean,
    Choice,
    Integer,
    SettingGroup,
    SettingSpec,
    gettext_noop,
)

WINDOW: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="policy",
        label=gettext_noop("History policy"),
        group=SettingGroup.WINDOW,
        help=gettext_noop(
            "The policy says how much of the chat the model sees: none, lastN or all."
        ),
        kind=Choice(("none", "lastN", "all")),
        words={
            "none": gettext_noop("only the new message"),
            "lastN": gettext_noop("the last turns"),
            "all": gettext_noop("everything"),
        },
        default="lastN",
        layers=EVERYONE,
        environment=("DEFAULT_HISTORY_POLICY", "NEXT_PUBLIC_DEFAULT_HISTORY_POLICY"),
        url="historyPolicy",
    ),
    SettingSpec(
        name="length",
        label=gettext_noop("History length"),
        group=SettingGroup.WINDOW,
        help=gettext_noop(
            "The length in turns: how many of the newest the model sees, the current one included. "
            "0 and 1 both send the current turn alone."
        ),
        advice=gettext_noop("Try 5 to 20."),
        kind=Integer(0, 10_000),
        default=20,
        layers=EVERYONE,
        environment=("DEFAULT_HISTORY_LENGTH", "NEXT_PUBLIC_DEFAULT_HISTORY_LENGTH"),
        url="historyLength",
    ),
    SettingSpec(
        name="preserve_system_messages",
        label=gettext_noop("Send the chat's system messages"),
        group=SettingGroup.WINDOW,
        help=gettext_noop(
            "Whether the model always sees the system messages inside a chat, such as one that "
            "staff imported. If off, they are all left out. The agent's own prompt is not one of "
            "them: it is always sent."
        ),
        kind=Boolean(),
        default=True,
        layers=ADMINISTRATORS,
        environment=("HISTORY_PRESERVE_SYSTEM_MESSAGES",),
    ),
    SettingSpec(
        name="max_items",
        label=gettext_noop("History window (items)"),
        group=SettingGroup.WINDOW,
        help=gettext_noop(
            "The window in messages: the model sees no more than these. At least one question and "
            "one text answer are always kept. Try 40."
        ),
        kind=Integer(2, 10_000),
        default=None,
        unset=gettext_noop("off"),
        layers=CONVERSATIONS,
        environment=("HISTORY_MAX_ITEMS",),
    ),
)

BUDGET: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="token_budget",
        label=gettext_noop("Token budget"),
        group=SettingGroup.BUDGET,
        help=gettext_noop(
            "The budget of a request in tokens, including the output reserve. Only the excess is "
            "left out."
        ),
        kind=Integer(256),
        default=None,
        unset=gettext_noop("the context window"),
        layers=CONVERSATIONS,
        environment=("HISTORY_TOKEN_BUDGET",),
    ),
    SettingSpec(
        name="context_window",
        label=gettext_noop("Context window"),
        group=SettingGroup.BUDGET,
        help=gettext_noop(
            "The model's limit in tokens. Set it if the model catalogue doesn't know the model or "
            "has the wrong limit."
        ),
        kind=Integer(512),
        default=8_192,
        default_source="assumed",
        layers=TEMPLATE,
        environment=("HISTORY_CONTEXT_WINDOW",),
    ),
    SettingSpec(
        name="output_reserve",
        label=gettext_noop("Output reserve"),
        group=SettingGroup.BUDGET,
        help=gettext_noop("Tokens of the context window reserved for the answer."),
        kind=Integer(1),
        default=4_096,
        layers=ADMINISTRATORS,
        environment=("HISTORY_OUTPUT_RESERVE",),
    ),
    SettingSpec(
        name="pruner",
        label=gettext_noop("Pruner"),
        group=SettingGroup.BUDGET,
        help=gettext_noop(
            "The pruner decides what to leave out when a request exceeds the token budget: the "
            "oldest turns, all but the newest turns, or older messages that a summary replaces."
        ),
        kind=Choice(BUILT_IN_PRUNERS, pruner_names),
        words={
            "fifo": gettext_noop("the oldest turns"),
            "sliding_window": gettext_noop("all but the newest turns"),
            "summarize": gettext_noop("what a summary replaces"),
        },
        default="fifo",
        layers=CONVERSATIONS,
        environment=("HISTORY_PRUNER",),
    ),
    SettingSpec(
        name="sliding_window_turns",
        label=gettext_noop("Sliding window (turns)"),
        group=SettingGroup.BUDGET,
        help=gettext_noop("Number of turns that stay if the pruner leaves out all but the newest."),
        kind=Integer(1, 10_000),
        default=10,
        layers=ADMINISTRATORS,
        environment=("HISTORY_SLIDING_WINDOW_TURNS",),
    ),
    SettingSpec(
        name="min_history_turns",
        label=gettext_noop("Protected turns"),
        group=SettingGroup.BUDGET,
        help=gettext_noop(
            "Number of recent complete turns that no pruner leaves out. They may exceed the token "
            "budget, but never the context window."
        ),
        kind=Integer(0, 100),
        default=3,
        layers=ADMINISTRATORS,
        environment=("HISTORY_MIN_TURNS",),
    ),
    SettingSpec(
        name="max_message_tokens",
        label=gettext_noop("Largest message"),
        group=SettingGroup.BUDGET,
        help=gettext_noop(
            "Maximum tokens per message. A longer message keeps its beginning and end, with a "
            "marker in between."
        ),
        kind=Integer(64),
        default=None,
        unset=gettext_noop("half of the history budget"),
        layers=ADMINISTRATORS,
        environment=("HISTORY_MAX_MESSAGE_TOKENS",),
    ),
)
