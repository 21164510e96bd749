"""A check warns of wide TRUSTED_PROXIES: any machine in the range can claim to be anybody."""

import pytest
from django.core import checks

from chatapp.server.client_address import proxies


def warned(settings, raw):
    settings.TRUSTED_PROXIES = proxies(raw)
    return [found.msg for found in checks.run_checks() if found.id == "chatapp.W001"]


@pytest.mark.parametrize("raw", ["10.0.0.0/8", "0.0.0.0/0", "172.16.0.0/12", "fd00::/8", "::/0"])
def test_a_wide_one_is_named(settings, raw):
    (said,) = warned(settings, f"127.0.0.1,{raw}")

    assert said.startswith(f"TRUSTED_PROXIES={raw}: whoever sends from there chooses")


@pytest.mark.parametrize("raw", ["", "unix", "127.0.0.1", "172.30.91.0/24", "10.1.0.0/16", "::1"])
def test_a_narrow_one_is_not(settings, raw):
    assert warned(settings, raw) == []
