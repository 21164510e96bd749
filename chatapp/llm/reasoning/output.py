"""How each family's provider limits the length of an answer that includes thinking.

All providers count thinking as part of the answer. Only Claude has a thinking budget, which a
request's limit must exceed, and only for Claude does litellm set a limit if a request has none: the
most that the model can write.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from chatapp.llm.litellm_internals import parameters_made, refuses_effort
from chatapp.llm.litellm_setup import litellm
from chatapp.llm.providers.naming import litellm_name, provider_model
from chatapp.llm.reasoning.families import CLAUDE, GEMINI, family_of

CLAUDE_AT = frozenset({"anthropic", "azure_ai", "bedrock", "databricks", "openrouter", "vertex_ai"})
ADAPTIVE_ROOM = {  # Tokens kept for a model that decides itself how much it thinks.
    "minimal": 2_048,
    "low": 4_096,
    "medium": 8_192,
    "high": 16_384,
    "xhigh": 32_768,
    "max": 65_536,
}


class Room(NamedTuple):
    """The part of a request's limit that thinking takes, in tokens.

    `budget`: the thinking budget, which the limit must exceed. `room`: tokens to reserve besides
    the answer's. `refused`: litellm sends no request with this effort.
    """

    budget: int = 0
    room: int = 0
    refused: bool = False


class FamilyOutput(NamedTuple):
    """The rules of a family's provider for limits and thinking.

    `needs_limit`: litellm adds a limit to a request without one. `least`: the smallest thinking
    budget, if the provider itself derives one from an effort. `is_told`: litellm tells the provider
    how much to think, though not for every effort.
    """

    needs_limit: bool = False
    is_told: bool = False
    least: int = 0


PLAIN = FamilyOutput()
OWN: Mapping[str, FamilyOutput] = {GEMINI: FamilyOutput(is_told=True)}
WITH_CLAUDE: Mapping[str, FamilyOutput] = {"openrouter": FamilyOutput(least=1_024)}
CLAUDE_ITSELF = FamilyOutput(needs_limit=True, is_told=True)


def output_of(model: str) -> FamilyOutput:
    """Return the rules for a model. Whoever sells Claude passes on Claude's requirements."""
    family = family_of(model)
    if family == CLAUDE or wants_claude(model):
        return WITH_CLAUDE.get(family, CLAUDE_ITSELF)
    return OWN.get(family, PLAIN)


def wants_claude(model: str) -> bool:
    provider, _, name = litellm_name(model).partition("/")
    return "claude" in name and provider in CLAUDE_AT


def thinking_of(model: str, effort: str | None) -> Room:
    """Return how much of a request's limit is taken by thinking with this effort."""
    if not effort or effort == "none":
        return Room()
    row = output_of(model)
    if not row.is_told:
        return Room(budget=row.least)
    if (name := provider_model(model)) is None:
        return Room()
    thinking = _asked(name.model, name.provider, effort)
    if thinking is None:
        return Room(refused=True)
    if thinking.get("type") == "adaptive":
        return Room(room=ADAPTIVE_ROOM.get(effort, 0))
    budget = int(thinking.get("budget_tokens", 0))
    return Room(budget, budget)


@lru_cache(maxsize=256)
def _asked(model: str, provider: str, effort: str) -> Mapping[str, Any] | None:
    """Ask litellm how it translates an effort, which also depends on litellm's variables. This uses
    no network.

    Return None if litellm raises an error instead of sending the request.
    """
    library = litellm()
    translation = parameters_made(library, model, provider, reasoning_effort=effort)
    if translation is None:
        return None
    thinking: Mapping[str, Any] = translation.get("thinking") or {}
    is_adaptive = thinking.get("type") == "adaptive"
    return None if is_adaptive and refuses_effort(library, model, provider, effort) else thinking
