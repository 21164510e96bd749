"""Follow-ups: messages that people write while an answer is being written."""

from uuid import uuid4

from django.db import models

from history.models.conversation import Conversation


class FollowUp(models.Model):
    """A message that waits for the present answer to end. It is not part of the transcript until it
    is sent, which deletes this row. A conversation has at most one.

    `ids` are the ids of the commands that made it, so that each command adds its text only once.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    conversation = models.OneToOneField(Conversation, models.CASCADE, related_name="follow_up")
    text = models.TextField()
    model = models.CharField(max_length=120, blank=True)
    query = models.TextField(blank=True)
    ids = models.JSONField(default=list)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"follow-up in {self.conversation_id}"
