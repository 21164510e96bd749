"""Notices on valid values in an address that don't apply as given: what applies instead, why, and
what to do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from history.core.settings.caps import lowered_for
from history.core.settings.resolved import Candidate, CandidateOutcome, Settings
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME
from history.core.words.facts import Rule
from history.services.access import Actor
from history.wording.deciding.allowing import allowed
from history.wording.deciding.sources import why_refused
from history.wording.headline import joined
from history.wording.names import label_of
from history.wording.remembering import drawn_by, window


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice on an address. `url` leads to what the address may have meant, and is empty if there
    is no such page. `given` is a setting with its unreadable value, if the notice is about one.
    """

    sentence: str
    url: str = ""
    link: str = ""
    given: tuple[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """The person who reads the notices, and the name of the agent that answers in the chat."""

    actor: Actor
    agent: str


def overruled(resolved: Settings, reader: Reader) -> Iterator[Notice]:
    """Yield one notice for each reason, except for values that apply anyway."""
    candidates = {n: each for n, each in _given(resolved) if each.value != resolved.value(n)}
    for outcome, notice in NOTICES.items():
        if lost := {n: each for n, each in candidates.items() if each.outcome is outcome}:
            yield notice(resolved, lost, reader)
    if too_much := {each.name for each in lowered_for(resolved, LayerName.URL)}:
        beyond = {n: each for n, each in _given(resolved) if n in too_much or _is_beyond(each)}
        yield _lowered(resolved, beyond, reader)


def without_effect(resolved: Settings) -> Iterator[Notice]:
    """Yield a notice if the address sets a length that the policy in force ignores."""
    winner, policy = resolved["length"].winner, resolved.value("policy")
    if winner.layer is LayerName.URL and policy != "lastN":
        text = _(
            "{asked} in the address has no effect because {setting} is {policy}. To limit the "
            "turns, set {way} in the address."
        )
        setter = _asked({"length": winner})
        way = f"{BY_NAME['policy'].url}=lastN"
        yield Notice(text.format(asked=setter, setting=label_of("policy"), policy=policy, way=way))


def _is_beyond(length: Candidate) -> bool:
    """Return whether a length, replaced by the cap because the policy is `all`, exceeds it."""
    reason = length.reason
    if reason is None or reason.rule is not Rule.ALL_CAPPED:
        return False
    return int(str(length.raw)) > int(reason.figures["cap"])


def _given(resolved: Settings) -> Iterator[tuple[str, Candidate]]:
    for name, setting in resolved.items():
        yield from ((name, each) for each in setting.candidates if each.layer is LayerName.URL)


def _locked(resolved: Settings, lost: Mapping[str, Candidate], reader: Reader) -> Notice:
    text = ngettext(
        "{asked} in the address is ignored because the server sets how much is remembered.",
        "{asked} in the address are ignored because the server sets how much is remembered.",
        len(lost),
    )
    deciding = (resolved[name].winner for name in ("policy", "length"))
    way = _way(reader.actor, [each.variable for each in deciding if each.variable])
    return Notice(" ".join([text.format(asked=_asked(lost)), window(resolved), way]))


def _refused(resolved: Settings, lost: Mapping[str, Candidate], reader: Reader) -> Notice:
    text = ngettext(
        "{asked} in the address is ignored because {why}.",
        "{asked} in the address are ignored because {why}.",
        len(lost),
    )
    all_figures = [each.reason.figures for each in lost.values() if each.reason]
    figures = next((each for each in all_figures if "who" in each), None)
    if figures is None:  # Without figures, only the value is refused, not the whole layer.
        return Notice(" ".join([_ignored(lost), drawn_by(resolved, reader.agent)]))
    who, variable = str(figures["who"]), str(figures["variable"])
    why = text.format(asked=_asked(lost), why=why_refused(who))
    sentences = [why, drawn_by(resolved, reader.agent)]
    if who == "signed_in":
        return Notice(" ".join(sentences), reverse("login"), _("Sign in"))
    return Notice(" ".join([*sentences, _way(reader.actor, [variable])]))


def _ignored(lost: Mapping[str, Candidate]) -> str:
    text = ngettext(
        "{asked} in the address is ignored.", "{asked} in the address are ignored.", len(lost)
    )
    return text.format(asked=_asked(lost))


def _lowered(resolved: Settings, lost: Mapping[str, Candidate], reader: Reader) -> Notice:
    text = ngettext(
        "{asked} in the address is too much.", "{asked} in the address are too much.", len(lost)
    )
    way = _way(reader.actor, [each.variable for each in lowered_for(resolved, LayerName.URL)])
    applies = allowed(resolved, LayerName.URL)
    return Notice(" ".join([text.format(asked=_asked(lost)), *applies, way]))


NOTICES: Mapping[CandidateOutcome, Callable[[Settings, Mapping[str, Candidate], Reader], Notice]]
NOTICES = {CandidateOutcome.LOCKED: _locked, CandidateOutcome.REFUSED: _refused}


def _asked(lost: Mapping[str, Candidate]) -> str:
    return joined([f"{BY_NAME[name].url}={each.raw}" for name, each in lost.items()])


def _way(actor: Actor, variables: Sequence[str]) -> str:
    if not actor.is_staff:
        return _("Only an administrator can change that.")
    return _("To change that, change {variables} in the server's environment.").format(
        variables=joined(list(dict.fromkeys(variables)))
    )
