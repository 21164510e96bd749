"""The rows on metrics and spans in the table of variables. An operator's programs receive both."""

from chatapp.env.variable import Variable

TELEMETRY: tuple[Variable, ...] = (
    Variable(
        "METRICS_ADDRESS",
        "",
        "Where Prometheus reads metrics, such as 127.0.0.1:9464; needs the extra metrics. Empty: "
        "nowhere.",
        "The server",
    ),
    Variable(
        "METRICS_TOKEN",
        "",
        "What Prometheus sends as a bearer token, 16 characters or more. Required unless "
        "METRICS_ADDRESS is this machine's alone.",
        "The server",
        secret=True,
    ),
    Variable(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "",
        "A collector for OpenTelemetry's spans, such as http://127.0.0.1:4318; needs the extra "
        "tracing. Empty: none are made.",
        "The server",
    ),
    Variable(
        "OTEL_SERVICE_NAME", "vitrine", "What this installation is called there.", "The server"
    ),
)
