"""Template tags and filters beyond Django's own."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from chatapp.live import persons
from chatapp.markdown import render
from chatapp.pages.welcome import model_state
from history.models import Generation
from history.services.access import actor_of
from history.services.operators import is_ones_own_machine, runs_the_server
from history.services.search.excerpts import pieces
from history.services.search.letters import composed
from history.services.search.terms import searched_terms

register = template.Library()
# A name that people have to type exactly, perhaps with a value; but not `lastN`.
CODE = re.compile(
    r"\b(?!lastN)(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z]|_[a-z])\w*"
    r"|(?:agent|network|debug)(?==))(?:=[^\s:,;]*)?"
)
# A document that a text names, as escaped HTML.
DOCUMENT = re.compile(r"(?<=document )“(\w+)”")
ICON = '<svg class="icon" aria-hidden="true"><use href="{}#icon-{}"></use></svg>'


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """Draw an icon of static/icons/icons.svg. It is decoration only, as the control has a name of
    its own.
    """
    return format_html(ICON, static("icons/icons.svg"), name)


@register.simple_tag
def code_frame() -> SafeString:
    """Return a code block without code, as answers have it."""
    return render("```")


@register.filter
def coded(sentence: object) -> SafeString:
    """Mark as code each name in a text that people have to type exactly."""
    text, parts, end = str(sentence), [], 0
    for match in CODE.finditer(text):
        parts += [("{}", text[end : match.start()]), ("<code>{}</code>", match[0])]
        end = match.end()
    parts.append(("{}", text[end:]))
    return mark_safe("".join(format_html(shape, part) for shape, part in parts))


@register.filter
def with_documents(text: SafeString) -> SafeString:
    """Link the documents that a text names, in a new tab: a form may not be saved yet."""
    return SafeString(DOCUMENT.sub(_document_link, text))


def _document_link(match: re.Match[str]) -> str:
    address = reverse("document", args=[match[1].lower()])
    return format_html('<a href="{}" target="_blank" rel="noopener">{}</a>', address, match[0])


@register.filter
def marked(title: str, search: str) -> SafeString:
    """Mark the words in a title that a search looked for."""
    if not search:
        return format_html("{}", title)
    terms = [term for term in searched_terms(search) if not term.is_excluded]
    cut = enumerate(pieces(composed(str(title)), terms))
    shapes = ("{}", "<mark>{}</mark>")
    return format_html_join("", "{}", ((format_html(shapes[at % 2], each),) for at, each in cut))


@register.filter
def at(values: Mapping[Any, Any], key: object) -> Any:
    """Return the value of this key; None if there is none."""
    return values.get(key)


@register.filter
def in_words(moment: datetime) -> SafeString:
    """Write `today at 12:00`, `yesterday at 12:00`, a day of this year, or else a date. Then
    static/js/times.js writes it as the reader's browser does.
    """
    today, local = timezone.localdate(), timezone.localtime(moment)
    days = (today - local.date()).days
    if days > 1:
        return _day(local, "long", "j F" if local.year == today.year else "j F Y")
    time = _clock(local)
    return format_html(_("yesterday at {time}") if days == 1 else _("today at {time}"), time=time)


@register.filter
def in_short(moment: datetime) -> SafeString:
    """Write the time of day if it is today's or yesterday's, otherwise the date. The headings of
    the list, where this stands, say which day is meant.
    """
    today, local = timezone.localdate(), timezone.localtime(moment)
    is_recent = (today - local.date()).days <= 1
    if is_recent:
        return _clock(local)
    return _day(local, "short", "j M" if local.year == today.year else "j M Y")


def _clock(local: datetime) -> SafeString:
    clock = '<time datetime="{}" data-clock>{}</time>'
    return format_html(clock, local.isoformat(), date_format(local, "H:i"))


def _day(local: datetime, month: str, form: str) -> SafeString:
    day = '<time datetime="{}" data-month="{}">{}</time>'
    return format_html(day, local.isoformat(), month, date_format(local, form))


@register.simple_tag
def largest_file() -> int:
    """Return the most bytes that one file may have."""
    return settings.MAX_FILE_BYTES


@register.simple_tag
def another_answers(generation: Generation | None) -> bool:
    """Return whether another agent may answer if this agent's model lacks its key.

    `generation` is None for an answer from an imported file.
    """
    return generation is not None and model_state.another_answers(
        generation.snapshot_at().agent.model
    )


@register.simple_tag
def most_files() -> int:
    """Return how many files one message may have."""
    return settings.FILES_PER_MESSAGE


@register.simple_tag
def largest_message() -> int:
    """Return the most bytes that a message may have."""
    return settings.MAX_MESSAGE_BYTES


register.simple_tag(is_ones_own_machine)


@register.simple_tag(takes_context=True, name="runs_the_server")
def explains_the_server(context: Context) -> bool:
    """Return whether to explain, for instance, how to connect a model."""
    return runs_the_server(actor_of(context["request"]))


@register.simple_tag
def may_import() -> bool:
    """Whether people may import chats here."""
    return settings.IMPORTS


@register.simple_tag(takes_context=True)
def person_of_page(context: Context) -> str:
    """Return the id of the person for whom a page is made; the page's socket sends it back."""
    return persons.page_person(actor_of(context["request"]))


@register.simple_tag(takes_context=True)
def person_before(context: Context) -> str:
    """Return the id for which this person's pages were made before they signed in."""
    return persons.person_before(context["request"].session)


@register.filter
def short(tokens: int) -> str:
    """Shorten a number such as 9412 to `9.4k`, where the exact figure is one click away."""
    if tokens < 1_000:
        return str(tokens)
    if tokens < 1_000_000:
        return f"{tokens / 1_000:.1f}".removesuffix(".0") + "k"
    return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"
