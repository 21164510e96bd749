"""Check the fields of an MCP server's form, some of which have one entry per line."""

import re
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from history.core.words.storable import storing_fault

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
HEADER = re.compile(r"[A-Za-z0-9-]+")
OURS = {"host", "content-length", "content-type", "accept", "connection", "transfer-encoding"}


def lines(text: str) -> list[str]:
    """Return the lines without empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def pairs(text: str) -> dict[str, str]:
    """Read `Name: value` pairs, one per line."""
    parts = (line.partition(":") for line in lines(text))
    return {name.strip(): value.strip() for name, _, value in parts}


def check_arguments(text: str) -> None:
    if fault := storing_fault(text):
        raise ValidationError(_("An argument {fault}.").format(fault=fault))


def check_variables(text: str) -> None:
    for name in lines(text):
        _check_variable(name)


def check_headers(text: str) -> None:
    headers = pairs(text)
    if len(headers) < len(lines(text)):
        raise ValidationError(_("Give each header once, as Name: VARIABLE."))
    for header, variable in headers.items():
        if not HEADER.fullmatch(header) or header.lower() in OURS:
            raise ValidationError(_("{header} can't be set here.").format(header=header[:40]))
        _check_variable(variable)


def _check_variable(name: str) -> None:
    """Check a variable's name, and never quote it: somebody may have typed a secret instead."""
    if not VARIABLE.fullmatch(name):
        raise ValidationError(
            _(
                "Enter the name of an environment variable (letters, digits and underscores), not "
                "its value."
            )
        )


def check_server(transport: str, command: str, url: str) -> None:
    """Check that a program has a command and no address, and a network server the reverse."""
    field, other = ("command", "url") if transport == "stdio" else ("url", "command")
    values = {"command": command, "url": url}
    if not values[field]:
        raise ValidationError({field: _("Required for {transport}.").format(transport=transport)})
    if values[other]:
        raise ValidationError({other: _("Not used for {transport}.").format(transport=transport)})
    if url:
        _check_address(url)


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"}:
        raise ValidationError({"url": _("The address must start with http:// or https://.")})
    if parts.username or parts.password:
        raise ValidationError(
            {
                "url": _(
                    "Don't put a password in the address. Name a variable under headers instead."
                )
            }
        )
