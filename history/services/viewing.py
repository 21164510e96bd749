"""The record of who of the staff looked at conversations that are not theirs."""

from django.contrib.auth.models import User
from django.utils import timezone

from history.models import Conversation, Viewing

PERIOD = 600  # Seconds that one row stands for.


def record_viewing(viewer: User, conversation: Conversation, page: Viewing.Page) -> None:
    """Before anything is shown: a look that cannot be recorded is not granted.

    One statement, so that a page of many requests leaves one row whatever their order.
    """
    row = Viewing(
        viewer=viewer.get_username(),
        conversation=conversation.pk,
        owner=conversation.owner.get_username() if conversation.owner else "",
        page=page,
        period=int(timezone.now().timestamp()) // PERIOD,
    )
    Viewing.objects.bulk_create([row], ignore_conflicts=True)
