"""The tool reads pages only from listed hosts, even after redirects, and up to a limit."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from agents.tools import call, read_page
from agents.tools.hosts import Hosts, parse_hosts
from tests.patience import PATIENCE

HTML = "text/html; charset=utf-8"


class Site(ThreadingHTTPServer):
    """A web server whose `pages` are (status, headers, body) by path."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages = {}
        self.asked = []
        self.stopping = threading.Event()
        self.url = f"http://localhost:{self.server_port}"

    def page(self, path, body, kind=HTML, status=200, **headers):
        self.pages[path] = (status, {"Content-Type": kind, **headers}, body)


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self):
        self.server.asked.append((self.path, self.headers["Host"]))
        status, headers, body = self.server.pages[self.path]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if body is None:
            self.server.stopping.wait(PATIENCE)
        else:
            self.wfile.write(body if isinstance(body, bytes) else body.encode())

    def log_message(self, *args):
        """Write no access log."""


@pytest.fixture
def site(settings):
    """Start a site on this machine, and add its name and address to the listed hosts."""
    server = Site()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    settings.READ_PAGE_HOSTS = listed(server, "127.0.0.0/8", "::1")
    yield server
    server.stopping.set()
    server.shutdown()
    server.server_close()
    thread.join()


def listed(site: Site, *others: str) -> Hosts:
    return parse_hosts([f"localhost:{site.server_port}", *others])


def read(url):
    return call("read_page", f'{{"url": "{url}"}}')


def test_a_page_is_read_as_text(site):
    site.page("/tea", "<title>Tea</title><p>Hot <b>water</b>.</p>")

    assert read(f"{site.url}/tea").text == "Tea\nHot water."
    assert site.asked == [("/tea", f"localhost:{site.server_port}")]


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("text/plain", "1 < 2", "1 < 2"),
        ("application/json", '{"a": 1}', '{"a": 1}'),
        ("text/html; charset=latin-1", "caf\xe9".encode("latin-1"), "caf\xe9"),
        ("text/plain; charset=nobody-knows", "caf\xe9", "caf\xe9"),
        ("text/plain", b"\xff", "\ufffd"),
    ],
)
def test_text_of_other_kinds_is_read_as_it_is(site, kind, body, text):
    site.page("/", body, kind)

    assert read(f"{site.url}/").text == text


def test_without_a_list_nothing_is_read(settings):
    settings.READ_PAGE_HOSTS = Hosts()

    result = read("http://example.org/")

    assert result.failed
    assert "READ_PAGE_HOSTS" in result.text


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "http://localhost/",
        "http://localhost.evil.example/",
        "http://2130706433/",
        "http://[::ffff:10.0.0.1]/",
    ],
)
def test_a_host_that_is_not_listed_is_not_asked(site, url):
    result = read(url)

    assert "is not an allowed host. Allowed: localhost:" in result.text
    assert site.asked == []


@pytest.mark.parametrize(
    ("scheme", "rest"),
    [
        ("file", "/etc/passwd"),
        ("gopher", "/"),
        ("", "no address"),
        ("http", "/"),
        ("javascript", "alert(1)"),
    ],
)
def test_what_is_no_web_address_is_refused(site, scheme, rest):
    result = read(f"{scheme}://{rest}" if scheme else rest)

    assert result.failed
    assert site.asked == []


def test_a_name_and_a_password_in_an_address_are_refused(site):
    result = read(site.url.replace("//", "//me:secret@"))

    assert "not a plain http or https address" in result.text
    assert site.asked == []


def test_a_listed_name_that_leads_inside_is_refused(site, settings):
    settings.READ_PAGE_HOSTS = listed(site)

    result = read(site.url)

    assert "resolves to an address that is neither public nor listed" in result.text
    assert site.asked == []


def test_a_redirect_on_the_list_is_followed(site):
    site.page("/old", "", status=301, Location="/new?a=1")
    site.page("/new?a=1", "here")

    assert read(f"{site.url}/old").text == "here"


@pytest.mark.parametrize(
    "target", ["http://example.org/", "http://10.0.0.1/", "file:///etc/passwd", "//evil.example/x"]
)
def test_a_redirect_off_the_list_is_not(site, target):
    site.page("/", "", status=302, Location=target)

    result = read(f"{site.url}/")

    assert result.failed
    assert [path for path, _ in site.asked] == ["/"]


def test_redirects_end(site):
    site.page("/", "", status=302, Location="/")

    assert read(f"{site.url}/").text == "Error: the page redirects more than 3 times."
    assert len(site.asked) == 4


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ({"body": "", "status": 404}, "the server answered 404 Not Found."),
        ({"body": b"\x89PNG", "kind": "image/png"}, "the page is image/png, not text."),
    ],
)
def test_what_cannot_be_read_says_why(site, page, reason):
    site.page("/", **page)

    assert read(f"{site.url}/").text == f"Error: {reason}"


def test_a_page_without_end_is_cut_off(site, monkeypatch):
    monkeypatch.setattr(read_page, "MOST_BYTES", 1_000)
    site.page("/", "x" * 5_000, "text/plain")

    assert read(f"{site.url}/").text == f"{'x' * 1_000}\n[Cut off after 1,000 bytes]"


def test_a_server_that_says_nothing_is_given_up(site, monkeypatch):
    monkeypatch.setattr(read_page, "SECONDS", 0.2)
    site.page("/", None)

    assert read(f"{site.url}/").text == "Error: the page took longer than 0.2 seconds."


def test_a_server_that_is_not_there_is_said(site):
    site.shutdown()
    site.server_close()

    assert read(f"{site.url}/").text == "Error: the page could not be read (ConnectError)."
