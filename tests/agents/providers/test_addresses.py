"""The addresses that an administrator may enter for a provider."""

import pytest

from agents.providers.addresses import AddressRefused, check_address, reachable
from agents.tools.hosts import parse_hosts

PRIVATE = [
    *("127.0.0.1", "localhost", "[::1]", "[::ffff:a9fe:a9fe]", "0", "0x7f.1", "2130706433"),
    *("169.254.169.254", "10.0.0.1", "192.168.1.1", "[fd00::1]", "0.0.0.0"),
]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", PRIVATE)
def test_a_private_host_is_refused(host, scheme):
    with pytest.raises(AddressRefused, match=r"add \S+ to PROVIDER_HOSTS"):
        check_address(f"{scheme}://{host}:11434/v1")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("file:///etc/passwd", "must start with http"),
        ("gopher://example.org/", "must start with http"),
        ("https://", "must start with http"),
        ("https://user@example.org/", "may not contain a user"),
        ("https://user:word@example.org/", "may not contain a user"),
        ("https://example.org/v1?key=1", "may not contain a user"),
        ("https://example.org/#x", "may not contain a user"),
        ("https://example.org:99999/", "This is not an address"),
        ("http://93.184.216.34/v1", "Use https://"),
    ],
)
def test_what_is_no_address_of_a_provider_is_refused(address, why):
    with pytest.raises(AddressRefused, match=why):
        check_address(address)


def test_a_public_address_is_accepted():
    check_address("https://93.184.216.34/v1")


def test_a_host_that_cannot_be_found_yet_is_accepted():
    check_address("https://not-there.invalid/v1")


@pytest.mark.parametrize(
    ("listed", "host", "address"),
    [
        ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("10.0.0.0/8", "ollama", "10.1.2.3"),
        ("ollama:11434", "ollama", "172.18.0.2"),
    ],
)
def test_a_listed_host_is_reachable(settings, listed, host, address):
    settings.PROVIDER_HOSTS = parse_hosts([listed])

    assert reachable("http", host, 11434, [address]) == (address,)


def test_a_listed_name_without_a_port_stands_for_the_usual_one(settings):
    settings.PROVIDER_HOSTS = parse_hosts(["ollama"])

    assert reachable("http", "ollama", 80, ["172.18.0.2"]) == ("172.18.0.2",)
    with pytest.raises(AddressRefused, match="add ollama:11434 to PROVIDER_HOSTS"):
        reachable("http", "ollama", 11434, ["172.18.0.2"])


def test_each_address_of_a_name_is_there_to_be_tried(settings):
    settings.PROVIDER_HOSTS = parse_hosts(["localhost:8000"])

    found = ["::1", "127.0.0.1", "::1"]
    assert reachable("http", "localhost", 8000, found) == ("::1", "127.0.0.1")


def test_one_private_address_of_several_is_enough_to_refuse():
    with pytest.raises(AddressRefused):
        reachable("https", "rebinding.example.org", 443, ["93.184.216.34", "127.0.0.1"])
