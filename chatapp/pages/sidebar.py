"""The list of conversations, grouped by the reader's days."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from itertools import groupby
from urllib.parse import unquote, urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from history.models import Conversation

PAGE = 50


@dataclass(frozen=True, slots=True)
class ConversationList:
    """Each group has a name, which is empty if the page before ended within the same group."""

    groups: list[tuple[str, list[Conversation]]]
    search: str
    more: str
    is_continued: bool


def conversation_list(
    conversations: QuerySet[Conversation], request: HttpRequest
) -> ConversationList:
    """Return the page of the list that is asked for: `q` searches titles, `before` continues."""
    search, before = request.GET.get("q", "").strip(), _moment(request.GET.get("before", ""))
    if search:
        conversations = conversations.filter(title__icontains=search)
    if before:
        conversations = conversations.filter(active__lt=before)
    page = list(conversations.only("id", "title", "active")[: PAGE + 1])
    shown, zone = page[:PAGE], zone_of(request)
    more = _more_url(shown[-1].active, search) if len(page) > PAGE else ""
    continued = group_name(before, zone) if before else ""
    groups = _groups(shown, zone, continued)
    return ConversationList(groups, search, more, is_continued=before is not None)


def zone_of(request: HttpRequest) -> tzinfo:
    """Return the time zone that the browser put into a cookie; UTC until then."""
    try:
        return ZoneInfo(unquote(request.COOKIES.get("timezone", "UTC")))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def group_name(moment: datetime, zone: tzinfo, today: date | None = None) -> str:
    days = ((today or timezone.localdate(timezone=zone)) - moment.astimezone(zone).date()).days
    if days < 1:
        return _("Today")
    if days == 1:
        return _("Yesterday")
    return _("Previous 7 days") if days <= 7 else _("Older")


def _groups(
    conversations: list[Conversation], zone: tzinfo, continued: str
) -> list[tuple[str, list[Conversation]]]:
    named = groupby(conversations, key=lambda conversation: group_name(conversation.active, zone))
    return [("" if name == continued else name, list(group)) for name, group in named]


def _moment(text: str) -> datetime | None:
    """Read `before`. A bad one shows the first page: it can only come from a hand-written
    address.
    """
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment and timezone.is_aware(moment) else None


def _more_url(before: datetime, search: str) -> str:
    query = {"before": before.isoformat()} | ({"q": search} if search else {})
    return f"{reverse('chats')}?{urlencode(query)}"
