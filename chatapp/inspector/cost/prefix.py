"""What a request shares with the one before it, as the zone on money says it."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from history.core.wording import number
from history.services.explain.cost.previous import SharedWithPrevious
from history.wording.differences import difference_of


def prefix_sentence(common: SharedWithPrevious) -> str:
    """What can be read from the cache of the request before, and why the rest can't."""
    if common.other_model:
        return _("{model} answered {request}. No model can read another's cache.").format(
            model=common.other_model, request=before(common)
        )
    shared = ngettext(
        "The first token matches {request}.",
        "The first {count} tokens match {request}.",
        common.shared,
    ).format(count=number(common.shared), request=before(common))
    if common.cause is None:
        return _("{shared} The rest is new.").format(shared=shared)
    difference, cause = difference_of(common.prefix.first_difference), common.cause.name
    if not common.resent:
        new = _("{shared} The rest is new, because {difference} ({cause}).")
        return new.format(shared=shared, difference=difference, cause=cause)
    again = _("{shared} {count} tokens had to be re-read because {difference} ({cause}).").format(
        shared=shared, count=number(common.resent), difference=difference, cause=cause
    )
    return (
        _("{sentence} The cache had expired anyway.").format(sentence=again)
        if common.cold
        else again
    )


def before(common: SharedWithPrevious) -> str:
    return _("turn {turn}, step {step}").format(turn=number(common.turn), step=number(common.step))
