"""Say why a value that somebody asked for has no effect."""

from django.utils.translation import gettext as _

from history.core.settings.resolved import ResolvedSetting
from history.core.settings.spec import STRIDE, LayerName
from history.core.words.facts import Rule
from history.wording.deciding.sources import decider_for, in_brackets
from history.wording.names import label_of
from history.wording.settings import reason_of, shown_setting


def why_lost(setting: ResolvedSetting, value: object, layer: LayerName, *, is_staff: bool) -> str:
    """Say why another value applies than the layer's; the text is empty if the layer's applies.
    Only staff are told the name of the environment's variable.
    """
    winner = setting.winner
    is_outranked = winner.layer is LayerName.ENVIRONMENT if value is None else winner.value != value
    if not is_outranked:
        return ""
    own = next((c for c in setting.candidates if c.layer is layer), winner)
    figures = {
        "setting": label_of(setting.name),
        "value": shown_setting(setting.name, winner.value),
        "source": decider_for(winner, is_staff=is_staff),
    }
    if own.reason and own.reason.rule is Rule.LOCKED:
        return _("{setting} stays {value}: set by {source}.").format(**figures)
    if own.capped:
        variable = in_brackets(winner.deciding_variable, is_staff=is_staff)
        sentence = _("{setting} is {value}: the server allows no more{variable}.")
        return sentence.format(**figures, variable=variable)
    if own.reason:
        sentence = _("{setting} stays {value}, set by {source}. The value asked for: {reason}.")
        return sentence.format(**figures, reason=reason_of(own))
    return _("{setting} stays {value}, set by {source}.").format(**figures)


def not_per_chat(name: str) -> str:
    return _("{setting} can't be set per chat.").format(setting=label_of(name))


def changed_since(name: str, value: object) -> str:
    text = _("{setting} has changed since: it is {value} now.")
    return text.format(setting=label_of(name), value=shown_setting(name, value))


def exact_length(stride: object) -> str:
    """Say that a chat's own length does not move in steps."""
    text = _("{setting} becomes {value}: a length of the chat's own is exact.")
    return text.format(setting=label_of(STRIDE), value=shown_setting(STRIDE, stride))
