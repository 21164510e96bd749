"""The address that serves metrics, and the address to which spans are sent."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from chatapp.env.packages import NO_EXTRA

LEAST_TOKEN = 16
FORM = "must be an address and a port, such as 127.0.0.1:9464"
NO_TOKEN = "is readable by others: set METRICS_TOKEN, or use 127.0.0.1"
SHORT = f"must have at least {LEAST_TOKEN} characters, none of them a blank"
COLLECTOR = "must be an address such as http://127.0.0.1:4318"


@dataclass(frozen=True, slots=True)
class Telemetry:
    """The addresses of metrics and of spans. None, or an empty one, switches its kind off."""

    metrics_address: tuple[str, int] | None
    metrics_token: str
    collector: str
    service: str


def metrics_token(raw: str) -> str:
    if raw and (len(raw) < LEAST_TOKEN or raw.split() != [raw] or not raw.isascii()):
        raise ValueError(SHORT)
    return raw


def metrics_address(token: str, raw: str) -> tuple[str, int] | None:
    """Return host and port; None if unset. Raise ValueError for an invalid address, and for
    one that others can reach if there is no token.
    """
    if not raw:
        return None
    host, _, port = raw.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ValueError(FORM)
    try:
        is_own = ip_address(host).is_loopback
    except ValueError:
        raise ValueError(FORM) from None
    if not is_own and not token:
        raise ValueError(NO_TOKEN)
    _require("metrics", "prometheus_client")
    return host, int(port)


def collector(raw: str) -> str:
    """Return the address of an OTLP collector; it is empty if none is set."""
    if not raw:
        return ""
    try:
        parts = urlsplit(raw)
        is_whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_whole = False
    if not is_whole:
        raise ValueError(COLLECTOR)
    _require("tracing", "opentelemetry.exporter")
    return raw


def telemetry(read: Callable[[str, Callable[[str], Any]], Any]) -> Telemetry:
    """Read the environment's variables for metrics and spans."""
    token = read("METRICS_TOKEN", metrics_token)
    return Telemetry(
        read("METRICS_ADDRESS", partial(metrics_address, token)),
        token,
        read("OTEL_EXPORTER_OTLP_ENDPOINT", collector),
        read("OTEL_SERVICE_NAME", str),
    )


def _require(extra: str, module: str) -> None:
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        raise ValueError(NO_EXTRA.format(extra=extra))
