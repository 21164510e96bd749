"""Word why bound reasoning is left out: what changed before it, and which setting changed that."""

from django.utils.translation import gettext as _

from history.core.settings.resolved import Settings
from history.core.settings.spec import shown
from history.core.words.facts import Fact
from history.wording.deciding.sources import source_name
from history.wording.differences import difference_of
from history.wording.names import quoted

SETTING = "setting"


def unbound(change: Fact, settings: Settings) -> str:
    """Say what first changed; `change` may name the setting that decides about it now."""
    return _(
        "not sent: the model accepts it only after exactly what preceded it when it was written, "
        "but {change}"
    ).format(change=_decided(change, settings))


def _decided(change: Fact, settings: Settings) -> str:
    clause, name = difference_of(change.without(SETTING)), str(change.figures.get(SETTING, ""))
    if name not in settings:
        return clause
    winner = settings[name].winner
    return _("{change} ({setting} is {value}, from {source})").format(
        change=clause,
        setting=quoted(name),
        value=shown(winner.value),
        source=source_name(winner),
    )
