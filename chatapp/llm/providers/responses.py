"""Which models are asked through OpenAI's Responses API, where reasoning can be sent again.

OpenAI's newer models take tools only there while they reason. litellm would choose by the request;
here the model's name and its provider's address decide, so that a conversation keeps to one API.
"""

import re
from typing import NamedTuple, TypeAlias

from django.conf import settings

from agents.providers.directory import directory
from agents.providers.protocols import PROTOCOLS
from chatapp import env
from chatapp.llm.litellm_setup import model_costs
from chatapp.llm.providers.naming import litellm_name

API_PREFIX = "responses/"  # Precedes a model's name to ask for this API, as in litellm.
OPENAI = "openai"
REGION = re.compile(r"https://[\w.-]+\.api\.openai\.com(/|$)")  # OpenAI's servers in a region.
OFFERED_BY = frozenset({OPENAI, "azure"})
# A major version has one digit: Azure writes 3.5 as 35.
GPT = re.compile(r"gpt-(\d)(?:\.(\d{1,2}))?(?![\d.])[\w.-]*")
SILENT = re.compile(r"-(chat|search)")  # Such models don't reason.
FIRST = (5, 4)  # The first version that takes tools and reasons only in this API.
Version: TypeAlias = tuple[int, int]


class Gpt(NamedTuple):
    """A model's own name, and its version."""

    name: str
    version: Version


def uses_responses(model: str) -> bool:
    """Return whether the model is asked through the Responses API. Servers of others that speak
    OpenAI's protocol may not have it, so there the name must ask for it.
    """
    provider, name = _named(litellm_name(model))
    if provider not in OFFERED_BY:
        return False
    if name.startswith(API_PREFIX):
        return True
    is_makers = provider != OPENAI or _leads_to_maker(model)
    return is_makers and (may_reason(name) or _is_listed(provider, name))


def asked_name(model: str, protocol: str = "") -> str:
    """Return litellm's name of the model, in which this API is named if it is used. `protocol` is
    that of the model's provider, if it is known.
    """
    known_as = litellm_name(model)
    if protocol:
        known_as = f"{protocol}/{model.partition('/')[2] or model}"
    provider, name = _named(known_as)
    if not uses_responses(model) or name.startswith(API_PREFIX):
        return known_as
    return f"{provider}/{API_PREFIX}{name}"


def _named(known_as: str) -> tuple[str, str]:
    """Return the provider and the model in litellm's name; OpenAI's models need no provider."""
    provider, slash, name = known_as.partition("/")
    return (provider, name) if slash else (OPENAI, known_as)


def gpt_in(name: str) -> Gpt | None:
    """Return the GPT that the name contains, if it does."""
    match = GPT.search(name)
    return Gpt(match[0], (int(match[1]), int(match[2] or 0))) if match else None


def may_reason(name: str) -> bool:
    """Return whether it is a GPT that may reason unless it gets the effort "none"."""
    model = gpt_in(name)
    return model is not None and model.version >= FIRST and not SILENT.search(name)


def _is_listed(provider: str, name: str) -> bool:
    """Return whether litellm's list says that the model has only this API."""
    entry = model_costs().get(name if provider == OPENAI else f"{provider}/{name}", {})
    return (entry.get("mode"), entry.get("litellm_provider")) == ("responses", provider)


def _leads_to_maker(model: str) -> bool:
    """Return whether the provider of this model is the maker of its protocol.

    litellm itself reads `OPENAI_BASE_URL`, too, unless it is given an address.
    """
    slug = model.partition("/")[0] if "/" in model else OPENAI
    address = env.of_provider(slug, "API_BASE")
    if not address and slug not in settings.PROVIDERS:
        if slug in directory().protocols and not env.of_provider(slug, "API_KEY"):
            return slug in directory().makers
        address = env.of_provider(slug, "BASE_URL")
    return PROTOCOLS[OPENAI].is_makers(address) or REGION.match(address) is not None
