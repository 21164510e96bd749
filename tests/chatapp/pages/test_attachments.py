"""Files are attached to the next message; browsers can fetch some parts of them."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chatapp.limits import limits
from chatapp.limits.shared_places import FILES
from chatapp.limits.spending import buckets
from history.models import Attachment
from history.services.access import Actor
from history.services.answers.sending import send
from tests.attached import picture
from tests.factories import make_agent
from tests.history.services.media.test_attaching import saying

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def visitor():
    client = Client()
    client.post("/visitor")
    return client


def attach(client, content, name="map.png"):
    return client.post("/attachments", {"file": SimpleUploadedFile(name, content)})


def api_attach(client, content):
    return client.post("/api/attachments", {"file": SimpleUploadedFile("map.png", content)})


def sent(client, attachment):
    make_agent()
    actor = Actor(visitor=client.session["visitor"])
    return send(actor, saying(Attachment.objects.get(pk=attachment)))


def test_a_picture_is_attached_shown_and_removed(visitor):
    told = attach(visitor, picture("JPEG"), "../..\\map\u202egpj.exe").json()

    assert (told["name"], told["type"], told["is_image"]) == ("mapgpj.exe", "image/jpeg", True)
    shown = visitor.get(told["picture"])
    assert shown["Content-Type"] == "image/jpeg"
    assert Client().get(told["picture"]).status_code == 404
    assert visitor.post(f"{told['picture']}/remove").status_code == 204
    assert visitor.get(told["picture"]).status_code == 404


def test_of_one_person_one_file_is_read_at_a_time_and_others_are_not_kept_from_it(visitor):
    whose = Actor(visitor=visitor.session["visitor"]).person
    other = Client()
    other.post("/visitor")

    with FILES.held(whose):
        page, call = attach(visitor, picture()), api_attach(visitor, picture())
        assert attach(other, picture()).status_code == 201

    assert (page.status_code, page["Retry-After"], page["Content-Type"]) == (429, "2", "text/plain")
    assert page.content.decode().startswith("Another of your files is still being read.")
    assert (call.status_code, call["Retry-After"]) == (429, "2")
    assert call.json() == {"code": "too_many", "detail": page.content.decode()}
    assert attach(visitor, picture()).status_code == 201


def test_whoever_used_up_the_processor_time_waits(visitor, settings):
    settings.FILE_SECONDS_PER_HOUR = 300
    whose = Actor(visitor=visitor.session["visitor"]).person
    assert attach(visitor, picture()).status_code == 201

    buckets.charge(limits.file_seconds(), whose, 310)
    answer = attach(visitor, picture())

    assert answer.status_code == 429
    assert "the limit of 300 seconds per hour for reading files" in answer.content.decode()
    assert 100 < int(answer["Retry-After"]) <= 3_600


def test_reading_a_file_is_charged(visitor, settings):
    settings.FILE_SECONDS_PER_HOUR = 300
    whose = Actor(visitor=visitor.session["visitor"]).person

    assert attach(visitor, picture()).status_code == 201

    assert buckets.take(limits.file_seconds(), whose, 300) > 0


def test_what_is_served_can_run_nothing(visitor):
    message = sent(visitor, attach(visitor, picture()).json()["id"]).message
    address = f"/chat/{message.conversation_id}/media/{message.parts[0]['digest']}"

    answer = visitor.get(address)

    assert answer.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Content-Disposition"].startswith('inline; filename="')
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    record = visitor.get(f"/api/conversations/{message.conversation_id}/messages").json()
    assert record["messages"][0]["parts"][0]["address"] == address
    assert message.tokens > message.parts[0]["tokens"] > 0
    stranger = Client()
    stranger.post("/visitor")
    assert stranger.get(address).status_code == 404


def test_a_page_of_markup_is_text_and_stays_so(visitor):
    page = b"<!doctype html><script>alert(1)</script>"
    ack = sent(visitor, attach(visitor, page, "page.html").json()["id"])

    answer = visitor.get(f"/chat/{ack.conversation.pk}/messages/{ack.message.pk}/files/0")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert answer.content == page
    original = visitor.get(f"/chat/{ack.conversation.pk}/media/{ack.message.parts[0]['digest']}")
    assert original.content == page
    assert original["Content-Type"] == "application/octet-stream"
    assert original["Content-Disposition"] == 'attachment; filename="page.html"'
    assert original["X-Content-Type-Options"] == "nosniff"
    assert original.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    shown = visitor.get(f"/chat/{ack.conversation.pk}").content
    assert b"<script>alert(1)" not in shown
    assert b"&lt;script&gt;alert(1)" in shown


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({}, "invalid"),
        ({"other": b"a"}, "invalid"),
        ({"file": b"\0\1\2"}, "type"),
        ({"file": b" "}, "empty"),
        ({"file": b"a" * 101}, "too_large"),
    ],
    ids=["none", "another field", "a type nobody reads", "nothing in it", "too large"],
)
def test_a_refusal_is_a_sentence_and_keeps_nothing(visitor, settings, files, code):
    settings.MAX_FILE_BYTES = 100
    given = {name: BytesIO(content) for name, content in files.items()}

    told = visitor.post("/attachments", given).json()

    assert told["code"] == code
    assert told["refused"].endswith(".")
    assert not Attachment.objects.exists()


def test_there_is_a_limit_by_the_minute(visitor, settings):
    settings.FILES_PER_MINUTE = 1

    statuses = [attach(visitor, b"text", "a.txt").status_code for _ in range(2)]

    assert statuses == [201, 429]


def test_a_form_of_another_site_attaches_nothing():
    client = Client(enforce_csrf_checks=True)

    assert attach(client, b"text").status_code == 403
