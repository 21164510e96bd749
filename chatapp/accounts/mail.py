"""EMAIL_URL: the mail server that sends reset links."""

from typing import Any
from urllib.parse import unquote, urlsplit

SCHEMES = {
    "smtp": (587, {"EMAIL_USE_TLS": True}),
    "smtps": (465, {"EMAIL_USE_SSL": True}),
    "smtp+plain": (25, {}),
}


def mail_settings(raw: str) -> dict[str, Any]:
    """Return Django's settings for EMAIL_URL. Raise ValueError, whose text shows no password."""
    if not raw:
        return {}
    parts = urlsplit(raw)
    if parts.scheme not in SCHEMES or not parts.hostname or parts.path.strip("/"):
        raise ValueError(
            "must be smtp://user:password@host:587 (STARTTLS), smtps://user:password@host:465, "
            "or smtp+plain://host:25 for a server on this machine"
        )
    port, encryption = SCHEMES[parts.scheme]
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_TIMEOUT": 10,
        **encryption,
    }
