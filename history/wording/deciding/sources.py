"""Words for the sources of settings; for a value that a cap lowered, also what was asked for."""

from dataclasses import replace

from django.utils.translation import gettext

from history.core.settings.resolved import Candidate, Settings
from history.core.settings.spec import LayerName, shown_value
from history.core.settings.spec import gettext_noop as _
from history.core.words.facts import Rule
from history.wording.faults import Say

SOURCES = {
    *(
        _("built-in"),
        _("assumed"),
        _("site"),
        _("model catalogue"),
        _("output limit"),
        _("reasoning effort"),
        _("stable prefix"),
    ),
    _("not recorded: older plan"),
}
TRIED = "what if"  # So plans store it.
CHAT, WHAT_IF = _("this chat"), _("what-if")
ADDRESS, IN_ADDRESS = _("the address"), _("{parameter} in the address")
REFUSALS = {  # Sentences by the value of HISTORY_URL_OVERRIDES.
    "signed_in": _("only people who are signed in may change settings here"),
    "staff": _("only administrators may change settings here"),
    "off": _("nobody may change settings in an address or a chat here"),
}
SERVER = _("the server")
OF_SERVER = _("the server's {variable}")
OF_PREFIX = _("the stable prefix ({source})")
INSTEAD = _(", instead of {value} from {source}")
# ALL_CAPPED is missing, because under the policy `all` nobody asked for a length.
WANTING = {Rule.CAPPED, Rule.ALL_AS_LAST}


def source_of(candidate: Candidate, say: Say = gettext) -> str:
    """Name the source of a value; if a cap lowered it, also the value asked for and its source."""
    return decider_name(candidate, say) + _wanted(candidate, say)


def decider_name(candidate: Candidate, say: Say = gettext) -> str:
    """Name the source that decided a value; if a cap lowered it, that is the cap's variable."""
    if candidate.capped:
        return say(OF_SERVER).format(variable=candidate.deciding_variable)
    return source_name(candidate, say)


def decider_for(candidate: Candidate, *, is_staff: bool) -> str:
    """Name the source that decided a value, in a refusal. Only staff read which variable it was,
    because only they can change it.
    """
    if not is_staff and (candidate.capped or candidate.variable):
        return gettext(SERVER)
    return decider_name(candidate)


def in_brackets(variable: str, *, is_staff: bool) -> str:
    """Return ` (VARIABLE)` for a refusal; empty if the reader cannot change the environment."""
    return f" ({variable})" if is_staff else ""


def source_name(candidate: Candidate, say: Say = gettext) -> str:
    """Name the source that supplied the candidate; agents and parameters keep their names.

    For a step that follows from the prefix, also name the prefix's own source.
    """
    fact = candidate.reason
    if fact and fact.rule is Rule.STEPS_OF_PREFIX:
        prefix = replace(candidate, reason=None, **fact.figures)
        return say(OF_PREFIX).format(source=source_name(prefix, say))
    if candidate.variable:
        return say(OF_SERVER).format(variable=candidate.variable)
    if candidate.layer is LayerName.CONVERSATION and candidate.source == "conversation":
        return say(CHAT)
    if candidate.source == TRIED:
        return say(WHAT_IF)
    if candidate.layer is LayerName.URL:
        return _of_address(candidate.source, say)
    return say(candidate.source) if candidate.source in SOURCES else candidate.source


def _of_address(source: str, say: Say) -> str:
    """Name a parameter of the address. Plans store it as `URL historyLength`."""
    _layer, _space, parameter = source.partition(" ")
    return say(IN_ADDRESS).format(parameter=parameter) if parameter else say(ADDRESS)


def why_refused(who: str, say: Say = gettext) -> str:
    """Say who may change settings here. `who` is a value of HISTORY_URL_OVERRIDES."""
    return say(REFUSALS[who])


def _wanted(candidate: Candidate, say: Say = gettext) -> str:
    """Write `, instead of 30 from agent demo v1`; empty unless a cap lowered a given value."""
    fact = candidate.reason
    if not candidate.capped or fact is None or fact.rule not in WANTING or candidate.raw is None:
        return ""
    return say(INSTEAD).format(value=shown_value(candidate.raw), source=source_name(candidate, say))


def sources_of(settings: Settings) -> tuple[str, ...]:
    """Return the sources of policy and length: one if they share it, else one for each, with its
    name.
    """
    policy, length = (settings[name].winner for name in ("policy", "length"))
    if policy.decider == length.decider:
        return (source_of(policy),)
    return (
        gettext("{source} (History policy)").format(source=decider_name(policy)) + _wanted(policy),
        gettext("{source} (History length)").format(source=decider_name(length)) + _wanted(length),
    )
