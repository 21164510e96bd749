"""Look up the protocol, address and key of a provider, for each call.

A model's name is `provider/model`. The environment defines a provider either by litellm's name and
variables, or by a name in `PROVIDERS` and variables of its own. An administrator may store others.
"""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from agents.providers.directory import directory
from agents.providers.models import Provider
from agents.providers.protocols import OFFLINE, PROTOCOLS, variable_prefix
from chatapp import env
from chatapp.llm.providers.naming import provider_model
from chatapp.llm.providers.responses import asked_name

WHAT = ("API_KEY", "API_BASE")
# Passed to litellm in place of a missing key; otherwise it would use another provider's key.
NO_KEY = "none"


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach a model; `model` is litellm's name for it, `protocol/model`.

    `base_url` and `key` are None for the offline model, and for providers that litellm knows if the
    environment sets neither. `is_guarded` is true if an administrator entered the address.
    """

    model: str
    base_url: str | None = None
    key: str | None = field(default=None, repr=False)
    is_guarded: bool = False

    @property
    def is_at_makers(self) -> bool:
        """Whether the connection leads to the maker of the protocol, not to another server."""
        protocol = PROTOCOLS.get(self.model.partition("/")[0])
        return protocol is not None and protocol.is_makers(self.base_url or "")

    def arguments(self) -> dict[str, Any]:
        """Return the arguments for litellm besides the request: model, address and key."""
        arguments = {"model": self.model, "api_base": self.base_url, "api_key": self.key}
        return {name: value for name, value in arguments.items() if value}


def connection_of(model: str) -> Connection:
    """Look up how to reach a model. Raise `KeyUnreadable`.

    This may read the database, so call it only in a thread that may use the database.
    """
    slug = slug_of(model)
    if slug == OFFLINE:
        return Connection(model)
    key, address = env.of_provider(slug, "API_KEY"), env.of_provider(slug, "API_BASE")
    if protocol := settings.PROVIDERS.get(slug):
        base_url = address or PROTOCOLS[protocol].address
        return Connection(asked_name(model), base_url or None, key or NO_KEY)
    if not key and not address and (row := _stored(slug)):
        return Connection(
            asked_name(model, row.protocol), row.base_url, row.key or NO_KEY, is_guarded=True
        )
    return Connection(asked_name(model), address or None, key or None)


def slug_of(model: str) -> str:
    """Return the provider's slug; empty if the model's name contains none and is not known."""
    slug, slash, _ = model.partition("/")
    if slash or slug == OFFLINE:
        return slug
    name = provider_model(model)
    return name.provider if name else ""


def reasoning_withheld_by(model: str) -> str:
    """Return the model's provider if administrators withhold reasoning from it, otherwise empty."""
    slug = slug_of(model)
    return slug if slug in directory().without_reasoning and not outranks(slug) else ""


def outranks(slug: str) -> list[str]:
    """Return the variables that define a provider, and outrank a stored one of the same name."""
    own = [f"{variable_prefix(slug)}_{what}" for what in WHAT if env.of_provider(slug, what)]
    return ["PROVIDERS", *own] if slug in settings.PROVIDERS else own


def _stored(slug: str) -> Provider | None:
    if slug not in directory().protocols:
        return None
    return Provider.objects.filter(slug=slug, enabled=True).first()
