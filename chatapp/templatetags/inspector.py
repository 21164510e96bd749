"""Filters for the panel's templates, which write figures and names as the sentences of plans do."""

from django import template

from chatapp.inspector.fills import FILLS, Fill
from history.core.money.cost import dollars
from history.core.words.wording import number
from history.wording.names import part_of_window, percentage, verdict_meaning, verdict_word

register = template.Library()
register.filter("number", number)
register.filter("dollars", dollars)
register.filter("percentage", percentage)
register.filter("verdict_word", verdict_word)
register.filter("verdict_meaning", verdict_meaning)
register.filter("part_of_window", part_of_window)


@register.inclusion_tag("panel/patterns.html")
def fills() -> dict[str, tuple[Fill, ...]]:
    return {"fills": FILLS}
