"""Where people find Vitrine."""

from django.conf import settings


def public_address(host: str, port: int, origin: str = "") -> str:
    """PUBLIC_URL, the origin by which somebody came, or what a browser on this machine opens."""
    shown = f"[{host}]" if ":" in host else host
    return settings.PUBLIC_URL or origin or f"http://{shown}:{port}"
