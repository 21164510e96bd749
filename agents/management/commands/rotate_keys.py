"""`manage.py rotate_keys`: encrypt keys again after a new secret was put first in
ENCRYPTION_KEYS.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agents.providers.rotation import rotate_keys


class Command(BaseCommand):
    help = "Encrypt the keys of model providers with the first secret of ENCRYPTION_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        done, faults = rotate_keys()
        self.stdout.write(f"Encrypted {done} keys with the first secret.")
        if faults:
            raise CommandError("\n".join(faults))
