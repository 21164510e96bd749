"""A chat's media are served alike from a folder and from a bucket."""

import pytest
from django.core.files.storage import default_storage
from django.test import Client

from history.models import Attachment, Media
from history.services.access import Actor
from history.services.answers.sending import send
from tests.attached import picture
from tests.chatapp.pages.test_attachments import attach
from tests.factories import make_agent
from tests.history.services.media.test_attaching import saying

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
    "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.fixture
def visitor():
    client = Client()
    client.post("/visitor")
    return client


@pytest.fixture(autouse=True)
def agent():
    return make_agent()


def address(visitor, data, name):
    """Send the file in a new chat; return its address."""
    file = Attachment.objects.get(pk=attach(visitor, data, name).json()["id"])
    message = send(Actor(visitor=visitor.session["visitor"]), saying(file)).message
    return f"/chat/{message.conversation_id}/media/{message.parts[0]['digest']}"


ASKED: tuple[dict[str, str], ...] = (
    {},
    {"Range": "bytes=0-3"},
    {"If-None-Match": "*"},
    {"If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"},
    {"Accept": "text/html"},
)


def test_whatever_is_asked_it_is_safe_and_whole(kept, visitor):
    for data, name, kind, shown in (
        (picture("JPEG"), "map.jpg", "image/jpeg", "inline"),
        (b"Berth 041", "a.txt", "application/octet-stream", "attachment"),
    ):
        place = address(visitor, data, name)
        whole = visitor.get(place)
        for asked in ASKED:
            answer = visitor.get(place, headers=asked)
            assert (answer.status_code, answer.content) == (200, whole.content), asked
            assert {name: answer[name] for name in SAFE} == SAFE, asked
            assert answer["Content-Type"] == kind
            assert answer["Content-Disposition"].startswith(f"{shown}; filename=")
            assert not {"ETag", "Last-Modified", "Content-Range"} & set(answer.headers)
        head = visitor.head(place)
        assert (head.status_code, head.content) == (200, b"")
        assert {name: head[name] for name in SAFE} == SAFE
        assert visitor.post(place).status_code == 405
    assert whole.content == b"Berth 041"
    stranger = Client()
    stranger.post("/visitor")
    assert [stranger.get(place).status_code, stranger.head(place).status_code] == [404, 404]
    default_storage.delete(Media.objects.get(type="text/plain").file.name)
    assert visitor.get(place).status_code == 404  # The file is gone.


def test_no_other_digest_opens_anything(visitor):
    place = address(visitor, picture(text="a"), "a.png")
    chat, _, digest = place.rpartition("/")
    other = address(visitor, picture(text="b"), "b.png").rpartition("/")[2]
    attach(visitor, picture(text="c"), "c.png")
    unsent = Media.objects.exclude(pk__in=[digest, other]).get().pk

    wrong = [other, unsent, digest.upper(), digest[:-1], f"{digest}0", "0" * 64, f"{digest}/"]
    wrong += [
        "..%2f..%2fdb",
        f"%2e%2e/{digest}",
        f"{digest}.png",
    ]
    assert {each: visitor.get(f"{chat}/{each}").status_code for each in wrong} == dict.fromkeys(
        wrong, 404
    )
