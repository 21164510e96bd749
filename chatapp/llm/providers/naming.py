"""Read a model's name as litellm does, without network or database."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.conf import settings

from agents.providers.directory import directory
from agents.providers.protocols import OFFLINE, PROTOCOLS
from chatapp.llm.litellm_setup import litellm
from history.core.words.wording import nearest

# Models that only complete texts, and cannot chat.
ANOTHER_PROTOCOL = frozenset({"anthropic/claude-2"})


class ProviderModel(NamedTuple):
    """A model's name without its provider, and litellm's name of the provider."""

    model: str
    provider: str


def litellm_name(model: str) -> str:
    """Return `protocol/model` for `provider/model`; a name of litellm's own stays as it is."""
    slug, slash, name = model.partition("/")
    protocols = {**directory().protocols, **settings.PROVIDERS}
    return f"{protocols.get(slug, slug)}{slash}{name}"


def provider_model(model: str) -> ProviderModel | None:
    """Split a name into provider and model; None if it begins with no known provider.

    The names of usual providers are read here, so that a page need not wait while litellm is
    imported.
    """
    known_as = litellm_name(model)
    protocol, slash, rest = known_as.partition("/")
    if slash and protocol in PROTOCOLS and known_as not in ANOTHER_PROTOCOL:
        return ProviderModel(rest, protocol)
    try:
        name, provider, *_ = litellm().get_llm_provider(known_as)
    except Exception:  # litellm raises an exception of its own class.
        return None
    return ProviderModel(name, provider)


def nearest_name(
    model: str, providers: Iterable[str], listed: Callable[[str], Iterable[str]]
) -> str:
    """Return the name that was meant if its provider is misspelt; otherwise an empty text.

    It is a model of one of the `providers`, or the offline one; `listed` names a provider's models.
    """
    slug, slash, name = model.partition("/")
    near = nearest(slug, (OFFLINE, *providers)) if slash and name else ""
    if not near:
        return ""
    return nearest(f"{near}/{name}", listed(near)) or f"{near}/{name}"
