"""Views by which people pin, archive or delete one or several chats of the sidebar's list."""

from collections.abc import Collection
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chatapp.generation.deleting import delete_undoably_now
from chatapp.pages.guard import chatting
from chatapp.pages.telling import show_list_again
from history.services.access import Actor
from history.services.answers.chats.shelving import shelve
from history.services.answers.deleting import restore
from history.services.errors import NotFound, Refused

MOST = 500  # The most chats that one request may change.
SHELVES = {
    "pin": {"pinned": True},
    "unpin": {"pinned": False},
    "archive": {"archived": True},
    "unarchive": {"archived": False},
}


@require_POST
@chatting
def change_chats(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Apply the action `act` to every `chat`, or to none of them."""
    try:
        _act(actor, request.POST.get("act", ""), _named(request.POST.getlist("chat")))
    except NotFound:
        raise
    except Refused as refusal:
        return HttpResponse(refusal.message, status=refusal.status, content_type="text/plain")
    show_list_again(actor)
    return HttpResponse(status=204)


def _act(actor: Actor, act: str, ids: Collection[UUID]) -> None:
    if act == "delete":
        delete_undoably_now(actor, ids)
    elif act == "restore":
        restore(actor, ids)
    elif act in SHELVES:
        shelve(actor, ids, **SHELVES[act])
    else:
        raise NotFound("page")


def _named(names: Collection[str]) -> list[UUID]:
    if len(names) > MOST:
        raise Refused("too_many", _("Choose at most {most} chats at once.").format(most=MOST))
    try:
        return [UUID(name) for name in names]
    except ValueError as error:
        raise NotFound from error
