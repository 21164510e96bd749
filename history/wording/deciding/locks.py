"""Why an address or a chat can't change a setting: the server sets it, or sets another one that is
tied to it.
"""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from history.core.settings.resolution import locked_by
from history.core.settings.resolved import ResolvedSetting
from history.wording.deciding.sources import in_brackets
from history.wording.names import label_of


def lock_of(settings: Mapping[str, ResolvedSetting], name: str) -> str:
    """Return a few words to stand beside a locked setting's value; empty if it is not locked."""
    setting = locked_by(settings, name)
    if setting is None:
        return ""
    if setting.name == name:
        return _("can't be changed here")
    return _("goes with {setting}, which the server sets").format(setting=label_of(setting.name))


def why_locked(settings: Mapping[str, ResolvedSetting], name: str, *, is_staff: bool) -> str:
    """Say in a sentence what locks the setting and, to staff, which variable; empty if it is not
    locked.
    """
    setting = locked_by(settings, name)
    if setting is None:
        return ""
    variable = in_brackets(setting.winner.variable or setting.winner.source, is_staff=is_staff)
    if setting.name == name:
        return _("Set by the server{variable}.").format(variable=variable)
    sentence = _(
        "It can't be changed here: the server sets {other}{variable}, and {setting} goes with it."
    )
    return sentence.format(other=label_of(setting.name), setting=label_of(name), variable=variable)
