"""Limit how many passwords are hashed at once: a hash keeps a core busy for a third of a second."""

import os
from threading import BoundedSemaphore

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.utils.translation import gettext as _

from chatapp.databases.threads import give_back
from chatapp.limits.buckets import TooMany

PATIENCE = 5.0  # Seconds that a thread waits for its turn.
slots = BoundedSemaphore(max((os.cpu_count() or 2) // 2, 1))


class BoundedHasher(PBKDF2PasswordHasher):
    """Django's hasher and its hashes, but only a few at once."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Hash a password. Raise TooMany."""
        give_back()
        if not slots.acquire(timeout=PATIENCE):
            raise TooMany(_("Many people are signing in right now."), 2)
        try:
            return super().encode(password, salt, iterations)
        finally:
            slots.release()
