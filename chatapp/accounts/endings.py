"""End sign-ins some days after they began, and earlier without visits.

Visits are noted once an hour. A visitor's session does not end this way, because their chats depend
on it.
"""

from collections.abc import Callable, Mapping, MutableMapping
from time import time
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.http import HttpRequest, HttpResponse

SINCE, SEEN = "signed_in_at", "seen_at"
HOUR, DAY = 3_600, 86_400


def begin(session: MutableMapping[str, Any]) -> None:
    """Note when somebody signs in."""
    session[SINCE] = session[SEEN] = int(time())


def has_ended(session: Mapping[str, Any]) -> bool:
    if SESSION_KEY not in session or SINCE not in session:
        return False
    now = time()
    ends = session[SINCE] + settings.SESSION_DAYS * DAY
    return bool(now >= min(ends, session[SEEN] + settings.SESSION_IDLE_DAYS * DAY))


class EndOldSignIns:
    """End old sign-ins, and note the visit."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        session: Any = request.session
        if has_ended(session):
            logout(request)
        elif SESSION_KEY in session:
            _note_visit(session)
        return self.get_response(request)


def _note_visit(session: MutableMapping[str, Any]) -> None:
    if SINCE not in session:
        begin(session)
    elif time() - session[SEEN] >= HOUR:
        session[SEEN] = int(time())
