"""Texts that an agent gets anew with every turn, such as today's date or the person's notes."""

from agents.context.facts import Facts
from agents.context.gathering import (
    NOTHING,
    ContextText,
    ContextTexts,
    gathered,
    register_pool,
)
from agents.context.parts import (
    ContextErrors,
    ContextPart,
    check_context,
    parse_context,
    register_providers,
)

__all__ = [
    "NOTHING",
    "ContextErrors",
    "ContextPart",
    "ContextText",
    "ContextTexts",
    "Facts",
    "check_context",
    "gathered",
    "parse_context",
    "register_pool",
    "register_providers",
]
