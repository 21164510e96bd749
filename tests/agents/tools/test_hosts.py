"""The list of hosts that a tool may reach, and the addresses to which no name may lead."""

import re
from ipaddress import ip_address

import pytest

from agents.tools.hosts import Hosts, parse_hosts

LISTED = parse_hosts(["docs.example.org", "Wiki.example.org:8000", "10.1.0.0/16", "::1"])


@pytest.mark.parametrize(
    ("scheme", "host", "port", "admitted"),
    [
        ("https", "docs.example.org", None, True),
        ("https", "docs.example.org", 443, True),
        ("http", "docs.example.org", 80, True),
        ("https", "docs.example.org", 8443, False),
        ("https", "wiki.example.org", None, False),
        ("http", "wiki.example.org", 8000, True),
        ("https", "example.org", None, False),
        ("https", "evil-docs.example.org", None, False),
        ("https", "docs.example.org.evil.example", None, False),
        ("https", "docs.example.org.", None, False),
        ("http", "10.1.2.3", 9200, True),
        ("http", "10.2.0.1", None, False),
        ("http", "::1", 80, True),
        ("http", "127.0.0.1", None, False),
        ("http", "2130706433", None, False),
        ("http", "0x7f.1", None, False),
        ("http", "", None, False),
    ],
)
def test_only_what_is_listed_is_asked(scheme, host, port, admitted):
    assert LISTED.admit(scheme, host, port) is admitted


@pytest.mark.parametrize(
    ("address", "reached"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("10.1.2.3", True),
        ("::1", True),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("10.2.0.1", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("fe80::1", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("::", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:169.254.169.254", False),
        ("2002:7f00:1::", False),
        ("64:ff9b::7f00:1", False),
        ("::127.0.0.1", False),
        ("::93.184.216.34", False),
        ("::ffff:0:127.0.0.1", False),
        ("64:ff9b:1::7f00:1", False),
        ("64:ff9b:1:ffff::a00:1", False),
        ("fec0::1", False),
        ("192.88.99.1", False),
        ("::ffff:192.88.99.1", False),
        ("2002:c058:6301::", False),
        ("3fff::1", False),
        ("3fff:fff:ffff::1", False),
        ("5f00::1", False),
        ("192.88.98.1", True),
    ],
)
def test_a_name_leads_to_public_addresses_and_listed_ones_only(address, reached):
    assert LISTED.reach(ip_address(address)) is reached


@pytest.mark.parametrize("entry", ["http://a.example", "a b", "*.example.org", "a:b", "-a", "é.fr"])
def test_what_is_neither_name_nor_address_is_refused(entry):
    with pytest.raises(ValueError, match=re.escape(repr(entry))):
        parse_hosts(["docs.example.org", entry])


def test_an_empty_list_is_false_and_a_list_can_be_read():
    assert not parse_hosts([])
    assert parse_hosts([]) == Hosts()
    assert str(LISTED) == "docs.example.org, wiki.example.org:8000, 10.1.0.0/16, ::1/128"
    assert str(Hosts()) == "none"
