"""How litellm reads a model's name. No network, and no database."""

from typing import NamedTuple

from django.conf import settings

from agents.providers.directory import directory
from chatapp.llm.litellm_setup import litellm


class Named(NamedTuple):
    """A model, without its provider's name."""

    model: str
    provider: str


def litellm_name(model: str) -> str:
    """Return `protocol/model` for `provider/model`; a name of litellm's own stays as it is."""
    slug, slash, name = model.partition("/")
    protocols = {**directory().protocols, **settings.PROVIDERS}
    return f"{protocols.get(slug, slug)}{slash}{name}"


def named(model: str) -> Named | None:
    """Read a name; None if it begins with no known provider."""
    try:
        name, provider, *_ = litellm().get_llm_provider(litellm_name(model))
    except Exception:  # litellm's own, of a class that only it knows.
        return None
    return Named(name, provider)
