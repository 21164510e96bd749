"""Send spans to a collector by OTLP over HTTP. This is the only file that imports OpenTelemetry.

Its SDK reads the standard's other variables itself, such as OTEL_EXPORTER_OTLP_HEADERS.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from chatapp.telemetry.spans import Attributes


class SentSpan:
    """One span, with the methods that `chatapp.telemetry.spans` expects."""

    def __init__(self, span: Span) -> None:
        self._span = span

    def note(self, attributes: Attributes) -> None:
        values = {name: value for name, value in attributes.items() if value is not None}
        self._span.set_attributes(values)

    def fail(self, kind: str) -> None:
        self._span.set_attribute("error.type", kind)
        self._span.set_status(Status(StatusCode.ERROR, kind))


class Exporter:
    """Collects the spans of this process, and sends them now and then in a thread of its own.

    Only Vitrine's own spans are sent, not those that other libraries record.
    """

    def __init__(self, service: str, version: str) -> None:
        resource = Resource.create({"service.name": service, "service.version": version})
        self._spans = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._spans.get_tracer("vitrine", version)

    @contextmanager
    def span(self, name: str, attributes: Attributes, *, asks: bool) -> Iterator[SentSpan]:
        with self._tracer.start_as_current_span(
            name,
            kind=SpanKind.CLIENT if asks else SpanKind.INTERNAL,
            attributes=dict(attributes),
            record_exception=False,  # The text of an exception may quote people.
            set_status_on_exception=False,
        ) as span:
            yield SentSpan(span)

    def ids(self) -> dict[str, str]:
        now = trace.get_current_span().get_span_context()
        if not now.is_valid:
            return {}
        return {"trace_id": f"{now.trace_id:032x}", "span_id": f"{now.span_id:016x}"}

    def close(self) -> None:
        """Send the remaining spans. This takes long if the collector does not answer."""
        self._spans.shutdown()
