"""The metrics in Prometheus' format. This is the only file that imports its client library."""

from email.message import Message
from importlib import import_module
from typing import TYPE_CHECKING, Any

from chatapp.telemetry.metric import Kind, Metric
from chatapp.telemetry.metrics import METRICS

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


def switch_on() -> "CollectorRegistry":
    """Begin to count, starting at 0."""
    client: Any = import_module("prometheus_client")  # The library is an optional dependency.
    client.disable_created_metrics()
    registry: CollectorRegistry = client.CollectorRegistry()
    client.ProcessCollector(registry=registry)
    for metric in METRICS:
        metric.series = _series(client, metric, registry)
    return registry


def switch_off() -> None:
    for metric in METRICS:
        metric.series = None


def exposition(registry: "CollectorRegistry", headers: "Message[str, str]") -> tuple[bytes, str]:
    """Return the metrics in a format that the client accepts, and its content type."""
    from prometheus_client.exposition import choose_encoder  # noqa: PLC0415 -- an optional package

    encode, kind = choose_encoder(headers.get("Accept", ""))
    return encode(registry), kind


def _series(client: Any, metric: Metric, registry: "CollectorRegistry") -> Any:
    kinds = {
        Kind.COUNTER: client.Counter,
        Kind.GAUGE: client.Gauge,
        Kind.HISTOGRAM: client.Histogram,
    }
    more = {"buckets": metric.buckets} if metric.buckets else {}
    series = kinds[metric.kind](metric.name, metric.help, metric.labels, registry=registry, **more)
    for labels, read in metric.watched.items():
        (series.labels(*labels) if labels else series).set_function(read)
    return series
