"""What the cases of the engine are made of: transcripts and processors.

Messages of so many `words` cost 4 tokens more than that; the answer's priming costs 3.
"""

import pytest


def words(count):
    return " ".join(["one"] * count)


def turns(count, answer=2):
    """So many of 16 tokens and 4 more than the answer's words, and a question of 16 tokens."""
    asked = f"user: {words(12)}"
    return [*[asked, f"assistant: {words(answer)}"] * count, asked]


def rounds(count, first=1):
    """Write this many calls with their results."""
    numbers = range(first, first + count)
    return [line for n in numbers for line in (f"call c{n} look", f"result c{n}: page {n}")]


def case(name, lines, settings, expected, *facts, chain=None, sends=()):
    """Make a case; `facts` must be among the plan's, with at least these figures, and `sends` in
    what the model would be sent.
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
BUDGET = "policy=all output_reserve=1 token_budget=260"  # 256 for the history.
UNPROTECTED = f"{BUDGET} min_history_turns=0"
WITH_TOOL = ["user: a", *rounds(1), f"assistant: {words(44)}"]
