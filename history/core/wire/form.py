"""Separate differences that change what is asked from those that change only the form.

A difference that is not recognised counts as changing what is asked.
"""

from collections.abc import Sequence
from itertools import compress
from typing import Any

from history.core.wire.differing import EFFORT
from history.core.words.facts import Fact, Rule

TAGS = frozenset({"type", "role"})  # In a list, these fields only label the fields beside them.
CACHING = frozenset({"cache_control_injection_points", "cache_control"})
OPEN = frozenset(  # Below these keys any name is possible: no API defines the names.
    {"parameters", "input_schema", "schema", "arguments", "input", "args", "response"}
)
INSTRUCTING = frozenset({"system", "developer"})
ITEMS = "input[]"  # OpenAI's Responses API has this list instead of messages.
HELD = ("system", "instructions")  # The fields that hold a system prompt.


def by_form(facts: Sequence[Fact]) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """Return two lists: facts that change what is asked, and facts that only change its form."""
    formal = [_is_formal(fact, facts) for fact in facts]
    real = tuple(fact for fact, is_form in zip(facts, formal, strict=True) if not is_form)
    return real, tuple(compress(facts, formal))


def _is_formal(fact: Fact, facts: Sequence[Fact]) -> bool:
    was, now = fact.figures["was"], fact.figures["now"]
    match fact.rule:
        case Rule.WIRE_SPELLED | Rule.WIRE_IN_ADDRESS:
            return True
        case Rule.WIRE_MOVED:
            return bool(fact.figures["path"] != EFFORT[0])
        case Rule.WIRE_CHANGED:
            return fact.figures["path"] == "model" and _is_prefix_gone(was, now)
        case Rule.WIRE_DROPPED:
            return _is_tag(fact.figures["path"], was) and not _is_instruction_lost(fact, facts)
    return _is_tag(fact.figures["to"], now)


def _is_prefix_gone(was: Sequence[Any], now: Sequence[Any]) -> bool:
    """Return whether a model's name lost only the prefix that names the provider."""
    return len(was) == len(now) == 1 and str(was[0]).endswith(f"/{now[0]}")


def _is_tag(path: str, values: Sequence[Any]) -> bool:
    """Return whether a leaf says nothing by itself: it is a tag, a cache mark or an empty value."""
    names = path.replace("[]", "").split(".")
    own = names[1:] if path.startswith(ITEMS) else names
    if OPEN & set(own):
        return False
    is_tag = "[]" in path and names[-1] in TAGS
    is_empty = bool(values) and all(value in (None, "", [], {}) for value in values)
    return is_tag or is_empty or bool(CACHING & set(names))


def _is_instruction_lost(fact: Fact, facts: Sequence[Fact]) -> bool:
    """Return whether a system prompt lost its role without getting a field of its own. If there are
    many roles, the fact omits their values.
    """
    if not fact.figures["path"].endswith(".role"):
        return False
    places = (str(each.figures["to"]).lower() for each in facts)
    was = set(map(str, fact.figures["was"])) or INSTRUCTING
    return bool(INSTRUCTING & was) and not any(to.startswith(HELD) for to in places)
