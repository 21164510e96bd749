"""Settings for what messages hold besides their text: images, files and reasoning."""

from history.core.settings.spec import (
    CONVERSATIONS,
    Choice,
    Integer,
    SettingGroup,
    SettingSpec,
    gettext_noop,
)

UNSET_EFFORT = "default"  # The request states no effort, and the provider decides.
EFFORTS = (UNSET_EFFORT, "none", "minimal", "low", "medium", "high", "xhigh", "max")

ATTACHMENTS: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="images_keep",
        label=gettext_noop("Images kept"),
        group=SettingGroup.ATTACHMENTS,
        help=gettext_noop(
            "How many of the newest images the model sees; older ones become "
            "[Image omitted: name]. 0 sends all. Those of the current message always stay, and so "
            "do those of pinned messages, which don't count. Try 2 to 5."
        ),
        kind=Integer(0, 1_000),
        default=0,
        zero=gettext_noop("0 (all)"),
        zero_means=gettext_noop("0 means all"),
        layers=CONVERSATIONS,
        environment=("HISTORY_IMAGES_KEEP",),
    ),
    SettingSpec(
        name="files_keep",
        label=gettext_noop("Files kept"),
        group=SettingGroup.ATTACHMENTS,
        help=gettext_noop(
            "How many of the newest files the model sees; older ones become "
            "[File omitted: name]. 0 sends all. Those of the current message always stay, and so "
            "do those of pinned messages, which don't count."
        ),
        kind=Integer(0, 1_000),
        default=0,
        zero=gettext_noop("0 (all)"),
        zero_means=gettext_noop("0 means all"),
        layers=CONVERSATIONS,
        environment=("HISTORY_FILES_KEEP",),
    ),
)

REASONING: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="reasoning_keep",
        label=gettext_noop("Turns whose reasoning is kept"),
        group=SettingGroup.REASONING,
        help=gettext_noop(
            "How many earlier turns' reasoning the model sees again; 0 sends none. It always sees "
            "that of the current turn. The document “Reasoning” says which models lose something "
            "with 0."
        ),
        kind=Integer(0, 1_000),
        default=0,
        zero=gettext_noop("0 (none)"),
        zero_means=gettext_noop("0 means none"),
        layers=CONVERSATIONS,
        environment=("HISTORY_REASONING_KEEP",),
    ),
    SettingSpec(
        name="reasoning_effort",
        label=gettext_noop("Reasoning effort"),
        group=SettingGroup.REASONING,
        help=gettext_noop(
            "How much a reasoning model thinks before it answers; default leaves it to the "
            "provider. Not every model takes every value."
        ),
        kind=Choice(EFFORTS),
        words={UNSET_EFFORT: gettext_noop("as the provider decides")},
        default=UNSET_EFFORT,
        layers=CONVERSATIONS,
        environment=("HISTORY_REASONING_EFFORT",),
    ),
)
