"""JSON from outside, and the arguments of tool calls: reading either raises only a ValueError."""

import json
from typing import Any

DEEPEST = 100  # Far below Python's own limit, or the result would depend on the caller's depth.
TOO_DEEP = f"is nested too deeply: in more than {DEEPEST} levels"


class TooDeep(ValueError):
    """The text may be JSON, but is nested too deeply to be read."""


def read_json(text: str | bytes, *, each_name_once: bool = False) -> Any:
    """Parse JSON. The ValueError's text completes a sentence whose subject is the text.

    `each_name_once`: refuse an object with the same name twice; otherwise the last one counts.
    """
    decoder = EACH_NAME_ONCE if each_name_once else ANY_NAMES
    try:
        value = decoder.decode(text if isinstance(text, str) else _decoded(text))
    except RecursionError as error:
        raise TooDeep(TOO_DEEP) from error
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from error
    if is_too_deep(value):
        raise TooDeep(TOO_DEEP)
    return value


def is_too_deep(value: object) -> bool:
    level = _nesting([value])
    for _ in range(DEEPEST):
        if not level:
            return False
        level = [inner for outer in level for inner in _nesting(outer)]
    return bool(level)


def _decoded(text: bytes) -> str:
    return text.decode(json.detect_encoding(text), "surrogatepass")


def _nesting(value: Any) -> list[Any]:
    """Return the lists and objects directly inside this one."""
    inside = value.values() if isinstance(value, dict) else value
    return [inner for inner in inside if isinstance(inner, dict | list)]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} appears twice in one object")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


ANY_NAMES = json.JSONDecoder(parse_constant=_refuse_constant)  # Building a decoder is slow.
EACH_NAME_ONCE = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse_constant)


NO_OBJECT, NESTED = "no_object", "nested"


def as_object(arguments: str) -> str:
    """Return the arguments as a JSON object, quoting word for word anything that is not one."""
    if is_object(arguments):
        return arguments
    return json.dumps({"quoted": arguments}) if arguments.strip() else "{}"


def clamped_object(text: str) -> str:
    """Return a new object that holds the clamped text of one that was too long."""
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
