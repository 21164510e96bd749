"""Encrypt the keys of providers that are stored in the database.

`ENCRYPTION_KEYS` holds secrets: the first one encrypts, and all of them decrypt. A secret derived
from `SECRET_KEY` decrypts, too, and encrypts if there is no other. A key is encrypted together with
the provider's slug and address, so that no change of a row sends the key elsewhere.
"""

import base64
import json

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.translation import gettext as _

SHORTEST = 32  # The fewest characters of a secret.
PURPOSE = b"vitrine: keys of model providers"


class KeyUnreadable(ValueError):
    """A stored key cannot be decrypted; the message names its provider and the way out."""


def encrypted(key: str, slug: str, address: str) -> str:
    return _fernet().encrypt(json.dumps([slug, address, key]).encode()).decode()


def decrypted(token: str, slug: str, address: str) -> str:
    """Return the key. Raise `KeyUnreadable` if the secrets or the provider have changed."""
    try:
        *bound_to, key = json.loads(_fernet().decrypt(token.encode()))
    except (InvalidToken, ValueError):
        raise KeyUnreadable(_unreadable(slug)) from None
    if bound_to != [slug, address]:
        raise KeyUnreadable(_unreadable(slug))
    return str(key)


def rotated(token: str, slug: str) -> str:
    """Encrypt a key again, with the first secret. Raise `KeyUnreadable`."""
    try:
        return _fernet().rotate(token.encode()).decode()
    except (InvalidToken, ValueError):
        raise KeyUnreadable(_unreadable(slug)) from None


def parse_secrets(secrets: list[str]) -> list[str]:
    """Read a list of secrets. Raise ValueError if one could be guessed; the error does not quote
    it.
    """
    if any(len(secret) < SHORTEST for secret in secrets):
        raise ValueError(f"each secret must have {SHORTEST} characters or more")
    return secrets


def _fernet() -> MultiFernet:
    secrets = [*settings.ENCRYPTION_KEYS, settings.SECRET_KEY]
    return MultiFernet([Fernet(_derived(secret)) for secret in secrets])


def _derived(secret: str) -> bytes:
    derivation = HKDF(SHA256(), length=32, salt=None, info=PURPOSE)
    return base64.urlsafe_b64encode(derivation.derive(secret.encode()))


def _unreadable(slug: str) -> str:
    return _(
        "The key of the provider {slug} can't be decrypted. Put the secret that encrypted it back "
        "into ENCRYPTION_KEYS, or enter the key again on the provider's page."
    ).format(slug=slug)
