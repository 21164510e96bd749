"""Texts that an agent is sent anew with every turn: today's date, the person's notes."""

from agents.context.facts import Facts
from agents.context.gathering import NOTHING, ContextText, Gathered, gathered
from agents.context.parts import ContextErrors, Part, check_context, parse_context
from agents.context.registry import register_providers

__all__ = [
    "NOTHING",
    "ContextErrors",
    "ContextText",
    "Facts",
    "Gathered",
    "Part",
    "check_context",
    "gathered",
    "parse_context",
    "register_providers",
]
