"""Settings for old tool results, for the steps in which windows move, and for summaries."""

from history.core.settings.spec import (
    ADMINISTRATORS,
    CONVERSATIONS,
    Boolean,
    Choice,
    Integer,
    ModelName,
    SettingGroup,
    SettingSpec,
    gettext_noop,
)

FREE, STABLE = "free", "stable"

TOOLS: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="tool_results_keep",
        label=gettext_noop("Tool results kept in full"),
        group=SettingGroup.TOOLS,
        help=gettext_noop(
            "How many of the newest tool results the model sees in full; older ones become "
            "[Omitted]. 0 sends all in full. Pinned ones always stay, and don't count. Try 1 to 3 "
            "for browser agents, 5 to 10 for reasoning agents, 5 for chat."
        ),
        kind=Integer(0, 1_000),
        default=0,
        zero=gettext_noop("0 (all)"),
        zero_means=gettext_noop("0 means all"),
        layers=CONVERSATIONS,
        environment=("HISTORY_TOOL_RESULTS_KEEP",),
    ),
)

CACHE: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="length_stride",
        label=gettext_noop("Length step"),
        group=SettingGroup.CACHE,
        help=gettext_noop(
            "The step by which the window moves: in turns, or in messages if a history window is "
            "set. Larger steps keep the provider's prompt cache valid for longer; 1 moves it every "
            "turn. Try half the length."
        ),
        kind=Integer(1, 1_000),
        default=1,
        layers=ADMINISTRATORS,
        environment=("HISTORY_LENGTH_STRIDE",),
    ),
    SettingSpec(
        name="results_stride",
        label=gettext_noop("Results step"),
        group=SettingGroup.CACHE,
        help=gettext_noop("Number of tool results omitted at a time."),
        kind=Integer(1, 1_000),
        default=1,
        layers=ADMINISTRATORS,
        environment=("HISTORY_RESULTS_STRIDE",),
    ),
    SettingSpec(
        name="images_stride",
        label=gettext_noop("Images step"),
        group=SettingGroup.CACHE,
        help=gettext_noop("Number of images omitted at a time."),
        kind=Integer(1, 1_000),
        default=1,
        layers=ADMINISTRATORS,
        environment=("HISTORY_IMAGES_STRIDE",),
    ),
    SettingSpec(
        name="files_stride",
        label=gettext_noop("Files step"),
        group=SettingGroup.CACHE,
        help=gettext_noop("Number of files omitted at a time."),
        kind=Integer(1, 1_000),
        default=1,
        layers=ADMINISTRATORS,
        environment=("HISTORY_FILES_STRIDE",),
    ),
    SettingSpec(
        name="token_stride",
        label=gettext_noop("Token budget step"),
        group=SettingGroup.CACHE,
        help=gettext_noop(
            "When a request exceeds the token budget, older messages are left out in steps of "
            "this many tokens. Larger steps keep the provider's prompt cache valid for longer; 1 "
            "leaves out no more than is necessary."
        ),
        kind=Integer(1, 100_000),
        default=1,
        layers=ADMINISTRATORS,
        environment=("HISTORY_TOKEN_STRIDE",),
    ),
    SettingSpec(
        name="prefix",
        label=gettext_noop("Prefix"),
        group=SettingGroup.CACHE,
        help=gettext_noop(
            "Whether a request begins like the one before it, so that the provider's cache can be "
            "used. free: each request may shorten messages that the one before it sent in full. "
            "stable: while tools run, earlier messages stay as they were sent, unless the context "
            "window is too small; windows without steps of their own move in steps; and an edited "
            "system prompt is sent after the messages that were already sent. stable is the "
            "default for models that accept their reasoning back only after an unchanged beginning."
        ),
        kind=Choice((FREE, STABLE)),
        words={
            FREE: gettext_noop("free to change with every request"),
            STABLE: gettext_noop("stable while tools run, with windows that move in steps"),
        },
        default=FREE,
        layers=ADMINISTRATORS,
        environment=("HISTORY_PREFIX",),
    ),
)

SUMMARIES: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="summarize",
        label=gettext_noop("Summarise"),
        group=SettingGroup.SUMMARIES,
        help=gettext_noop(
            "Replaces old messages with summaries, which are written after an answer. Useful "
            "beyond about 50 messages."
        ),
        kind=Boolean(),
        default=False,
        layers=CONVERSATIONS,
        environment=("HISTORY_SUMMARIZE",),
    ),
    SettingSpec(
        name="trigger_at",
        label=gettext_noop("Summarise at"),
        group=SettingGroup.SUMMARIES,
        help=gettext_noop("Number of messages after which the first summary is written."),
        kind=Integer(2, 10_000),
        default=100,
        layers=ADMINISTRATORS,
        environment=("HISTORY_TRIGGER_AT",),
    ),
    SettingSpec(
        name="keep_recent",
        label=gettext_noop("Recent messages not summarised"),
        group=SettingGroup.SUMMARIES,
        help=gettext_noop("Number of recent messages that are never summarised."),
        kind=Integer(2, 10_000),
        default=10,
        layers=ADMINISTRATORS,
        environment=("HISTORY_KEEP_RECENT",),
    ),
    SettingSpec(
        name="summarize_every",
        label=gettext_noop("Summarise again every"),
        group=SettingGroup.SUMMARIES,
        help=gettext_noop("Number of further messages after which another summary is written."),
        kind=Integer(2, 10_000),
        default=None,
        unset=gettext_noop("same as recent messages not summarised"),
        layers=ADMINISTRATORS,
        environment=("HISTORY_SUMMARIZE_EVERY",),
    ),
    SettingSpec(
        name="max_checkpoints",
        label=gettext_noop("Maximum number of summaries"),
        group=SettingGroup.SUMMARIES,
        help=gettext_noop(
            "When there are more summaries than this, the oldest half is merged into one."
        ),
        kind=Integer(1, 100),
        default=8,
        layers=ADMINISTRATORS,
        environment=("HISTORY_MAX_CHECKPOINTS",),
    ),
    SettingSpec(
        name="summary_model",
        label=gettext_noop("Summary model"),
        group=SettingGroup.SUMMARIES,
        help=gettext_noop(
            "The model that writes summaries, with its provider, such as openai/gpt-4o."
        ),
        kind=ModelName(),
        default=None,
        unset=gettext_noop("the agent's own"),
        layers=ADMINISTRATORS,
        environment=("HISTORY_SUMMARY_MODEL",),
    ),
)
