"""Facts about a model that are known before it is called, from litellm's own lists, without using
the network.

The app uses this module as its `agents.catalogue.Catalogue`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from agents.catalogue import ModelFacts, ModelLimits
from agents.providers.directory import directory
from agents.providers.protocols import PROTOCOLS, variable_prefix
from chatapp.llm.litellm_internals import parameters_made
from chatapp.llm.litellm_setup import litellm, model_costs
from chatapp.llm.prices import prices_in
from chatapp.llm.providers import missing_key
from chatapp.llm.providers.connection import outranks, reasoning_withheld_by
from chatapp.llm.providers.known import with_own
from chatapp.llm.providers.naming import litellm_name, nearest_name, provider_model
from chatapp.llm.providers.responses import API_PREFIX, OPENAI
from chatapp.llm.reasoning import families, new_prompts
from chatapp.llm.reasoning.output import CLAUDE_AT, output_of, thinking_of
from history.core.money.cost import FREE, Prices
from history.core.settings.output import OutputRules
from history.core.settings.spec import ModelName
from history.core.transcript.reasoning_accepted import ReasoningAccepted
from history.core.wire.differing import differences
from history.core.words.errors import Unfit
from history.core.words.facts import Rule
from history.wording.faults import word_rule

DEMO_MODEL, EXAMPLE_MODEL = "demo/mirror", "openai/gpt-4o"
WITHOUT_CACHE = re.compile(r"claude-(v\d|instant|2|3-(opus|sonnet|haiku))")
ADAPTED = ("gpt-5", "gpt-6")  # What litellm knows by a part of its name.
CHATTING = frozenset({"chat", "responses"})
takes_new_prompts = new_prompts.takes_new_prompts
key_missing = missing_key.key_missing


def limits(model: str) -> ModelLimits:
    """Look up a model's limits in litellm's catalogue, with or without the provider's name."""
    if model == DEMO_MODEL:
        return ModelLimits(context_window=128_000, max_output=4_096)
    entry = _catalogued(model)
    return ModelLimits(entry.get("max_input_tokens"), entry.get("max_output_tokens"))


def facts(model: str) -> ModelFacts:
    if model == DEMO_MODEL:
        return ModelFacts(
            limits(model), FREE, images=True, reasoning=True, tools=True, is_known=True
        )
    entry = _catalogued(model)
    return ModelFacts(
        limits(model),
        prices(model),
        images=_able(entry, "supports_vision"),
        reasoning=_able(entry, "supports_reasoning"),
        tools=_able(entry, "supports_function_calling"),
        is_known=bool(entry),
    )


def names() -> list[str]:
    """Return the offline model, what an administrator entered, and what litellm lists for each
    provider that has a key or an address.
    """
    own = [*directory().models, *chain.from_iterable(map(_listed, _usable()))]
    return [DEMO_MODEL, *dict.fromkeys(sorted(name for name in own if not forbidden(name)))]


def _usable() -> Iterator[str]:
    providers = directory()
    yield from settings.PROVIDERS
    yield from (slug for slug in providers.protocols if slug not in providers.disabled)
    yield from (slug for slug in PROTOCOLS if outranks(slug))


def _listed(slug: str) -> Iterator[str]:
    protocol = litellm_name(f"{slug}/").partition("/")[0]
    for name, entry in model_costs().items():
        if entry.get("litellm_provider") == protocol and _chats(entry):
            yield f"{slug}/{name.removeprefix(f'{protocol}/')}"


def _chats(entry: Mapping[str, Any]) -> bool:
    """Return whether the entry is a chat model; litellm's list also contains a sandbox."""
    return entry.get("mode") in CHATTING and "code_interpreter_cost_per_session" not in entry


def prices(model: str) -> Prices:
    """Look up a model's prices in litellm's catalogue; prices that are missing are unknown."""
    return FREE if model == DEMO_MODEL else prices_in(_catalogued(model))


def priced_as(model: str) -> str:
    """Return the model whose prices are the example for the free demo model; empty for others."""
    return EXAMPLE_MODEL if model == DEMO_MODEL else ""


def _able(entry: Mapping[str, Any], ability: str) -> bool | None:
    """Return whether the model has the ability; None if unknown. litellm's list names every ability
    of a model that it lists, but an administrator's entry may leave one open.
    """
    is_listed = "litellm_provider" in entry
    return bool(entry.get(ability)) if is_listed else entry.get(ability)


def takes_images(model: str) -> bool:
    """Return whether the model takes images; if that is unknown, assume that it does."""
    return model == DEMO_MODEL or _able(_catalogued(model), "supports_vision") is not False


def taking_of(model: str, effort: str | None) -> ReasoningAccepted:
    taking = families.taking_of(model, effort)
    return replace(taking, withheld_by=reasoning_withheld_by(model))


def output_rules(model: str, effort: str | None) -> OutputRules:
    thinking = thinking_of(model, effort)
    return OutputRules(
        most=limits(model).max_output,
        needs_limit=output_of(model).needs_limit,
        room=thinking.room,
        budget=thinking.budget,
        refused=thinking.refused,
    )


def takes_effort(model: str) -> bool | None:
    """Return whether the model takes a reasoning effort; on Ollama, only reasoning models do."""
    if families.family_of(model) != families.OLLAMA:
        return True
    ability = _catalogued(model).get("supports_reasoning")
    return None if ability is None else bool(ability)


def wants_cache_breakpoints(model: str) -> bool:
    """Return whether the model needs cache breakpoints. Claude does, except its oldest versions,
    wherever litellm passes them on; other models' providers cache without them.
    """
    provider, _, name = litellm_name(model).rpartition("/")
    if WITHOUT_CACHE.search(name):
        return False
    return "claude" in name and (not provider or provider.partition("/")[0] in CLAUDE_AT)


def not_taken(model: str, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the parameters that litellm drops for this model."""
    if model == DEMO_MODEL or not parameters or takes_all(litellm_name(model)):
        return ()
    name = provider_model(model)
    return _dropped(name.model, name.provider, tuple(parameters.items())) if name else ()


def takes_all(known_as: str) -> bool:
    """Return whether litellm leaves the parameters of a model unchanged. Of those that are asked in
    OpenAI's form, it knows only OpenAI's own.
    """
    provider, _, name = known_as.partition("/")
    if provider != OPENAI or name.startswith(API_PREFIX) or any(mark in name for mark in ADAPTED):
        return False
    listed = model_costs()
    return name not in listed and name.rpartition("/")[2] not in listed


@lru_cache(maxsize=256)
def _dropped(model: str, provider: str, parameters: tuple[tuple[str, Any], ...]) -> tuple[str, ...]:
    translation = parameters_made(litellm(), model, provider, **dict(parameters))
    if translation is None:
        return ()
    rows = differences(dict(parameters), translation)
    return tuple(row.fact.figures["path"] for row in rows if row.fact.rule is Rule.WIRE_DROPPED)


def _catalogued(model: str) -> Mapping[str, Any]:
    """Return the catalogue's entry on the model, or an empty one."""
    known_as = litellm_name(model).replace(f"/{API_PREFIX}", "/", 1)
    provider, _, name = known_as.partition("/")
    catalogue = model_costs()
    entry: Mapping[str, Any] = catalogue.get(known_as) or catalogue.get(name, {})
    if known_as not in catalogue and entry.get("litellm_provider") != provider:
        entry = {}
    entered = directory().models
    own = entered.get(model) or entered.get(model.replace(f"/{API_PREFIX}", "/", 1))
    return with_own(entry, own) if own else entry


def _is_allowed(slug: str, protocol: str) -> bool:
    """Return whether the environment allows a provider; by default it allows every provider that an
    administrator has stored.
    """
    allowed = settings.MODEL_PROVIDERS
    if slug in directory().protocols and not outranks(slug):
        return slug in allowed or not settings.ONLY_LISTED_PROVIDERS
    return bool({slug, protocol} & allowed)


def _is_off(slug: str) -> bool:
    return slug in directory().disabled and not outranks(slug)


def fault(model: str) -> str:
    """Say why a model cannot be called, as the end of a sentence; empty if its provider is known.

    A model of a known provider may be missing from all catalogues: its window is then assumed.
    """
    if model.partition("/")[0] == DEMO_MODEL.partition("/")[0]:
        return "" if model == DEMO_MODEL else _("use {model}").format(model=DEMO_MODEL)
    if reason := forbidden(model):
        return reason
    name = provider_model(model)
    if name is None:
        if (near := nearest_name(model, _usable(), _listed)) not in {"", model} and not fault(near):
            return _("no such provider is known; did you mean {near}?").format(near=near)
        return _("no such provider is known; start with the provider's name, as in openai/gpt-4o")
    return "" if name.model else _("names a provider, but no model")


def forbidden(model: str) -> str:
    """Say why a model must not be called, even if it could be; empty if it may be called.

    The name must not contain an address, and its provider must not point to this machine.
    """
    try:
        ModelName().from_text(model)
    except Unfit as unfit:
        return word_rule(unfit.fact)
    slug = model.partition("/")[0]
    name = None if model == DEMO_MODEL else provider_model(model)
    if name is None or _is_allowed(slug, name.provider):
        return _("the provider {slug} is disabled").format(slug=slug) if _is_off(slug) else ""
    if slug in directory().protocols:
        sentence = _("the provider {slug} is not allowed: add it to MODEL_PROVIDERS, and restart")
        return sentence.format(slug=slug)
    base = f"{variable_prefix(name.provider)}_API_BASE"
    sentence = _(
        "the provider {provider} is not allowed: set {base}, or add it to MODEL_PROVIDERS, and"
        " restart"
    )
    return sentence.format(provider=name.provider, base=base)
