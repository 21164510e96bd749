"""What the server does when rows change, by whichever door."""

from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from chatapp.generation import deleting
from chatapp.live.viewers import named
from chatapp.process import rights
from chatapp.server import loop
from history.models import Conversation


@receiver(user_logged_out)
@receiver(post_save, sender=User)
@receiver(post_delete, sender=User)
def rights_changed(**_: Any) -> None:
    transaction.on_commit(rights.changed)


@receiver(post_delete, sender=Conversation)
def conversation_deleted(instance: Conversation, **_: Any) -> None:
    owner = named(instance.owner_id, instance.visitor)
    transaction.on_commit(partial(loop.call, deleting.gone, instance.pk, owner))
