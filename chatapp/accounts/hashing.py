"""Limit how many passwords are hashed at once: a hash keeps a core busy for a third of a second."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from chatapp.limits.shared_places import PASSWORDS
from chatapp.limits.sharing import working_for


class BoundedHasher(PBKDF2PasswordHasher):
    """Hashes passwords as Django does, but only a few at the same time."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Hash a password. Raise TooMany if too many others are being hashed."""
        with PASSWORDS.held(working_for.get()):
            return super().encode(password, salt, iterations)
