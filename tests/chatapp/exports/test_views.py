"""A chat can be saved from its page, by the API and in a terminal."""

from io import BytesIO
from urllib.parse import parse_qsl
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from history.services.exports.schema import Export
from tests.asgi import ask
from tests.exported import make_full_chat
from tests.factories import add_turn, make_agent, make_conversation, make_reader

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada():
    return User.objects.create_user("ada")


@pytest.fixture
def chat(ada):
    chat = make_conversation(make_agent(), ada, title="Tides")
    add_turn(chat, "When is high tide?", "At **six**.")
    return chat


def get(user, address):
    """Request an address as the server does, since Django's test client would not stream."""
    client = Client()
    client.force_login(user)
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    path, _, query = address.partition("?")
    headers = {"Cookie": f"{cookie}; timezone=Asia%2FTokyo"}
    return ask("GET", path, query=dict(parse_qsl(query)), headers=headers)


@pytest.mark.parametrize("before", ["/chat/{}/export", "/api/conversations/{}/export"])
def test_a_chat_is_saved_under_its_name(ada, chat, before):
    markdown = get(ada, before.format(chat.pk) + "?format=markdown")
    as_json = get(ada, before.format(chat.pk) + "?format=json")

    name = f"{chat.created:%Y-%m-%d}-tides-{str(chat.pk)[:8]}"
    assert markdown.headers["content-disposition"] == f'attachment; filename="{name}.md"'
    assert as_json.headers["content-disposition"] == f'attachment; filename="{name}.json"'
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
    assert markdown.headers["cache-control"] == "private, no-store"
    assert "At **six**." in markdown.body.decode()
    assert Export.model_validate_json(as_json.body).messages[0].text == "When is high tide?"


def test_a_page_writes_the_times_of_its_reader(ada, chat):
    assert "JST" in get(ada, f"/chat/{chat.pk}/export?format=markdown").body.decode()
    assert "UTC" in get(ada, f"/api/conversations/{chat.pk}/export?format=markdown").body.decode()


@pytest.mark.parametrize("before", ["/chat/{}", "/api/conversations/{}"])
def test_a_chat_without_thoughts_has_a_name_of_its_own(ada, chat, before):
    address = before.format(chat.pk)
    names = [
        get(ada, f"{address}/export?format={form}&thoughts=false").headers["content-disposition"]
        for form in ("markdown", "json")
    ]

    name = f"{chat.created:%Y-%m-%d}-tides-{str(chat.pk)[:8]}"
    assert names == [
        f'attachment; filename="{name}-without-thoughts.md"',
        f'attachment; filename="{name}.json"',
    ]
    everything = get(ada, "/export?format=markdown&thoughts=false").headers["content-disposition"]
    assert everything.endswith('-without-thoughts.md.zip"')


@pytest.mark.parametrize("address", ["/export", "/api/export"])
def test_all_chats_are_saved_as_an_archive(ada, chat, address):
    make_full_chat(User.objects.create_user("bob"), slug="other")

    answer = get(ada, f"{address}?format=markdown&thoughts=false")

    assert answer.headers["content-disposition"].startswith('attachment; filename="vitrine-chats-')
    file, manifest = ZipFile(BytesIO(answer.body)).namelist()
    assert (file, manifest) == (
        f"chats/{chat.created:%Y-%m-%d}-tides-{str(chat.pk)[:8]}.md",
        "manifest.json",
    )


@pytest.mark.parametrize("query", ["", "?format=xml", "?format=json&thoughts=maybe"])
def test_a_bad_wish_is_refused(ada, chat, query):
    assert get(ada, f"/chat/{chat.pk}/export{query}").status == 404
    assert get(ada, f"/export{query}").status == 404
    refused = get(ada, f"/api/conversations/{chat.pk}/export{query}")
    assert refused.status == 422
    assert b"format" in refused.body or b"thoughts" in refused.body


def test_readers_see_whose_words_they_read(chat):
    answer = get(make_reader("zoe"), f"/chat/{chat.pk}/export?format=markdown")

    assert "## ada · " in answer.body.decode()


def test_a_readers_transcript_leads_to_the_exports(chat):
    zoe = make_reader("zoe")
    page = get(zoe, f"/inspect/{chat.pk}").body.decode()
    address = f"/chat/{chat.pk}/export?format="

    assert f"{address}json" in page
    assert f"{address}markdown" in page
    assert "Each export is recorded" in page
    assert get(zoe, f"{address}json").status == 200
    eve = User.objects.create_user("eve", is_staff=True)
    assert get(eve, f"{address}json").status == 404


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_terminal_exports_one_chat_or_a_users(chat, here):
    call_command("export_chats", str(chat.pk))
    call_command("export_chats", user="ada", format="markdown", output="all.zip")

    (document,) = here.glob("*.json")
    assert Export.model_validate_json(document.read_bytes()).chat.id == chat.pk
    with ZipFile(here / "all.zip") as archive:
        text = archive.read(archive.namelist()[0]).decode()
    assert "## ada · " in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["nothing"], "No conversation has the id nothing.", id="no id"),
        pytest.param(["--user", "eve"], "There is no user eve.", id="no user"),
        pytest.param(["CHAT", "--output", "."], "--output .: File exists.", id="no file"),
        pytest.param(["CHAT", "--output", "a/b"], "--output a/b: No such file", id="no folder"),
    ],
)
def test_a_terminal_says_what_is_wrong(chat, here, arguments, said):
    given = [str(chat.pk) if each == "CHAT" else each for each in arguments]

    with pytest.raises(CommandError, match=said.replace(".", r"\.")):
        call_command("export_chats", *given)
