"""Encrypt every stored key with the newest secret."""

from django.db import transaction

from agents.providers.keys import KeyUnreadable, rotated
from agents.providers.models import Provider


def rotate_keys() -> tuple[int, list[str]]:
    """Encrypt the keys again. Return how many that were, and what is wrong with the others."""
    done, faults = 0, []
    with transaction.atomic():
        for provider in Provider.objects.select_for_update().exclude(encrypted_key=""):
            try:
                provider.encrypted_key = rotated(provider.encrypted_key, provider.slug)
            except KeyUnreadable as unreadable:
                faults.append(str(unreadable))
                continue
            provider.save(update_fields=["encrypted_key"])
            done += 1
    return done, faults
