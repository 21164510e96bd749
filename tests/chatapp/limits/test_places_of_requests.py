"""A costly request is refused when its person's share and line are full; others' requests go on."""

from contextlib import ExitStack, contextmanager

import pytest

from chatapp.limits.shared_places import PREDICTIONS, SEARCHES
from history.services.access import person_of
from tests.chatapp.inspector.test_whatif import tries

pytestmark = [pytest.mark.django_db, pytest.mark.turns(2)]
WHAT_IF = {"variants": [{"settings": {"policy": "all"}}]}
CHANGE = {"content_type": "application/json"}

REQUESTS = {
    "search in the sidebar": (SEARCHES, lambda own, chat: own.get("/chats?q=harbour")),
    "more of it": (SEARCHES, lambda own, chat: own.get("/chats/found?q=harbour")),
    "all of a chat": (SEARCHES, lambda own, chat: own.get(f"/chats/{chat.pk}/found?q=harbour")),
    "search of the API": (SEARCHES, lambda own, chat: own.get("/api/search?q=harbour")),
    "what-if": (PREDICTIONS, lambda own, chat: own.get(tries(chat, "set.policy=all"))),
    "replay": (PREDICTIONS, lambda own, chat: own.get(f"/chat/{chat.pk}/panel/replay")),
    "what-if of the API": (
        PREDICTIONS,
        lambda own, chat: own.post(f"/api/conversations/{chat.pk}/what-if", WHAT_IF, **CHANGE),
    ),
}
named = pytest.mark.parametrize(("places", "ask"), REQUESTS.values(), ids=REQUESTS)


@contextmanager
def used_up(places, who):
    """Fill a person's share of places, and the person's waiting line."""
    with ExitStack() as stack:
        for _ in range(places.own + places.patience.line):
            asked = places.ask(who, lambda: stack.callback(places.leave, who))
            stack.callback(places._withdraw, asked)
        yield


@named
def test_beyond_their_share_it_is_refused_at_once(owner, conversation, places, ask):
    with used_up(places, person_of(conversation)):
        refused = ask(owner, conversation)

    assert (refused.status_code, refused["Retry-After"]) == (429, "2")
    assert ask(owner, conversation).status_code == 200


@named
def test_what_somebody_else_does_keeps_nobody_out(owner, conversation, places, ask):
    with used_up(places, "eve"):
        assert ask(owner, conversation).status_code == 200
