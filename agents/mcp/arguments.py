"""The arguments that a model wrote for a tool whose schema is the server's business."""

import json
from typing import Any

from pydantic_core import from_json

from agents.tools.arguments import LONGEST, SHOWN, ArgumentsRefused


def is_readable(text: str) -> bool:
    """Of what is not, a person is not asked: the call is refused anyway."""
    try:
        arguments_of(text)
    except ArgumentsRefused:
        return False
    return True


def arguments_of(text: str) -> dict[str, Any]:
    """A JSON object. The server checks it against its own schema. Raises `ArgumentsRefused`."""
    if len(text) > LONGEST:
        raise ArgumentsRefused(f"the arguments are longer than {LONGEST:,} characters.")
    try:
        values = from_json(text or "{}", allow_inf_nan=False)
        json.dumps(values, allow_nan=False)  # What was read of 1e999 cannot be written.
    except ValueError as error:
        said = str(error)[: SHOWN * 2]
        raise ArgumentsRefused(f"the arguments are not valid JSON ({said}).") from error
    if not isinstance(values, dict):
        raise ArgumentsRefused("the arguments must be a JSON object.")
    return values
