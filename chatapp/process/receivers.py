"""Signal receivers: what the server does when rows change, whoever changed them."""

from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete, post_save

from chatapp.generation import deleting
from chatapp.live.viewers import named
from chatapp.process import loop, rights
from history.models import Conversation


def connect() -> None:
    user_logged_out.connect(rights_changed)
    post_save.connect(rights_changed, sender=User)
    post_delete.connect(rights_changed, sender=User)
    post_delete.connect(conversation_deleted, sender=Conversation)


def rights_changed(**_: Any) -> None:
    transaction.on_commit(rights.changed)


def conversation_deleted(instance: Conversation, **_: Any) -> None:
    owner = named(instance.owner_id, instance.visitor)
    transaction.on_commit(partial(loop.call, deleting.gone, instance.pk, owner))
