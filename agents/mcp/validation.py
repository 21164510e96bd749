"""What must hold between the fields of a server."""

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError


def check_server(transport: str, command: str, url: str) -> None:
    """A program needs a command, an address an address, and neither has the other's."""
    wanted, other = ("command", "url") if transport == "stdio" else ("url", "command")
    values = {"command": command, "url": url}
    if not values[wanted]:
        raise ValidationError({wanted: f"A server reached by {transport} needs one."})
    if values[other]:
        raise ValidationError({other: f"A server reached by {transport} has none."})
    if url:
        _check_address(url)


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"}:
        raise ValidationError({"url": "The address must begin with http:// or https://."})
    if parts.username or parts.password:
        raise ValidationError(
            {"url": "No password in an address: name a variable under headers instead."}
        )
