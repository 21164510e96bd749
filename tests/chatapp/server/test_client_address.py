import pytest
from django.test import RequestFactory

from chatapp.server.client_address import address_of_request, address_of_scope, proxies

PROXY = "10.0.0.1"
TRUSTED = "10.0.0.1, 192.168.0.0/16, 2001:db8:5::/48"

SEEN = [
    pytest.param("203.0.113.9", [], "203.0.113.9", id="nobody in between"),
    pytest.param("203.0.113.9", ["198.51.100.7"], "203.0.113.9", id="a client that forges"),
    pytest.param(PROXY, ["198.51.100.7"], "198.51.100.7", id="a proxy we trust"),
    pytest.param(
        PROXY, ["1.1.1.1, 198.51.100.7"], "198.51.100.7", id="a client that forges behind a proxy"
    ),
    pytest.param(
        PROXY, ["1.1.1.1", "198.51.100.7"], "198.51.100.7", id="forged in a header of its own"
    ),
    pytest.param(PROXY, ["198.51.100.7, 192.168.3.4"], "198.51.100.7", id="two proxies we trust"),
    pytest.param(PROXY, ["192.168.3.4, 198.51.100.7"], "198.51.100.7", id="forged as a proxy"),
    pytest.param(PROXY, ["192.168.3.4"], "192.168.3.4", id="proxies alone"),
    pytest.param(PROXY, [], PROXY, id="a proxy that says nothing"),
    pytest.param(PROXY, [""], PROXY, id="a proxy that says an empty thing"),
    pytest.param(PROXY, ["unknown"], PROXY, id="a word"),
    pytest.param(PROXY, ["198.51.100.7, unknown"], PROXY, id="a word where the address should be"),
    pytest.param(
        PROXY, ["198.51.100.7, unknown, 192.168.3.4"], "192.168.3.4", id="a word in between"
    ),
    pytest.param(PROXY, ["198.51.100.7:4711"], "198.51.100.7", id="with a port"),
    pytest.param(PROXY, ["[2001:db8::7]:4711"], "2001:db8::/64", id="IPv6 with a port"),
    pytest.param(PROXY, ['"198.51.100.7"'], PROXY, id="in quotes"),
    pytest.param(PROXY, [",".join(["1.1.1.1"] * 5_000)], "1.1.1.1", id="five thousand of them"),
    pytest.param("192.168.9.9", ["198.51.100.7"], "198.51.100.7", id="a network we trust"),
    pytest.param("::ffff:10.0.0.1", ["198.51.100.7"], "198.51.100.7", id="a proxy by IPv6"),
    pytest.param(PROXY, ["::ffff:198.51.100.7"], "198.51.100.7", id="IPv4 written as IPv6"),
    pytest.param("2001:db8:5::1", ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64", id="all IPv6"),
    pytest.param("2001:db8:1:2::aaaa", [], "2001:db8:1:2::/64", id="a home's many addresses"),
    pytest.param("fe80::1%eth0", [], "fe80::/64", id="a link's own address"),
    pytest.param("", ["198.51.100.7"], "local", id="a unix socket that is not trusted"),
]


@pytest.fixture(autouse=True)
def trusted(settings):
    settings.TRUSTED_PROXIES = proxies(TRUSTED)


def _scope(peer, forwarded):
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return {"client": (peer, 4711) if peer else None, "headers": headers}


def _request(peer, forwarded):
    meta = {"HTTP_X_FORWARDED_FOR": ",".join(forwarded)} if forwarded else {}
    return RequestFactory().get("/", REMOTE_ADDR=peer, **meta)


@pytest.mark.parametrize(("peer", "forwarded", "address"), SEEN)
def test_a_socket_has_the_address_of_the_last_hop_that_is_not_trusted(peer, forwarded, address):
    assert address_of_scope(_scope(peer, forwarded)) == address


@pytest.mark.parametrize(("peer", "forwarded", "address"), SEEN)
def test_a_request_has_the_same(peer, forwarded, address):
    assert address_of_request(_request(peer, forwarded)) == address


@pytest.mark.parametrize(
    ("peer", "address"), [("", "198.51.100.7"), ("203.0.113.9", "203.0.113.9")]
)
def test_a_unix_socket_may_be_a_proxy(settings, peer, address):
    settings.TRUSTED_PROXIES = proxies("unix")

    assert address_of_scope(_scope(peer, ["198.51.100.7"])) == address


def test_nobody_is_trusted_unless_it_is_said(settings):
    settings.TRUSTED_PROXIES = proxies("")

    assert address_of_scope(_scope("127.0.0.1", ["198.51.100.7"])) == "127.0.0.1"


@pytest.mark.parametrize("raw", ["everyone", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.1;10.0.0.2"])
def test_a_bad_proxy_is_named(raw):
    with pytest.raises(ValueError, match=r"10\.0|everyone"):
        proxies(raw)


def test_a_proxy_that_is_not_trusted_is_told_of_in_the_log_once(settings, caplog):
    settings.TRUSTED_PROXIES = proxies("")
    for _ in range(3):
        address_of_scope(_scope("203.0.113.77", ["198.51.100.7"]))

    assert [record.getMessage() for record in caplog.records] == [
        "203.0.113.77 says for whom it forwards, and is not in TRUSTED_PROXIES: all that comes"
        " through it counts as one address."
    ]
