"""What the templates need beyond Django's own tags."""

from functools import cache

from django import template
from django.conf import settings
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from chatapp.live import persons
from history.services.access import actor_of

register = template.Library()
ICON = '<svg class="icon" aria-hidden="true"><use href="#icon-{}"></use></svg>'


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """Draw one of includes/icons.html; it is decoration only, since the control has its own
    name.
    """
    return format_html(ICON, name)


@register.simple_tag
def largest_file() -> int:
    """Return the most bytes that one file may have."""
    return settings.MAX_FILE_BYTES


@register.simple_tag(takes_context=True)
def person_of_page(context: Context) -> str:
    """Name whom the page is made for, as its socket repeats it."""
    return persons.page_person(actor_of(context["request"]))


@register.simple_tag(takes_context=True)
def person_before(context: Context) -> str:
    """Name whom this person's pages were made for until they signed in."""
    return persons.person_before(context["request"].session)


@register.filter
def short(tokens: int) -> str:
    """Shorten 9412 to `9.4k`: for a gauge, where the exact figure is one click away."""
    if tokens < 1_000:
        return str(tokens)
    if tokens < 1_000_000:
        return f"{tokens / 1_000:.1f}".removesuffix(".0") + "k"
    return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"
