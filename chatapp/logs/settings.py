"""Django's LOGGING: where log entries go, and which are suppressed."""

from typing import Any

FORMS = ("text", "json")
SPANS = "opentelemetry.exporter.otlp.proto.http.trace_exporter"


def logging_settings(level: str, form: str) -> dict[str, Any]:
    """Return the settings. `level` is for Vitrine's own packages; libraries log warnings.

    `form` is one of `FORMS`.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {
                "()": "chatapp.logs.entries.OneLine",
                "format": "{asctime} {levelname} {name} {message}",
                "style": "{",
            },
            "json": {"()": "chatapp.logs.entries.JsonLine"},
        },
        "filters": {
            "brief": {"()": "chatapp.logs.entries.BriefRefusals"},
            "sparing": {"()": "chatapp.logs.entries.Sparing"},
            "very sparing": {"()": "chatapp.logs.entries.Sparing", "with_failures": True},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": form,
                "filters": ["brief"],
            }
        },
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            **{name: {"level": level} for name in ("chatapp", "history", "agents")},
            "chatapp.server.connections": {"filters": ["sparing"]},
            "chatapp.server.errors": {"filters": ["sparing"]},
            # Vitrine's own log entry for this tells more.
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "uvicorn.error": {"filters": ["sparing"]},
            "asyncio": {"filters": ["very sparing"]},
            SPANS: {"filters": ["very sparing"]},
        },
    }
