"""Every answer, from whatever part of the app, has the headers that protect browsers."""

import pytest
from django.conf import settings

from tests.asgi import ask
from tests.chatapp.test_permissions import ARGUMENT, ROWS, addresses, filled, world

__all__ = ["world"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume synchronous"),
]
EXPECTED = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}
OPENER = "cross-origin-opener-policy"
OTHERS = {
    "a page that is not there": ("GET", "/nowhere"),
    "an address with a NUL": ("GET", "/chat/%00"),
    "an address that is no text": ("GET", "/chat/%ff"),
    "a call that is not there": ("GET", "/api/nowhere"),
    "a form without a token": ("POST", "/logout"),
    "a method that is not allowed": ("PUT", "/healthz"),
    "the administration": ("GET", "/admin/"),
    "its sign-in": ("GET", "/admin/login/"),
    "a style": ("GET", "/static/css/toast.css"),
    "a script": ("GET", "/static/js/main.js"),
    "a picture": ("GET", "/static/icons/favicon.svg"),
    "a file of the administration": ("GET", "/static/admin/css/base.css"),
    "a static file that is not there": ("GET", "/static/nowhere.css"),
}


def check(answer, *, is_local=True):
    assert EXPECTED.items() <= answer.headers.items()
    assert (answer.headers.get(OPENER) == "same-origin") == is_local
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "camera=()" in answer.headers["permissions-policy"]
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["cache-control"]


def check_route(world, name):
    row = ROWS[name]
    address = ARGUMENT.sub(lambda match: str(world.names[match[1]]), addresses()[name])
    for who in ("nobody", "owner"):
        cookie = world.people[who].cookies.get(settings.SESSION_COOKIE_NAME)
        headers = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={cookie.value}"} if cookie else {}
        query = filled(row.data, world.names) if row.method == "get" else None

        answer = ask(row.method, address, headers=headers, query=query)

        check(answer)
        assert "no-store" in answer.headers["cache-control"], name


def test_every_route_that_changes_nothing(world):
    for name, row in ROWS.items():
        if row.method == "get":
            check_route(world, name)


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.method != "get"])
def test_every_other_route(world, name):
    check_route(world, name)


@pytest.mark.parametrize(("method", "address"), OTHERS.values(), ids=OTHERS)
def test_what_no_route_answers(method, address):
    answer = ask(method, address)

    check(answer)
    assert ("no-store" in answer.headers["cache-control"]) == (
        not address.startswith("/static/") or answer.status == 404
    )


def test_a_host_of_somebody_else():
    answer = ask("GET", "/login", headers={"Host": "evil.example"})

    assert answer.status == 400
    check(answer, is_local=False)


@pytest.mark.parametrize("path", ["/login", "/nowhere", "/static/js/main.js"])
@pytest.mark.parametrize(
    ("headers", "has"),
    [
        ({"Host": "192.168.1.5:8000"}, False),
        ({"Host": "localhost:8000"}, True),
        ({"Host": "127.0.0.1"}, True),
        ({"Host": "[::1]:8000"}, True),
        ({"Host": "192.168.1.5", "X-Forwarded-Proto": "https"}, True),
    ],
)
def test_openers_are_told_apart_where_browsers_heed_it(settings, path, headers, has):
    settings.ALLOWED_HOSTS = ["*"]

    assert (OPENER in ask("GET", path, headers=headers).headers) == has


@pytest.mark.parametrize("address", ["/chat", "/api/conversations", "/nowhere"])
def test_a_body_that_is_too_long(address):
    check(ask("POST", address, size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))


def test_a_page_keeps_the_policy_of_its_own():
    policy = ask("GET", "/login").headers["content-security-policy"]

    assert "script-src 'self'" in policy
    assert "default-src 'none'" not in policy
