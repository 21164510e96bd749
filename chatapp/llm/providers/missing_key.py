"""Every way out for a model whose key nobody has set."""

from django.utils.translation import gettext as _

from chatapp.llm.errors import ErrorKind, ProviderError, refusal
from chatapp.llm.providers.connection import outranks


def missing_key(model: str, variable: str, *, left: bool = True) -> ProviderError:
    """Name the variable, and the administration if the environment doesn't outrank that."""
    error = refusal(ErrorKind.MISSING_KEY, model, variable=variable, left=left)
    if outranks(model.partition("/")[0]):
        return error
    stored = _("An administrator can also save it under Model providers.")
    return ProviderError(error.kind, f"{error} {stored}", left=left)
