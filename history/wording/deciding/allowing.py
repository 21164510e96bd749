"""Sentences on the most that the server allows, and on what applies if somebody asked for more."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from history.core.settings.caps import Cap, is_open, lowered_for
from history.core.settings.resolved import Settings
from history.core.settings.spec import STRIDE, LayerName
from history.core.stages.policies import LastN, policy_of
from history.core.words.wording import number
from history.wording.deciding.sources import in_brackets

MOST: Mapping[str, Any] = {
    "length": ngettext_lazy(
        "The server allows at most {most} turn{variable}.",
        "The server allows at most {most} turns{variable}.",
    ),
    "token_budget": ngettext_lazy(
        "The server allows at most {most} token{variable}.",
        "The server allows at most {most} tokens{variable}.",
    ),
}
STEPS = gettext_lazy(
    "The server allows a length of at most {most}{variable}, and moves the window in steps."
)


def most(settings: Settings, name: str, cap: Cap, *, is_staff: bool) -> str:
    """Say a setting's maximum and, only to staff, the variable that sets it."""
    in_steps = name == "length" and _stride(settings) > 1
    text = str(STEPS if in_steps else MOST[name] % cap.most)
    return text.format(most=number(cap.most), variable=in_brackets(cap.variable, is_staff=is_staff))


def most_turns(settings: Settings, cap: Cap) -> int:
    """Return how many turns are sent at most: the cap, or more if the server sets a stride."""
    stride = settings[STRIDE]
    return cap.most if is_open(stride) else cap.most + int(stride.value) - 1


def allowed(settings: Settings, layer: LayerName) -> Iterator[str]:
    """Say which values apply instead of those of this layer that are too high."""
    names = {lowered.name for lowered in lowered_for(settings, layer)}
    if names & {"policy", "length"}:
        yield _turns(settings)
    if "token_budget" in names:
        yield _("The server allows at most {most} tokens, so that is the token budget.").format(
            most=number(settings.value("token_budget"))
        )


def _turns(settings: Settings) -> str:
    length, stride = settings.value("length"), _stride(settings)
    if stride > 1:
        return _in_steps(length, stride)
    return ngettext(
        "The server allows at most {most} turn, so every message stands alone.",
        "The server allows at most {most} turns, so {most} are remembered.",
        length,
    ).format(most=number(length))


def _stride(settings: Settings) -> int:
    policy = policy_of(settings)
    return policy.stride if isinstance(policy, LastN) else 1


def _in_steps(length: int, stride: int) -> str:
    """Word a lowered length with its stride. The server has set this stride; a cap drops all
    others.
    """
    text = _(
        "The server allows a length of at most {least} and moves the window in steps of {stride}, "
        "so at least the last {least} turns are remembered, and up to {most}."
    )
    return text.format(
        least=number(length), stride=number(stride), most=number(length + stride - 1)
    )
