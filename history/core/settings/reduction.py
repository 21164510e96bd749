"""Settings for what is shortened, in which steps, and what is summarised."""

from history.core.settings.kinds import Boolean, Integer, ModelName
from history.core.settings.spec import ADMINISTRATORS, CONVERSATIONS, Group, SettingSpec

TOOLS: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="tool_results_keep",
        label="Tool results kept whole",
        group=Group.TOOLS,
        help="The newest results that stay whole; older ones are sent as [Omitted]. 0 is off. "
        "Keep 1 to 3 for browser agents, 5 to 10 for reasoning agents, 5 for chat.",
        kind=Integer(0, 1_000),
        default=0,
        layers=CONVERSATIONS,
        environment=("HISTORY_TOOL_RESULTS_KEEP",),
    ),
)

CACHE: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="length_stride",
        label="Length stride",
        group=Group.CACHE,
        help="The window's start moves by so many turns at once (that of max_items by so many "
        "messages), so that the provider's prompt cache survives in between. 1 moves it every "
        "turn; half of the length is a good start.",
        kind=Integer(1, 1_000),
        default=1,
        layers=ADMINISTRATORS,
        environment=("HISTORY_LENGTH_STRIDE",),
    ),
    SettingSpec(
        name="results_stride",
        label="Results stride",
        group=Group.CACHE,
        help="So many tool results become [Omitted] at once.",
        kind=Integer(1, 1_000),
        default=1,
        layers=ADMINISTRATORS,
        environment=("HISTORY_RESULTS_STRIDE",),
    ),
    SettingSpec(
        name="token_stride",
        label="Token stride",
        group=Group.CACHE,
        help="Cuts by tokens fall on a grid of so many tokens, counted from the transcript's "
        "start.",
        kind=Integer(1, 100_000),
        default=1,
        layers=ADMINISTRATORS,
        environment=("HISTORY_TOKEN_STRIDE",),
    ),
)

SUMMARIES: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="summarize",
        label="Summarise",
        group=Group.SUMMARIES,
        help="Old messages are sent as summaries, made after a reply. Summarise beyond 50 "
        "messages.",
        kind=Boolean(),
        default=False,
        layers=CONVERSATIONS,
        environment=("HISTORY_SUMMARIZE",),
    ),
    SettingSpec(
        name="trigger_at",
        label="Summarise at",
        group=Group.SUMMARIES,
        help="How many messages without a summary make the first one.",
        kind=Integer(2, 10_000),
        default=100,
        layers=ADMINISTRATORS,
        environment=("HISTORY_TRIGGER_AT",),
    ),
    SettingSpec(
        name="keep_recent",
        label="Messages left whole",
        group=Group.SUMMARIES,
        help="How many of the newest messages a summary leaves out.",
        kind=Integer(2, 10_000),
        default=10,
        layers=ADMINISTRATORS,
        environment=("HISTORY_KEEP_RECENT",),
    ),
    SettingSpec(
        name="summarize_every",
        label="Summarise again every",
        group=Group.SUMMARIES,
        help="How many further messages make another summary.",
        kind=Integer(2, 10_000),
        default=None,
        unset="as many as are left whole",
        layers=ADMINISTRATORS,
        environment=("HISTORY_SUMMARIZE_EVERY",),
    ),
    SettingSpec(
        name="max_checkpoints",
        label="Most summaries",
        group=Group.SUMMARIES,
        help="With more summaries than this, the oldest half is folded into one.",
        kind=Integer(1, 100),
        default=8,
        layers=ADMINISTRATORS,
        environment=("HISTORY_MAX_CHECKPOINTS",),
    ),
    SettingSpec(
        name="summary_model",
        label="Summary model",
        group=Group.SUMMARIES,
        help="The model that writes summaries, as litellm names it.",
        kind=ModelName(),
        default=None,
        unset="the agent's own",
        layers=ADMINISTRATORS,
        environment=("HISTORY_SUMMARY_MODEL",),
    ),
)
