"""Whether a model's key is missing, and the error that says so, with each place to set the key."""

from django.conf import settings
from django.utils.translation import gettext as _

from agents.providers.directory import directory
from agents.providers.protocols import OFFLINE, PROTOCOLS, variable_prefix
from chatapp import env
from chatapp.llm.errors import ErrorKind, ProviderError, refusal
from chatapp.llm.litellm_setup import litellm
from chatapp.llm.providers.connection import outranks


def key_missing(model: str) -> str | None:
    """Return the environment variable for the model's key, if the key is needed and missing; empty
    if the key belongs on the page of a stored provider.
    """
    slug = model.partition("/")[0]
    if slug == OFFLINE:
        return None
    if named_here := settings.PROVIDERS.get(slug):
        needs_one = PROTOCOLS[named_here].address and not env.of_provider(slug, "API_KEY")
        return f"{variable_prefix(slug)}_API_KEY" if needs_one else None
    if slug in directory().protocols and not outranks(slug):
        return "" if slug in directory().without_key else None
    if protocol := PROTOCOLS.get(slug):
        variables = protocol.key_variables()
        return None if not variables or env.has_any(variables) else variables[0]
    return _missing_for_litellm(model)


def _missing_for_litellm(model: str) -> str | None:
    missing = litellm().validate_environment(model)["missing_keys"]
    keys = [name for name in missing if name.endswith("_API_KEY")]
    provider = model.partition("/")[0].upper()
    return min(keys, key=lambda name: not name.startswith(provider), default=None)


def missing_key(model: str, variable: str, *, left: bool = True) -> ProviderError:
    """Make the error. It names the environment variable for the key, and also the administration,
    unless the environment outranks a key that is stored there. Without a variable, the key
    belongs on the page of a stored provider.
    """
    if not variable:
        sentence = _("{model} needs a key. Save it on the provider's page.")
        return ProviderError(ErrorKind.MISSING_KEY, sentence.format(model=model), left=left)
    if outranks(model.partition("/")[0]):
        return refusal(ErrorKind.MISSING_KEY, model, variable=variable, left=left)
    sentence = _(
        "{model} needs a key. Set {variable} in the environment and restart, or save the key in "
        "the administration."
    )
    message = sentence.format(model=model, variable=variable)
    return ProviderError(ErrorKind.MISSING_KEY, message, left=left)
