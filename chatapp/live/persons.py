"""Identify the person a page was made for. The page has an opaque name for them, which its socket
repeats, so that a tab never acts for the next person who signs in with the same browser.

The name is empty for a newcomer.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import salted_hmac

from chatapp.accounts.sessions import SessionStore, actor_of_session
from chatapp.live.viewers import SIGNED_OUT
from history.services.access import ADOPTED, Actor

SOMEBODY_ELSE = 4403  # A socket closed with this code makes its tab load the page again.


def page_person(actor: Actor) -> str:
    """Return the opaque name of the person a page is made for."""
    return "" if actor.is_nobody else _opaque(actor.person)


def said_person(scope: Mapping[str, Any]) -> str | None:
    """Return the opaque name of the person a tab's page was made for, from the tab's handshake;
    None for a program without a page.
    """
    query: bytes = scope.get("query_string", b"")
    names = parse_qs(query.decode("latin-1"), keep_blank_values=True).get("person")
    return names[0] if names else None


def meet(session: str, name: str | None) -> tuple[Actor, int]:
    """Return the session's actor, and the code to close the socket with; 0 leaves it open."""
    actor = actor_of_session(session)
    if actor.is_nobody:
        return actor, SIGNED_OUT
    return actor, 0 if _is_same(actor, name, session) else SOMEBODY_ELSE


def _is_same(actor: Actor, name: str | None, session: str) -> bool:
    """Return whether the page's person is this actor, or has become this actor with the first
    message or by signing in. An invalid name is somebody else's.
    """
    return not name or name == page_person(actor) or name == person_before(SessionStore(session))


def person_before(session: SessionBase) -> str:
    """Return the opaque name that a user's pages had until the user signed in; empty for most."""
    adopted = session.get(ADOPTED, "")
    return _opaque(Actor(visitor=adopted).person) if adopted else ""


def _opaque(whose: str) -> str:
    return salted_hmac("chatapp.live.persons", whose, algorithm="sha256").hexdigest()[:32]
