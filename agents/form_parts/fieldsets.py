"""The order of fields in the admin's forms: the main ones first, all others in folded sections."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from agents.fields import SettingField
from history.core.settings.spec import SettingGroup

FOLD = ["collapse"]
REMEMBERS = ("policy", "length", "length_stride")  # Always shown.
REMEMBERS_FIELDS = ("history_policy", ("history_length", "history_length_stride"))

ADVICE = {
    SettingGroup.WINDOW: (
        _("Memory: window"),
        _("Empty fields use the site defaults, then the built-in values."),
    ),
    SettingGroup.BUDGET: (_("Memory: budget"), _("In tokens. Only what exceeds it is left out.")),
    SettingGroup.TOOLS: (
        _("Memory: tool results"),
        _("Tool results are often long and seldom needed twice."),
    ),
    SettingGroup.ATTACHMENTS: (
        _("Memory: images and files"),
        _("An image can cost as much as pages of text, in every request that sends it again."),
    ),
    SettingGroup.REASONING: (
        _("Memory: reasoning"),
        _("What the model thinks is kept in any case. Most models need it only while tools run."),
    ),
    SettingGroup.CACHE: (
        _("Memory: cache"),
        _(
            "How far the window moves at a time. Larger steps keep the provider's prompt cache "
            "valid for longer."
        ),
    ),
    SettingGroup.SUMMARIES: (
        _("Memory: summaries"),
        _(
            "Useful beyond about 50 messages. Summaries are written after an answer and never "
            "delay it."
        ),
    ),
}
PROCESSORS = (_("Memory: processors"), {"fields": ["processors"], "classes": FOLD})

AGENT_FIRST = (None, {"fields": ("name", "model", "system_prompt")})
AGENT_FOLDS = (
    (
        _("Address, description, starters"),
        {"fields": ("slug", "description", "starters", "enabled"), "classes": FOLD},
    ),
    (
        _("Model: more"),
        {"fields": ("allowed_models", "temperature", "output_limit"), "classes": FOLD},
    ),
    (_("Tools and delegation"), {"fields": ("tools", "asks"), "classes": FOLD}),
    (
        _("Prompt: context texts"),
        {"fields": ("context", "prompt_is_public"), "classes": FOLD},
    ),
)


def setting_folds(declared: dict[str, SettingField]) -> list[Any]:
    """Make a folded section for each group of settings, without settings that are always shown."""
    return [_fold(declared, group) for group in SettingGroup]


def remembering(first: tuple[Any, dict[str, Any]]) -> tuple[Any, dict[str, Any]]:
    """Add the settings in `REMEMBERS_FIELDS` to the section that is always shown."""
    title, options = first
    return title, {**options, "fields": (*options["fields"], *REMEMBERS_FIELDS)}


def _fold(declared: dict[str, SettingField], group: SettingGroup) -> tuple[Any, Any]:
    rest = [
        name
        for name, field in declared.items()
        if field.spec.group is group and field.spec.name not in REMEMBERS
    ]
    title, advice = ADVICE[group]
    return title, {"fields": rest, "description": advice, "classes": FOLD}
