"""The arguments that a model wrote for a tool whose schema is the server's business."""

import json
from typing import Any, NoReturn

from agents.tools.arguments import LONGEST, ArgumentsRefused


def arguments_of(text: str) -> dict[str, Any]:
    """A JSON object. The server checks it against its own schema. Raises `ArgumentsRefused`."""
    if len(text) > LONGEST:
        raise ArgumentsRefused(f"the arguments are longer than {LONGEST:,} characters.")
    try:
        values = json.loads(text or "{}", parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ArgumentsRefused("the arguments are not valid JSON.") from error
    if not isinstance(values, dict):
        raise ArgumentsRefused("the arguments must be a JSON object.")
    return values


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
