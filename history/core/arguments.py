"""A call's arguments: no provider takes any but a JSON object."""

import json

from history.core.json_text import TooDeep, read_json

NO_OBJECT, NESTED = "no_object", "nested"


def as_object(arguments: str) -> str:
    """Anything else is quoted in an object, word for word."""
    if is_object(arguments):
        return arguments
    return json.dumps({"quoted": arguments}) if arguments.strip() else "{}"


def clamped_object(text: str) -> str:
    """An object that was too long, with what is left of its text in a new one."""
    return json.dumps({"clamped": text})


def is_object(arguments: str) -> bool:
    return arguments == "{}" or not fault(arguments)


def fault(arguments: str) -> str:
    """Why no provider would take them; empty for a JSON object."""
    try:
        return "" if isinstance(read_json(arguments), dict) else NO_OBJECT
    except TooDeep:
        return NESTED
    except ValueError:
        return NO_OBJECT
