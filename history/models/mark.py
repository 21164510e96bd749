"""What a person decided about single messages, and may undo."""

from django.db import models

from history.models.conversation import Conversation
from history.models.message import Message


class MessageMark(models.Model):
    """A pin or an exclusion of a segment, on every branch that contains it.

    It names the segment's first message. The message itself never changes.
    """

    class Kind(models.TextChoices):
        PIN = "pin"
        EXCLUSION = "exclusion"

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="marks")
    message = models.OneToOneField(Message, models.CASCADE, related_name="mark")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    created = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.kind} of message {self.message_id}"
