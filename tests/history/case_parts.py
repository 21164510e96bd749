"""Parts of the engine's cases: transcripts and processors.

A message of `words(n)` costs n + 4 tokens; the priming of the answer costs 3.
"""

import pytest


def words(count):
    return " ".join(["one"] * count)


def turns(count, answer=2):
    """Write `count` turns and a last question. Each question costs 16 tokens; each answer costs 4
    more than its words."""
    asked = f"user: {words(12)}"
    return [*[asked, f"assistant: {words(answer)}"] * count, asked]


def rounds(count, first=1):
    """Write this many calls, each with its result."""
    numbers = range(first, first + count)
    return [line for n in numbers for line in (f"call c{n} look", f"result c{n}: page {n}")]


def case(name, lines, settings, expected, *facts, chain=None, sends=()):
    """Make a case. The plan must have `facts` with at least these figures, and the model would be
    sent the texts `sends`.
    """
    return pytest.param(lines, settings, chain, expected, facts, sends, id=name)


GREETING = ["assistant: a", "assistant: b", "assistant: c"]
GREETED = ["assistant: hello", *turns(2)]
TOLD = [
    "system: prompt",
    "system: be kind",
    *turns(1),
    "assistant: so",
    "system: be brief",
    "user: c",
]
FILTER = {"use": "tool_call_filter"}
DEBUG = ["call c1 debug_tool", "result c1: it is on"]
NO_DEBUG = {"use": "tool_call_filter", "exclude": ["debug_tool"]}
LIMITER = {"use": "token_limiter"}
BUDGET = "policy=all output_reserve=1 token_budget=260"  # The history gets 256 of these tokens.
UNPROTECTED = f"{BUDGET} min_history_turns=0"
WITH_TOOL = ["user: a", *rounds(1), f"assistant: {words(44)}"]
