"""Signal receivers: what the server does when database rows change, whoever changed them.

Threads of the server leave much of this work to its event loop. Management commands have neither an
event loop nor viewers.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete, post_save

from agents.providers.models import KnownModel, Provider
from chatapp.accounts import record, sessions
from chatapp.generation import deleting
from chatapp.live.viewers import viewers
from chatapp.process import others, rights
from history.models import Conversation
from history.services import access
from history.services.access import person_of

_loop: asyncio.AbstractEventLoop | None = None


def connect() -> None:
    user_logged_in.connect(keep_the_visitors_chats)
    user_logged_out.connect(rights_changed)
    post_save.connect(rights_changed, sender=User)
    post_save.connect(record.saved, sender=User)
    post_delete.connect(rights_changed, sender=User)
    post_delete.connect(conversation_deleted, sender=Conversation)
    for model in (Provider, KnownModel):
        post_save.connect(providers_changed, sender=model)
        post_delete.connect(providers_changed, sender=model)


def serve_here() -> None:
    """Remember the running event loop as the server's. Call this in the loop, at the start."""
    global _loop  # noqa: PLW0603 -- the process has only one
    _loop = asyncio.get_running_loop()


def keep_the_visitors_chats(user: User, request: Any = None, **_: Any) -> None:
    """Keep a visitor's chats for them when they sign in, on a chat's page or the admin's."""
    if request is not None:
        sessions.begin(request.session)
    if request is not None and (visitor := request.session.pop(access.VISITOR, "")):
        access.adopt_visitor(user, visitor)
        request.session[access.ADOPTED] = visitor


def rights_changed(**_: Any) -> None:
    transaction.on_commit(partial(_call, rights.changed.set))
    transaction.on_commit(partial(_call, others.say, "rights"))


def providers_changed(**_: Any) -> None:
    """Tell other processes to read the providers again; this process does so anyway."""
    transaction.on_commit(partial(_call, others.say, "directory"))


def conversation_deleted(instance: Conversation, **_: Any) -> None:
    """Tell viewers that a chat is gone; reload lists, unless it had left them already."""
    transaction.on_commit(partial(_call, deleting.gone, instance.pk))
    if instance.deleted_at is None:
        transaction.on_commit(partial(_call, viewers.show_list, person_of(instance)))


def _call(function: Callable[..., object], *args: object) -> None:
    """Call a function soon, in the thread of the event loop."""
    if _loop is not None and not _loop.is_closed():
        _loop.call_soon_threadsafe(function, *args)
