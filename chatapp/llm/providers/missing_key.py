"""The error for a model whose key is not set, with each place where it can be set."""

from django.utils.translation import gettext as _

from chatapp.llm.errors import ErrorKind, ProviderError, refusal
from chatapp.llm.providers.connection import outranks


def missing_key(model: str, variable: str, *, left: bool = True) -> ProviderError:
    """Make the error. It names the environment variable for the key, and also the administration's
    page, unless the environment outranks a key that is stored there.
    """
    error = refusal(ErrorKind.MISSING_KEY, model, variable=variable, left=left)
    if outranks(model.partition("/")[0]):
        return error
    stored = _("An administrator can also save it under Model providers.")
    return ProviderError(error.kind, f"{error} {stored}", left=left)
