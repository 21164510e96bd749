"""Cautions about what is tried: an unknown model, a value above a cap, unused, or in steps."""

from collections.abc import Iterator, Mapping

from django.conf import settings as settings_now
from django.utils.translation import gettext as _

from agents.catalogue import catalogue
from chatapp.inspector.whatif.form import WhatIfForm
from history.core.settings.caps import LENGTH_MAX, TOKEN_BUDGET_MAX
from history.core.settings.resolved import Settings
from history.core.settings.spec import STRIDE
from history.core.stages.policies import LastN, policy_of
from history.core.words.wording import number
from history.wording.deciding.sources import in_brackets
from history.wording.names import label_of, turn_count
from history.wording.remembering import length_range


def cautions(form: WhatIfForm, settings: Settings, *, is_staff: bool) -> list[str]:
    """Return sentences about the changes of a valid form, and the settings that they make."""
    first = [*_assumed(form), *beyond(form, is_staff=is_staff)]
    return [*first, *_idle(form), *_in_steps(form, settings)]


def _assumed(form: WhatIfForm) -> Iterator[str]:
    """Say that figures for a model that no list knows rest on an assumption."""
    model = form.changes.get("model")
    if model and not catalogue().facts(str(model)).is_known:
        text = _("No list knows {model}, so its context window is assumed and its price unknown.")
        yield text.format(model=model)


def beyond(form: WhatIfForm, *, is_staff: bool) -> Iterator[str]:
    """Yield a sentence for each value that a cap lowers in every chat."""
    text = _("{setting} is at most {cap} on this server{variable}, so a what-if can only try more.")
    for name, (cap, variable) in _caps().items():
        value = form.changes.get(name)
        if isinstance(value, int) and value > cap and name not in form.locked:
            suffix = in_brackets(variable, is_staff=is_staff)
            yield text.format(setting=label_of(name), cap=number(cap), variable=suffix)
    most = settings_now.HISTORY_CAPS.length
    if form.changes.get("policy") == "all" and most is not None and "policy" not in form.locked:
        text = _(
            "In a chat, History policy all is limited to {turns}: the server allows no more"
            "{variable}."
        )
        yield text.format(
            turns=turn_count(most), variable=in_brackets(LENGTH_MAX, is_staff=is_staff)
        )


def _caps() -> Mapping[str, tuple[int, str]]:
    """Return the capped settings, each with its cap and the variable that sets it."""
    most = settings_now.HISTORY_CAPS
    both = {
        "length": (most.length, LENGTH_MAX),
        "token_budget": (most.token_budget, TOKEN_BUDGET_MAX),
    }
    return {name: (cap, why) for name, (cap, why) in both.items() if cap is not None}


def _idle(form: WhatIfForm) -> Iterator[str]:
    policy = form.cleaned_data["policy"]
    if "length" in form.changes and policy != "lastN":
        text = _("{setting} isn't used with History policy {policy}.")
        yield text.format(setting=label_of("length"), policy=policy)


def _in_steps(form: WhatIfForm, settings: Settings) -> Iterator[str]:
    policy, was = policy_of(settings), form.now[STRIDE]
    if not isinstance(policy, LastN) or not form.changes.keys() & {"length", STRIDE, "prefix"}:
        return
    if policy.stride > 1:
        text = _("History length {length} moves in steps of {stride} here: {range} turns are sent.")
        yield text.format(
            length=number(policy.length), stride=number(policy.stride), range=length_range(settings)
        )
    elif STRIDE not in form.changes and isinstance(was, int) and was > 1:
        text = _("History length {length} is exact here, without the steps of {stride}.")
        yield text.format(length=number(policy.length), stride=number(was))
