"""Pages and answers are compressed for clients that accept this."""

import gzip
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from tests.factories import make_agent, make_conversation

ACCEPTS = {"HTTP_ACCEPT_ENCODING": "gzip"}

STATIC = ["css/page.css", "js/main.js", "vendor/htmx-4.0.1.min.js", "icons/icons.svg"]

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


@pytest.mark.parametrize("name", STATIC)
def test_static_files_are_compressed_where_none_are_collected(client, name):
    whole = Path(finders.find(name)).read_bytes()

    small = client.get(f"/static/{name}", **ACCEPTS)
    packed = b"".join(small.streaming_content)

    assert small["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in small["Vary"]
    assert gzip.decompress(packed) == whole
    assert len(packed) < len(whole) / 2
    assert b"".join(client.get(f"/static/{name}").streaming_content) == whole


def test_who_has_a_static_file_gets_no_second_one(client):
    first = client.get("/static/js/main.js", **ACCEPTS)
    first.close()
    asked = {"HTTP_IF_MODIFIED_SINCE": first["Last-Modified"]}

    again = client.get("/static/js/main.js", **ACCEPTS, **asked)

    assert again.status_code == 304
    assert "Content-Encoding" not in again
    assert b"".join(again.streaming_content) == b""


def test_a_part_of_a_static_file_is_that_part(client):
    part = client.get("/static/js/main.js", HTTP_RANGE="bytes=0-9", **ACCEPTS)

    assert part.status_code == 206
    assert "Content-Encoding" not in part
    assert b"".join(part.streaming_content) == Path(finders.find("js/main.js")).read_bytes()[:10]
