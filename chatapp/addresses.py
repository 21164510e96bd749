"""Where people find Vitrine."""

from django.conf import settings


def public_address(host: str, port: int) -> str:
    """PUBLIC_URL, or what a browser on this machine opens."""
    shown = f"[{host}]" if ":" in host else host
    return settings.PUBLIC_URL or f"http://{shown}:{port}"
