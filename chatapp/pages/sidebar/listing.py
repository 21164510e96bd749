"""The sidebar's list of conversations, grouped by days in the reader's time zone."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from itertools import groupby
from typing import Self
from urllib.parse import unquote, urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chatapp.pages.sidebar.signs import Signs, signs_of
from history.models import Conversation
from history.services.answers.chats.shelving import shelved
from history.services.search import titled
from history.services.search.excluding import with_excluded
from history.services.search.terms import searched_terms, terms_of

PAGE = 50
TITLES = 6  # How many titles a search shows above messages; the others are a click away.
SHOWN = ("id", "title", "active", "has_new_answer", "pinned_at", "archived_at")


@dataclass(frozen=True, slots=True)
class ConversationList:
    """A page of the list. Each group has a name, which is empty if the previous page ended within
    the same group.

    `repeated` are titles that several chats have, so that only the time of last use tells them
    apart. `all_are_archived`: the list is empty, and the archive is not.
    """

    groups: list[tuple[str, list[Conversation]]]
    search: str
    more: str
    is_continued: bool
    is_archive: bool
    zone: tzinfo
    repeated: frozenset[str] = frozenset()
    signs: Signs = field(default_factory=dict)
    all_are_archived: bool = False

    @property
    def has_words(self) -> bool:
        """Whether the search has words to look for in messages: punctuation alone finds nothing."""
        return bool(searched_terms(self.search))

    @property
    def quoted_search(self) -> str:
        """The search in quotation marks, unless it has some already."""
        return self.search if '"' in self.search else f"“{self.search}”"

    @property
    def has_several_words(self) -> bool:
        return len(terms_of(self.search)) > 1

    @property
    def only_excludes(self) -> bool:
        """Whether every word has a minus, so that there is nothing to look for."""
        return not self.has_words and bool(terms_of(self.search))


@dataclass(frozen=True, slots=True)
class ChatQuery:
    """What is to be listed: chats whose titles match `search`, those in the archive, or all others.
    Only chats last used earlier than `before` are listed, if it is given.
    """

    search: str
    before: datetime | None
    is_archive: bool

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        search = request.GET.get("q", "").strip()
        is_archive = bool(request.GET.get("archived")) and not search
        return cls(search, _moment(request.GET.get("before", "")), is_archive)

    @property
    def has_pins(self) -> bool:
        """Whether pinned chats come first; in a search they stand among the others."""
        return not (self.search or self.before or self.is_archive)

    def chosen(self, rows: QuerySet[Conversation]) -> QuerySet[Conversation]:
        if self.before:
            rows = rows.filter(active__lt=self.before)
        if self.search:
            return titled(rows, self.search)
        if self.is_archive:
            return shelved(rows, archived=True)
        return shelved(rows, pinned=False, archived=False)

    def more(self, before: datetime) -> str:
        """Return the address of the next page."""
        query = {"before": before.isoformat()}
        query |= {"q": self.search} if self.search else {}
        query |= {"archived": "1"} if self.is_archive else {}
        return f"{reverse('chats')}?{urlencode(query)}"


def conversation_list(
    conversations: QuerySet[Conversation], request: HttpRequest
) -> ConversationList:
    """Return a page of the list, as the request asks for it."""
    query, rows = ChatQuery.of(request), conversations.only(*SHOWN)
    most = TITLES if query.search and not query.before else PAGE
    page = list(query.chosen(rows)[: most + 1])
    more = query.more(page[most - 1].active) if len(page) > most else ""
    chats, zone = _free_of_excluded(page[:most], query.search), zone_of(request)
    continued = group_name(query.before, zone) if query.before else ""
    groups = _pinned(rows) if query.has_pins else []
    groups += _groups(chats, zone, continued)
    is_continued = query.before is not None
    return ConversationList(
        groups,
        query.search,
        more,
        is_continued,
        query.is_archive,
        zone,
        _repeated(groups),
        signs_of([chat for _name, chats in groups for chat in chats]),
        query.has_pins and not groups and shelved(rows, archived=True).exists(),
    )


def _repeated(groups: list[tuple[str, list[Conversation]]]) -> frozenset[str]:
    titles = Counter(chat.title for _name, chats in groups for chat in chats)
    return frozenset(title for title, count in titles.items() if count > 1)


def _free_of_excluded(page: list[Conversation], search: str) -> list[Conversation]:
    """Leave out chats with messages that contain a word which the search excludes."""
    left_out = with_excluded([chat.pk for chat in page], searched_terms(search))
    return [chat for chat in page if chat.pk not in left_out]


def _pinned(rows: QuerySet[Conversation]) -> list[tuple[str, list[Conversation]]]:
    """Return all pinned chats at once, because there are few."""
    pinned = list(shelved(rows, pinned=True).order_by("-pinned_at"))
    return [(_("Pinned"), pinned)] if pinned else []


def zone_of(request: HttpRequest) -> tzinfo:
    """Return the time zone that the browser put into a cookie; UTC if there is none yet."""
    try:
        return ZoneInfo(unquote(request.COOKIES.get("timezone", "UTC")))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def group_name(moment: datetime, zone: tzinfo, today: date | None = None) -> str:
    """Return the name of a time's day, week or month, such as "October 2026"."""
    day = moment.astimezone(zone).date()
    days = ((today or timezone.localdate(timezone=zone)) - day).days
    if days < 1:
        return _("Today")
    if days == 1:
        return _("Yesterday")
    return _("Previous 7 days") if days <= 7 else date_format(day, "YEAR_MONTH_FORMAT")


def _groups(
    conversations: list[Conversation], zone: tzinfo, continued: str
) -> list[tuple[str, list[Conversation]]]:
    groups = groupby(conversations, key=lambda conversation: group_name(conversation.active, zone))
    return [("" if name == continued else name, list(group)) for name, group in groups]


def _moment(text: str) -> datetime | None:
    """Read the parameter `before`. If it is invalid, which happens only in hand-written addresses,
    show the first page.
    """
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment and timezone.is_aware(moment) else None
