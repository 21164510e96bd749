"""Sentences on what an agent remembers: how much of a conversation its settings show the model."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, npgettext

from history.core.settings.resolved import Candidate, Settings
from history.core.settings.spec import STRIDE, LayerName
from history.core.settings.steps import least_items
from history.core.stages.policies import LastN, policy_of
from history.core.words.wording import number
from history.wording.deciding.locks import why_locked
from history.wording.deciding.sources import source_of
from history.wording.names import label_of
from history.wording.settings import shown_setting

SET_BY = {
    LayerName.ENVIRONMENT: gettext_lazy("Set by the server."),
    LayerName.WHAT_IF: gettext_lazy("Set by a what-if."),
    LayerName.URL: gettext_lazy("Set in the address."),
    LayerName.CONVERSATION: gettext_lazy("Set for this chat."),
}
SET_FOR = {
    LayerName.TEMPLATE: gettext_lazy("Set by the agent {agent}."),
    LayerName.SITE: gettext_lazy("Set for every agent."),
    LayerName.BUILT_IN: gettext_lazy("That is the default."),
}
MOST = {
    "max_items": gettext_lazy("Never more than {count} messages."),
    "token_budget": gettext_lazy("Never more than {count} tokens."),
}
SERVERS_MOST = {
    "max_items": gettext_lazy("The server allows at most {count} messages."),
    "token_budget": gettext_lazy("The server allows at most {count} tokens."),
}
OF_THE_MODEL = {"model catalogue", "assumed"}  # Sources of a context window that nobody has set.


def remembers(settings: Settings, *, can_search: bool = False, why: str = "") -> str:
    """Say in short sentences what an agent remembers. `can_search`: it can search the messages.

    `why` says who set the policy and length. It stands directly after the sentence on these two, so
    that nobody relates it to others.
    """
    sentences = (window(settings), why, besides(settings, can_search=can_search))
    return " ".join(filter(None, sentences))


def besides(settings: Settings, *, can_search: bool = False) -> str:
    """Say what an agent remembers besides turns; empty if there is nothing else."""
    search = [_("Can search older messages.")] if can_search else []
    return " ".join([*_limits(settings), *search])


def set_by(settings: Settings) -> str:
    """Say who set the policy and length; empty if they are the agent's own settings."""
    if is_limited(settings):
        return _("Limited by the server.")
    return str(SET_BY.get(decided_by(settings), ""))


def drawn_by(settings: Settings, agent: str) -> str:
    """Say how many turns are sent and who decides that, even if it is the agent itself."""
    layer = decided_by(settings)
    return f"{window(settings)} {set_by(settings) or SET_FOR[layer].format(agent=agent)}"


def value_set_by(settings: Settings, name: str, agent: str, *, is_staff: bool = False) -> str:
    """Say what one setting is and who set it: `Token budget: 500. Set for this chat.` `is_staff`:
    the reader can change the server's variables, so they are named.
    """
    winner = settings[name].winner
    value = _("{setting}: {value}.").format(
        setting=label_of(name), value=shown_setting(name, settings.value(name))
    )
    locked = why_locked(settings, name, is_staff=is_staff)
    goes_with = locked if winner.layer in SET_FOR else ""
    return " ".join(filter(None, [value, _set_by(winner, agent), goes_with]))


def _set_by(winner: Candidate, agent: str) -> str:
    if winner.capped:
        return _("Limited by the server.")
    if winner.source in OF_THE_MODEL:
        return _("From: {source}.").format(source=source_of(winner))
    return str(SET_BY.get(winner.layer) or SET_FOR[winner.layer].format(agent=agent))


def decided_by(settings: Settings) -> LayerName:
    """Return the strongest of the layers that give policy and length.

    A value that a cap lowered counts as the environment's. A number of turns that the chat sets is
    the chat's, even if the address says `lastN`.
    """
    if any(candidate.capped for candidate in _deciding(settings)):
        return LayerName.ENVIRONMENT
    layers = [each.layer for each in _deciding(settings)]
    if layers == [LayerName.URL, LayerName.CONVERSATION]:
        return LayerName.CONVERSATION
    return min(layers, key=list(LayerName).index)


def is_limited(settings: Settings) -> bool:
    """Return whether a cap lowered the policy or length, and the window does not move in steps."""
    is_capped = any(candidate.capped for candidate in _deciding(settings))
    return is_capped and settings.value(STRIDE) == 1


def _deciding(settings: Settings) -> list[Candidate]:
    names = ["policy", "length"] if settings.value("policy") == "lastN" else ["policy"]
    return [settings[name].winner for name in names]


def length_range(settings: Settings) -> str:
    """Write the history length in turns; as a range, if the window moves in steps."""
    policy = policy_of(settings)
    if not isinstance(policy, LastN) or policy.stride == 1:
        return number(settings.value("length"))
    least = max(policy.length, 1)
    return _("{least} to {most}").format(
        least=number(least), most=number(least + policy.stride - 1)
    )


def length_unit(settings: Settings) -> str:
    """Say what a length counts, and in which steps the window moves."""
    policy = policy_of(settings)
    if not isinstance(policy, LastN):
        return _("(not used)")
    if policy.stride == 1:
        return npgettext("length", "turn", "turns", policy.length)
    return _("turns, in steps of {stride}").format(stride=number(policy.stride))


def window(settings: Settings) -> str:
    """Say how many turns are remembered, without saying who decides that."""
    policy = policy_of(settings)
    if isinstance(policy, LastN):
        least = max(policy.length, 1)
        return _turns(least, least + policy.stride - 1)
    return _everything() if settings.value("policy") == "all" else _nothing()


def _turns(least: int, most: int) -> str:
    """Say how many turns are remembered; as a range, if the window moves in steps."""
    if most == 1:
        return _nothing()
    if least == most:
        return _("Remembers the last {count} turns.").format(count=number(most))
    return _("Remembers the last {least} to {most} turns.").format(
        least=number(least), most=number(most)
    )


def _nothing() -> str:
    return _("Remembers nothing: every message stands alone.")


def _everything() -> str:
    return _("Remembers everything that fits in the context window.")


def _limits(settings: Settings) -> Iterator[str]:
    """Yield the limits besides turns; none for an agent that remembers nothing."""
    if settings.value("policy") == "none":
        return
    if (messages := least_items(settings)) is not None:
        most = messages + settings.value("length_stride") - 1
        yield _most(settings, "max_items").format(count=number(most))
    if (tokens := settings.value("token_budget")) is not None:
        yield _most(settings, "token_budget").format(count=number(tokens))
    if settings.value("summarize"):
        yield _("Older messages become a summary.")


def _most(settings: Settings, name: str) -> str:
    """Return the sentence on a limit; it mentions the server only if the server sets the limit."""
    winner = settings[name].winner
    is_servers = winner.capped or winner.layer is LayerName.ENVIRONMENT
    return str((SERVERS_MOST if is_servers else MOST)[name])
