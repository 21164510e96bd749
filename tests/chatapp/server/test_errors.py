"""The page for a database that refuses leads back to what somebody was about to do."""

import pytest
from django.test import RequestFactory

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
    assert (f'href="{path}">Try again</a>' in answer.content.decode()) == leads_back
    assert "Go to the chat" in answer.content.decode()


def test_the_way_back_never_leaves_the_site():
    request = RequestFactory().get("//elsewhere.example/", headers={"Accept": "text/html"})

    assert 'href="//' not in unavailable(request).content.decode()
