"""Make a call's arguments a JSON object: providers accept nothing else."""

import json

from history.core.json_text import TooDeep, read_json

NO_OBJECT, NESTED = "no_object", "nested"


def as_object(arguments: str) -> str:
    """Return the arguments as a JSON object, quoting word for word anything that is not one."""
    if is_object(arguments):
        return arguments
    return json.dumps({"quoted": arguments}) if arguments.strip() else "{}"


def clamped_object(text: str) -> str:
    """Return a new object with what is left of one that was too long."""
    return json.dumps({"clamped": text})


def is_object(arguments: str) -> bool:
    return arguments == "{}" or not fault(arguments)


def fault(arguments: str) -> str:
    """Say why providers would reject these arguments; empty for a JSON object."""
    try:
        return "" if isinstance(read_json(arguments), dict) else NO_OBJECT
    except TooDeep:
        return NESTED
    except ValueError:
        return NO_OBJECT
