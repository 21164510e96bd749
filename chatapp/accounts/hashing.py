"""Limit how many passwords are hashed at once: a hash keeps a core busy for a third of a second."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from chatapp.limits.shared_places import PASSWORDS
from chatapp.limits.sharing import working_for


class BoundedHasher(PBKDF2PasswordHasher):
    """Django's hasher and its hashes, but only a few at once."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Hash a password. Raise TooMany."""
        with PASSWORDS.held(working_for.get()):
            return super().encode(password, salt, iterations)
