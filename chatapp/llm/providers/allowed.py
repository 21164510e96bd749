"""The connection to a model, or the error for one that may not, or can't yet, be asked."""

from django.utils.translation import gettext as _

from agents.providers.keys import KeyUnreadable
from chatapp.llm.catalogue import forbidden
from chatapp.llm.errors import ErrorKind, ProviderError
from chatapp.llm.providers.connection import Connection, connection_of
from chatapp.llm.providers.missing_key import key_missing, missing_key


def allowed_connection(model: str) -> Connection:
    """Look up how to reach a model. Raise `ProviderError`; then nothing has left.

    A stored provider without the key that it needs is refused here, because litellm would send the
    request. This may read the database.
    """
    if reason := forbidden(model):
        sentence = _("{model} can't be used: {reason}.").format(model=model, reason=reason)
        raise ProviderError(ErrorKind.FORBIDDEN, sentence, left=False)
    if key_missing(model) == "":
        raise missing_key(model, "", left=False)
    try:
        return connection_of(model)
    except KeyUnreadable as unreadable:
        raise ProviderError(ErrorKind.MISSING_KEY, str(unreadable), left=False) from unreadable
