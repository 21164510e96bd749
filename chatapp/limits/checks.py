"""System checks of settings that the environment allows, but that are probably mistakes."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core import checks

NARROW = {4: 16, 6: 48}  # By IP version: a network with a shorter prefix is probably a mistake.


def check_proxies(**options: Any) -> list[checks.Warning]:
    """Warn if TRUSTED_PROXIES contains more addresses than proxies can have."""
    return [
        checks.Warning(
            f"TRUSTED_PROXIES={network}: whoever sends from there chooses the address that they"
            " count as, and limits by address do not hold them.",
            hint="Name the proxies alone, such as 10.1.2.3.",
            id="chatapp.W001",
        )
        for network in _wide()
    ]


def _wide() -> Iterator[str]:
    for network in settings.TRUSTED_PROXIES.networks:
        if network.prefixlen < NARROW[network.version]:
            yield str(network)
