"""Django's LOGGING: where entries go, and which are suppressed."""

from typing import Any


def logging_settings(level: str) -> dict[str, Any]:
    """Return the settings. `level` is for Vitrine's own packages; libraries log warnings."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "plain": {
                "()": "chatapp.logs.entries.OneLine",
                "format": "{asctime} {levelname} {name} {message}",
                "style": "{",
            }
        },
        "filters": {
            "brief": {"()": "chatapp.logs.entries.BriefRefusals"},
            "sparing": {"()": "chatapp.logs.entries.Sparing"},
            "very sparing": {"()": "chatapp.logs.entries.Sparing", "with_failures": True},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "plain",
                "filters": ["brief"],
            }
        },
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            **{name: {"level": level} for name in ("chatapp", "history", "agents")},
            "chatapp.server.connections": {"filters": ["sparing"]},
            "uvicorn.error": {"filters": ["sparing"]},
            "asyncio": {"filters": ["very sparing"]},
        },
    }
