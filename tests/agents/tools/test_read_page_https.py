"""Pages over https: the tool connects to the checked address, and the certificate must name the
host."""

import ssl
import threading

import certifi
import pytest

from agents.tools.hosts import parse_hosts
from tests.agents.tools.test_read_page import Site, read
from tests.certificates import Authority


@pytest.fixture
def authority(tmp_path, monkeypatch):
    """Make the tool trust only a certificate authority of the test."""
    authority = Authority(tmp_path)
    monkeypatch.setattr(certifi, "where", lambda: str(authority.certificate))
    return authority


@pytest.fixture
def secure(settings):
    """Return a function that starts a site with a certificate, and lists its name and address."""
    started = []

    def secure(certificate):
        site = Site()
        site.names = []  # The host names that clients sent in the TLS handshake.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        context.sni_callback = lambda _, name, __: site.names.append(name)
        site.socket = context.wrap_socket(site.socket, server_side=True)
        site.handle_error = lambda *_: None  # Ignore clients that disconnect.
        site.url = f"https://localhost:{site.server_port}"
        site.page("/tea", "<p>Hot <b>water</b>.</p>")
        thread = threading.Thread(target=site.serve_forever, args=(0.01,))
        thread.start()
        started.append((site, thread))
        names = [f"localhost:{each.server_port}" for each, _ in started]
        settings.READ_PAGE_HOSTS = parse_hosts([*names, "127.0.0.0/8", "::1"])
        return site

    yield secure
    for site, thread in started:
        site.stopping.set()
        site.shutdown()
        site.server_close()
        thread.join()


def test_a_page_is_read_and_the_server_is_asked_by_its_name(authority, secure):
    site = secure(authority.issue("localhost"))

    assert read(f"{site.url}/tea").text == "Hot water."
    assert site.asked == [("/tea", f"localhost:{site.server_port}")]
    assert site.names == ["localhost"]


def test_an_address_has_a_certificate_of_its_own(authority, secure):
    site = secure(authority.issue("127.0.0.1"))

    assert read(f"https://127.0.0.1:{site.server_port}/tea").text == "Hot water."


def test_a_redirect_is_followed_from_one_certificate_to_the_next(authority, secure):
    first, second = secure(authority.issue("localhost")), secure(authority.issue("127.0.0.1"))
    there = f"https://127.0.0.1:{second.server_port}/tea"
    first.page("/", "", status=302, Location=there)

    assert read(f"{first.url}/").text == "Hot water."


@pytest.mark.parametrize(
    "host", [pytest.param("example.org", id="a name"), pytest.param("127.0.0.1", id="an address")]
)
def test_a_certificate_of_another_host_is_refused(authority, secure, host):
    """The certificate names the IP address, which is not enough: it must name the host."""
    site = secure(authority.issue(host))

    assert read(f"{site.url}/tea").text == "Error: the page could not be read (ConnectError)."
    assert site.asked == []


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path, secure):
    site = secure(Authority(tmp_path).issue("localhost"))

    assert read(f"{site.url}/tea").text == "Error: the page could not be read (ConnectError)."
    assert site.asked == []


def test_plain_http_at_a_port_that_speaks_tls_is_refused(authority, secure):
    site = secure(authority.issue("localhost"))

    assert read(f"{site.url.replace('https', 'http')}/tea").failed
    assert site.asked == []
