"""The page for an unavailable database leads back to what the person wanted to do."""

import pytest
from django.test import Client, RequestFactory

from chatapp.server import errors
from chatapp.server.errors import unavailable

LOGIN = "http://testserver/login?next=/chat"


@pytest.mark.parametrize(
    ("method", "path", "referer", "leads_back"),
    [
        pytest.param("GET", "/chat?agent=demo", "", True, id="a page"),
        pytest.param("POST", "/login?next=/chat", LOGIN, True, id="a form sent to itself"),
        pytest.param("POST", "/logout", "http://testserver/chat", False, id="a button elsewhere"),
        pytest.param("POST", "/login", "", False, id="a form from nowhere"),
    ],
)
def test_there_is_a_way_back_where_a_page_can_be_opened_again(method, path, referer, leads_back):
    headers = {"Referer": referer, "Accept": "text/html"}

    answer = unavailable(RequestFactory().generic(method, path, headers=headers))

    assert answer.status_code == 503
    assert (f'href="{path}">Retry</a>' in answer.content.decode()) == leads_back
    assert "Go to the chat" in answer.content.decode()


def test_the_way_back_never_leaves_the_site():
    request = RequestFactory().get("//elsewhere.example/", headers={"Accept": "text/html"})

    assert 'href="//' not in unavailable(request).content.decode()


NAMES = {"mybox:8000": "mybox", "MYBOX.local": "mybox.local", "a<b": "the.name"}
NAMES |= {"x" * 300: "the.name", "a.example,*": "the.name"}


@pytest.mark.parametrize("host", NAMES, ids=[name[:20] for name in NAMES])
def test_under_an_unknown_name_page_and_log_name_the_variable(host, caplog, monkeypatch):
    monkeypatch.setattr(errors.logger, "filters", [])  # A filter drops repetitions.
    client = Client(raise_request_exception=False)

    page = client.get("/chat", headers={"Host": host, "Accept": "text/html"})
    call = client.get("/api/agents", headers={"Host": host})

    assert (page.status_code, call.status_code) == (400, 400)
    assert "ALLOWED_HOSTS" in page.content.decode()
    assert call.json()["code"] == "unknown_host"
    assert "ALLOWED_HOSTS" in call.json()["detail"]
    for answer in (page, call):
        assert not [name for name in (host, "testserver") if name in answer.content.decode()]
    (said, _) = [each for each in caplog.messages if "ALLOWED_HOSTS=" in each]
    assert said.endswith(f",{NAMES[host]}")


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["", "; boundary=", "; boundary=a", "; boundary=\u00fc"])
def test_a_form_that_cannot_be_read_gets_the_apis_own_error(kind):
    client = Client(raise_request_exception=False)
    client.post("/visitor")

    answer = client.generic("POST", "/api/attachments", b"no form", f"multipart/form-data{kind}")

    assert answer.status_code in {400, 422}
    assert answer["Content-Type"].startswith("application/json")
    assert answer.json()["code"] == "invalid"
