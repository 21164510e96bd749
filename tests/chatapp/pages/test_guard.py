"""Anybody can forge the header with the page's address; no value of it causes an error."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from chatapp.env import ROOT
from tests.factories import add_turn, branch_of

BAD = {
    "an open bracket": "http://[",
    "no host": "//",
    "no address": "]]:@#?%%zz&;=\\",
    "brackets that hold no address": "http://[x]/chat?historyLength=2",
    "64 kB of query": "http://x/chat?historyLength=" + "9" * 65_536,
    "64 kB of settings": "http://x/chat?" + "historyLength=2&" * 4_096,
    "letters of others": "http://x/châtéÿ?agënt=ÿ",
    "half a character": "http://x/chat?agent=%ed%a0%80&historyLength=%",
    "blanks": " \t?\x0b",
    "nothing": "",
}
LOCAL = re.compile(r"/(?![/\\])[^\\\s]*")
pytestmark = pytest.mark.django_db


@pytest.fixture
def addresses(conversation):
    """Return requests whose answers depend on the page's address in the header."""
    chat, record = f"/chat/{conversation.pk}", f"generation={add_turn(conversation).generation_id}"
    branch = {"branch": branch_of(conversation).pk}
    return [
        ("get", "/chat", {}),
        ("get", "/chat/panel", {}),
        ("get", chat, {}),
        ("get", f"{chat}/older?before=2", {}),
        ("get", f"{chat}/around?position=0&since=0&before=2", {}),
        ("get", f"{chat}/panel", {}),
        ("get", f"{chat}/memory", {}),
        ("get", f"{chat}/debug/turn/1", {}),
        ("post", f"{chat}/branch", branch),
        ("post", f"{chat}/panel/what-if/take?{record}&step=1", {"set.length": "3"}),
    ]


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_no_address_in_the_header_is_an_error(owner, addresses, bad):
    headers = {"HX-Request": "true", "HX-Current-URL": bad}
    statuses = {
        (method, path): getattr(owner, method)(path, data, headers=headers).status_code
        for method, path, data in addresses
    }

    assert {place: s for place, s in statuses.items() if s not in (200, 302)} == {}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_no_query_is_an_error(owner, addresses, bad):
    for method, path, data in addresses:
        address = f"{path}{'&' if '?' in path else '?'}{bad.partition('?')[2] or bad}"
        assert getattr(owner, method)(address, data).status_code < 500, path


@pytest.mark.parametrize(
    ("page", "leads_to"),
    [
        ("http://testserver/chat/1?debug=true", "/chat/1"),
        ("http://testserver//evil.example", "/chat"),
        ("http://testserver///evil.example", "/chat"),
        ("http://testserver/\\evil.example", "/chat"),
        ("http://testserver\\\\evil.example", "/chat"),
        ("http:evil", "/chat"),
        ("https:evil", "/chat"),
        ("javascript:alert(1)", "/chat"),
        ("https:///evil.example", "/evil.example"),
        ("\\\\evil.example", "/chat"),
        *[(bad, "") for bad in BAD.values()],
    ],
)
def test_signing_in_leads_to_a_path_of_this_site(client, settings, page, leads_to):
    settings.ANONYMOUS_CHAT = False

    moved = client.get("/chat", headers={"HX-Request": "true", "HX-Current-URL": page})

    (after,) = parse_qs(urlsplit(moved.headers["HX-Redirect"]).query)["next"]
    assert moved.status_code == 204
    assert LOCAL.fullmatch(after)
    assert after == (leads_to or after)


def test_one_file_reads_the_header():
    readers = [
        path for path in (ROOT / "chatapp").rglob("*.py") if "HX-Current" in path.read_text()
    ]

    assert [path.name for path in readers] == ["guard.py"]
