"""JSON from outside, and the arguments of tool calls: reading either raises only ValueError."""

import json
from typing import Any

# Levels of nesting: far below Python's own limit, which depends on the caller's depth.
DEEPEST = 100
TOO_DEEP = f"is nested too deeply: in more than {DEEPEST} levels"


class TooDeep(ValueError):
    """The text may be JSON, but its nesting is too deep to be read."""


def read_json(text: str | bytes, *, each_name_once: bool = False) -> Any:
    """Parse JSON. The text of a ValueError completes a sentence whose subject is the JSON text.

    `each_name_once`: refuse an object with a repeated name; otherwise its last value counts.
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
    """Return the lists and objects directly inside a list or an object."""
    inside = value.values() if isinstance(value, dict) else value
    return [inner for inner in inside if isinstance(inner, dict | list)]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} appears twice in one object")
    return values


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


# Made only once, because making a decoder is slow.
ANY_NAMES = json.JSONDecoder(parse_constant=_refuse_constant)
EACH_NAME_ONCE = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse_constant)


NO_OBJECT, NESTED = "no_object", "nested"


def as_object(arguments: str) -> str:
    """Return arguments as a JSON object; anything else is quoted, word for word, inside one."""
    if is_object(arguments):
        return arguments
    return json.dumps({"quoted": arguments}) if arguments.strip() else "{}"


def clamped_object(text: str) -> str:
    """Return an object that contains a clamped text, in place of arguments that were too long."""
    return json.dumps({"clamped": text})


def is_object(arguments: str) -> bool:
    return arguments == "{}" or not fault(arguments)


def fault(arguments: str) -> str:
    """Say why providers would reject these arguments; empty if they are a JSON object."""
    try:
        return "" if isinstance(read_json(arguments), dict) else NO_OBJECT
    except TooDeep:
        return NESTED
    except ValueError:
        return NO_OBJECT
