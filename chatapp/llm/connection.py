"""Look up a provider's protocol, address and key for each call.

A name is `provider/model`. The provider is one of litellm's own names, with the variables that
litellm reads, or one that `PROVIDERS` names, with variables of its own.
"""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from agents.providers.protocols import OFFLINE, PROTOCOLS
from chatapp import env
from chatapp.llm.naming import litellm_name, named

NO_KEY = "none"  # Said instead of a key, or litellm would use that of another provider.


@dataclass(frozen=True, slots=True)
class Connection:
    """`model` is litellm's name of the model, `protocol/model`.

    `base_url` and `key` are None if litellm finds them by itself: for its own providers without
    variables in the environment, and for the offline model.
    """

    model: str
    base_url: str | None = None
    key: str | None = field(default=None, repr=False)

    def arguments(self) -> dict[str, Any]:
        """Return what litellm is told in addition to the request."""
        given = {"model": self.model, "api_base": self.base_url, "api_key": self.key}
        return {name: value for name, value in given.items() if value}


def connection_of(model: str) -> Connection:
    """Look up a model's provider. It may read the database: call it where that is allowed."""
    slug, slash, _ = model.partition("/")
    if slug == OFFLINE:
        return Connection(model)
    if not slash:
        known = named(model)
        slug = known.provider if known else ""
    key, address = env.of_provider(slug, "API_KEY"), env.of_provider(slug, "API_BASE")
    if protocol := settings.PROVIDERS.get(slug):
        base_url = address or PROTOCOLS[protocol].address
        return Connection(litellm_name(model), base_url or None, key or NO_KEY)
    return Connection(model, address or None, key or None)
