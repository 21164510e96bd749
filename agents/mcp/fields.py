"""What may stand in a server's fields, some of which have one entry a line."""

import re
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError

from history.core.storable import text_fault

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
HEADER = re.compile(r"[A-Za-z0-9-]+")
OURS = {"host", "content-length", "content-type", "accept", "connection", "transfer-encoding"}


def lines(text: str) -> list[str]:
    """Without empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def pairs(text: str) -> dict[str, str]:
    """`Name: value`, one a line."""
    parts = (line.partition(":") for line in lines(text))
    return {name.strip(): value.strip() for name, _, value in parts}


def check_arguments(text: str) -> None:
    if fault := text_fault(text):
        raise ValidationError(f"An argument {fault}.")


def check_variables(text: str) -> None:
    for name in lines(text):
        _check_variable(name)


def check_headers(text: str) -> None:
    found = pairs(text)
    if len(found) < len(lines(text)):
        raise ValidationError("Each header may stand there once.")
    for header, variable in found.items():
        if not HEADER.fullmatch(header) or header.lower() in OURS:
            raise ValidationError(f"{header[:40]!r} is no header that may be set here.")
        _check_variable(variable)


def _check_variable(name: str) -> None:
    """Who writes a secret here by mistake does not read it back in the error."""
    if not VARIABLE.fullmatch(name):
        raise ValidationError(
            "Give the name of an environment variable, of letters, digits and underscores, never "
            "its value."
        )


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
