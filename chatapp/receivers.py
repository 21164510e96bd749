"""What the server does when rows change, by whichever door."""

from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from chatapp import rights


@receiver(user_logged_out)
@receiver(post_save, sender=User)
@receiver(post_delete, sender=User)
def rights_changed(**_: Any) -> None:
    transaction.on_commit(rights.changed)
