"""A collector for tests: a real HTTP server on loopback that takes OpenTelemetry's spans (OTLP)."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

STATUS = {0: "", 1: "ok", 2: "error"}


@dataclass(frozen=True)
class Received:
    """One span that the collector received."""

    name: str
    trace: str
    id: str
    parent: str
    attributes: dict[str, Any]
    status: str
    message: str


@dataclass
class Collector:
    """The spans that the collector received, the names of services, and the raw bytes."""

    url: str = ""
    spans: list[Received] = field(default_factory=list)
    services: set[str] = field(default_factory=set)
    raw: bytes = b""

    def named(self, start: str) -> list[Received]:
        return [span for span in self.spans if span.name.startswith(start)]

    def take(self, body: bytes) -> None:
        self.raw += body
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            told = {each.key: value_of(each.value) for each in resource.resource.attributes}
            self.services.add(told["service.name"])
            for scope in resource.scope_spans:
                self.spans += map(received, scope.spans)


def received(span: Any) -> Received:
    attributes = {each.key: value_of(each.value) for each in span.attributes}
    ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
    return Received(span.name, *ids, attributes, STATUS[span.status.code], span.status.message)


def value_of(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [value_of(each) for each in value.array_value.values]
    return getattr(value, kind)


@contextmanager
def collecting() -> Iterator[Collector]:
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            if self.path == "/v1/traces":
                collector.take(body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    collector.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
