"""Sign-ins: how long they last, and which person a socket acts for, checked at every command.

A sign-in ends SESSION_DAYS after it began, and earlier if the person stays away; visits are noted
once an hour. A visitor's session does not end this way, because their chats depend on it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping
from importlib import import_module
from time import time
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user, logout
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.http.cookie import parse_cookie
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from chatapp.server.middleware import PROBED
from history.services.access import Actor, known_actor

SINCE, SEEN = "signed_in_at", "seen_at"
HOUR, DAY = 3_600, 86_400


def begin(session: MutableMapping[str, Any]) -> None:
    """Note in the session when somebody signed in."""
    session[SINCE] = session[SEEN] = int(time())


def has_ended(session: Mapping[str, Any]) -> bool:
    if SESSION_KEY not in session or SINCE not in session:
        return False
    now = time()
    ends = session[SINCE] + settings.SESSION_DAYS * DAY
    return bool(now >= min(ends, session[SEEN] + settings.SESSION_IDLE_DAYS * DAY))


class EndOldSignIns:
    """Ends old sign-ins, and notes visits. A health probe is no visit and needs no database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path in PROBED:
            return self.get_response(request)
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


SessionStore = import_module(settings.SESSION_ENGINE).SessionStore


def session_key(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Return the value of the session's cookie, read from a handshake's headers."""
    cookies = "; ".join(value.decode("latin-1") for name, value in headers if name == b"cookie")
    return parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, "")


def clear_expired(most: int = 500) -> int:
    """Delete at most `most` ended sessions, and return how many were deleted."""
    sessions = SessionStore.get_model_class().objects
    ended = sessions.filter(expire_date__lt=timezone.now()).values_list("pk", flat=True)[:most]
    deleted: int = sessions.filter(pk__in=list(ended)).delete()[0]
    return deleted


def end_all_of(user: int) -> None:
    """Delete all sessions in which this account is signed in; this has to read every session."""
    sessions = SessionStore.get_model_class().objects
    for row in sessions.filter(expire_date__gt=timezone.now()).iterator():
        if row.get_decoded().get(SESSION_KEY) == str(user):
            row.delete()


def actor_of_session(key: str) -> Actor:
    """Read anew for whom a session acts: nobody if it has ended, or if its user is disabled."""
    request = HttpRequest()
    request.session = session = SessionStore(key or None)
    user = get_user(request)
    if session.session_key is None or has_ended(session):  # A session without a key does not exist.
        return Actor()
    return known_actor(user if isinstance(user, User) else AnonymousUser(), session)


def actors_of_sessions(keys: Collection[str]) -> dict[str, Actor]:
    """Read many sessions with two queries. Some that `actor_of_session` finds may be missing."""
    manager = SessionStore.get_model_class().objects
    rows = manager.filter(pk__in=keys, expire_date__gt=timezone.now())
    sessions = {row.pk: row.get_decoded() for row in rows}
    ids = {int(data[SESSION_KEY]) for data in sessions.values() if SESSION_KEY in data}
    users = User.objects.filter(is_active=True).in_bulk(ids)
    return {key: _actor(data, users) for key, data in sessions.items()}


def _actor(session: Mapping[str, Any], users: Mapping[int, User]) -> Actor:
    if SESSION_KEY not in session:
        return known_actor(AnonymousUser(), session)
    if has_ended(session):
        return Actor()
    user = users.get(int(session[SESSION_KEY]))
    if user is None:
        return Actor()
    is_valid = constant_time_compare(session[HASH_SESSION_KEY], user.get_session_auth_hash())
    return known_actor(user, session) if is_valid else Actor()
