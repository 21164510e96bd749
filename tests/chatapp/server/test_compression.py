"""Pages and answers come compressed to who asks for it."""

import gzip

import pytest

from tests.factories import make_agent, make_conversation

ACCEPTS = {"HTTP_ACCEPT_ENCODING": "gzip"}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "beginning"),
    [
        ("/chat?agent=demo", b"<!doctype html>"),
        ("/api/openapi.json", b"{"),
    ],
    ids=["a page", "the API"],
)
def test_a_browser_that_asks_for_it_gets_less(client, path, beginning):
    client.get("/chat")
    plain, small = client.get(path), client.get(path, **ACCEPTS)

    assert "Content-Encoding" not in plain
    assert small["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in small["Vary"]
    whole = gzip.decompress(small.content)
    assert len(small.content) < len(whole) / 2
    assert whole.lower().lstrip().startswith(beginning)


def test_lengths_of_a_page_tell_nothing_of_its_secrets(client):
    lengths = {len(client.get("/login", **ACCEPTS).content) for _ in range(12)}

    assert len(lengths) > 1


def test_what_is_written_while_it_is_sent_stays_as_it_is(client, django_user_model):
    ada = django_user_model.objects.create_user("ada")
    make_conversation(make_agent("demo1"), ada)
    client.force_login(ada)

    answer = client.get("/export?format=json", **ACCEPTS)

    assert answer.status_code == 200
    assert "Content-Encoding" not in answer
    assert answer.streaming
