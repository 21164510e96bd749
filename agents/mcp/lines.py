"""Fields with one entry a line, and what may stand there."""

import re

from django.core.exceptions import ValidationError

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
    if "\x00" in text:
        raise ValidationError("An argument holds a NUL character.")


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
