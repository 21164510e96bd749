"""Importing a file by the page and the API: who may do it, how often, and the largest file."""

import json

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from agents.networks.models import Network
from chatapp.limits.spending import buckets
from history.models import Conversation, Import
from history.services.access import Actor
from history.services.imports import lifecycle
from tests.factories import make_agent
from tests.history.services.imports.files import chatgpt, node, zipped
from tests.history.services.imports.test_storing import begun, go_on

pytestmark = pytest.mark.django_db
CHAT = [chatgpt(node("a", "root", text="Hi"))]


@pytest.fixture(autouse=True)
def demo():
    return make_agent()


@pytest.fixture
def ada():
    return User.objects.create_user("ada")


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def upload(client, address="/imports", content=None, **fields):
    data = json.dumps(content or CHAT).encode()
    file = SimpleUploadedFile("my chats.json", data)
    return client.post(address, {"file": file, "agent": "demo", **fields})


def test_where_imports_are_off_there_is_no_way_to_them(ada, settings, client):
    settings.IMPORTS = False
    sentence = "Importing chats is turned off here."

    page, by_api = upload(signed_in(ada)), upload(signed_in(ada), "/api/imports")

    assert "data-import" not in signed_in(ada).get("/chat").content.decode()
    assert (page.status_code, by_api.status_code) == (404, 404)
    assert by_api.json()["detail"] == sentence
    assert signed_in(ada).get("/imports").status_code == 404
    assert not Import.objects.exists()


def test_where_imports_are_on_the_menu_has_them(ada):
    assert "data-import" in signed_in(ada).get("/chat").content.decode()


def test_the_dialog_says_why_it_lists_no_network(ada):
    said = "Networks aren't listed: an import gives each chat one agent."
    without = signed_in(ada).get("/imports").content.decode()
    Network.objects.create(name="Duo", slug="duo", members=["demo"], entry="demo")

    assert said not in without
    assert said in signed_in(ada).get("/imports").content.decode()


def test_a_file_beyond_the_limit_is_refused_with_a_sentence(ada, settings):
    settings.MAX_IMPORT_BYTES = 100
    sentence = "my chats.json is larger than 100 bytes. Import its parts one by one."

    page, by_api = upload(signed_in(ada)), upload(signed_in(ada), "/api/imports")

    assert (page.status_code, page.json()) == (200, {"refused": sentence, "code": "too_large"})
    assert (by_api.status_code, by_api.json()["detail"]) == (422, sentence)
    assert not Import.objects.exists()


@pytest.mark.parametrize("address", ["/imports", "/api/imports"])
def test_an_empty_file_is_refused_at_once(ada, address):
    file = SimpleUploadedFile("chats.json", b"")

    answer = signed_in(ada).post(address, {"file": file, "agent": "demo"})

    assert "chats.json is empty. Export the chats again." in answer.content.decode()
    assert not Import.objects.exists()


@pytest.mark.parametrize("address", ["/imports", "/api/imports"])
def test_nobody_begins_more_than_a_few_at_once_or_too_often(ada, settings, monkeypatch, address):
    monkeypatch.setattr(buckets, "_full_at", {})
    settings.FILES_PER_MINUTE = lifecycle.AT_ONCE + 2
    client = signed_in(ada)
    contents = [[chatgpt(node("a", "root", text=str(n)))] for n in range(lifecycle.AT_ONCE + 3)]

    *taken, beyond, often = [upload(client, address, each) for each in contents[:7]] + [
        upload(client, address, contents[7])
    ]

    assert Import.objects.count() == lifecycle.AT_ONCE
    assert {each.status_code for each in taken[: lifecycle.AT_ONCE]} <= {201, 202}
    assert "Wait until your other imports have ended." in beyond.content.decode()
    assert often.status_code == 429
    assert "per minute" in often.content.decode()


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("get", "/imports/{}"),
        ("get", "/imports/{}/chats"),
        ("post", "/imports/{}/stop"),
        ("get", "/api/imports/{}"),
        ("post", "/api/imports/{}/stop"),
    ],
)
def test_anothers_import_does_not_exist(ada, method, address):
    job = begun(CHAT, actor=Actor(ada))
    eve = signed_in(User.objects.create_user("eve", is_staff=True))

    assert getattr(eve, method)(address.format(job.pk)).status_code == 404
    assert getattr(signed_in(ada), method)(address.format(job.pk)).status_code == 200


def test_only_staff_may_have_a_files_instructions_sent(ada):
    refused = upload(signed_in(ada), instructions="1")
    boss = User.objects.create_user("boss", is_staff=True)

    assert refused.json()["code"] == "not_allowed"
    assert upload(signed_in(boss), instructions="1").status_code == 201
    assert Import.objects.get().instructs


def chats(count):
    said = node("a", "root", text="Hi")
    return [chatgpt(said, id=str(n), title=f"Chat {n}") for n in range(count)]


def report_of(client, content):
    job = go_on(begun(content, actor=Actor(User.objects.get())))
    return " ".join(client.get(f"/imports/{job.pk}").content.decode().split())


def test_a_few_chats_are_linked_at_once_and_many_in_a_fold(ada):
    client = signed_in(ada)

    few = report_of(client, [*chats(1), {"title": "Broken", "mapping": 7}])
    many = report_of(client, chats(6))

    first = Conversation.objects.get(title="Chat 0")
    assert f'<a href="/chat/{first.pk}" dir="auto">Chat 0</a>' in few
    assert 'Broken</span> <small class="import-not">not imported' in few
    assert "1 chat imported" in few
    assert "All chats of this file" not in few
    assert "5 chats imported <span>1 already here and left alone" in many
    assert "All chats of this file" in many


def test_a_report_says_plainly_that_nothing_was_imported_or_nothing_new(ada):
    client = signed_in(ada)

    assert "Nothing imported" in report_of(client, {"a": 1})
    report_of(client, chats(1))
    assert "Nothing new <span>1 already here and left alone" in report_of(client, chats(1))
    broken = {"title": "Broken", "mapping": 7}
    assert "Nothing imported</b> <span>1 skipped" in report_of(client, [broken])


def test_an_archive_that_is_cut_off_says_that_nothing_of_it_was_imported(ada):
    cut = zipped({"conversations.json": chats(3)})[:-30]

    report = report_of(signed_in(ada), cut)

    assert "cut off, and nothing of it was imported. Download it again." in report
    assert not Conversation.objects.exists()


def test_a_report_of_deleted_chats_says_so(ada):
    client = signed_in(ada)
    report_of(client, chats(1))
    Conversation.objects.update(deleted_at=timezone.now())

    report = client.get(f"/imports/{Import.objects.get().pk}").content.decode()

    assert "Its chats were deleted" in report
    assert "Nothing imported" not in report


HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>\n\n"
    "![x](https://evil.example/x.png) [go](javascript:alert(1)) <a href='//evil.example'>a</a>"
)


def test_what_a_file_says_is_shown_as_a_persons_own_words_are(ada):
    nodes = [
        node(name, before, role, HOSTILE)
        for name, before, role in (
            ("s", "root", "system"),
            ("a", "s", "user"),
            ("b", "a", "assistant"),
            ("t", "b", "tool"),
        )
    ]
    nodes[-1]["t"]["message"]["author"]["name"] = "<script>tool</script>"
    title = "<script>title</script>"
    job = go_on(begun([chatgpt(*nodes, title=title)], actor=Actor(ada)))
    chat = Conversation.objects.get()
    client = signed_in(ada)

    for address in (f"/chat/{chat.pk}", f"/imports/{job.pk}", f"/imports/{job.pk}/chats"):
        shown = client.get(address).content.decode()
        assert "<script>alert" not in shown
        assert "<script>title" not in shown
        assert "<script>tool" not in shown
        assert "<img src=x" not in shown
        assert 'src="https://evil' not in shown
        assert 'href="javascript:' not in shown
