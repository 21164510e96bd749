"""Imports: a file that a person supplied, and what became of each chat in it."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from history.models.conversation import ONE_OWNER, Conversation


class ImportState(models.TextChoices):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # The person stopped the import.
    FAILED = "failed"


UNFINISHED = (ImportState.WAITING, ImportState.RUNNING)


def address_of(row: "Import", _name: str) -> str:
    return f"imports/{row.pk}"


class Import(models.Model):
    """A supplied file that is read in the background. Each chat is stored together with its entry,
    so that a process that resumes the import knows what is done.

    `instructs`: the file's system messages are sent, because staff imported it. `copies`: chats
    that are here already are imported again. `fault` is a fact that says why the import failed or
    waits. `alive` is when a process last read the file; while the import waits, it is set so that
    no process takes it over too early. `reached` is the number of the next chat to store, `percent`
    how much of the file was read.
    """

    id = models.UUIDField(_("id"), primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+"
    )
    visitor = models.CharField(max_length=32, blank=True)
    name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64, help_text=_("SHA-256 of the file."))
    file = models.FileField(upload_to=address_of, max_length=120, blank=True)
    agent = models.CharField(max_length=50, help_text=_("Who answers in its chats."))
    instructs = models.BooleanField(default=False)
    copies = models.BooleanField(default=False)
    format = models.CharField(max_length=20, blank=True)
    state = models.CharField(max_length=8, choices=ImportState.choices, default=ImportState.WAITING)
    fault = models.JSONField(default=dict, blank=True)
    reached = models.PositiveIntegerField(default=0)
    percent = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=40, blank=True)
    alive = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [models.CheckConstraint(condition=ONE_OWNER, name="history_import_one_owner")]
        indexes = [
            models.Index(fields=["owner", "-created"], name="history_import_owner"),
            models.Index(fields=["visitor", "-created"], name="history_import_visitor"),
            models.Index(
                fields=["created"], condition=Q(state__in=UNFINISHED), name="history_import_open"
            ),
        ]

    def __str__(self) -> str:
        """Leave out the file's name, because logs show this text."""
        return f"import {self.pk}"

    @property
    def is_unfinished(self) -> bool:
        return self.state in UNFINISHED


class ImportEntry(models.Model):
    """What became of one chat of a file; `number` is the chat's place in the file, from 0.

    `source` is the chat's id in the other program, and `digest` a hash of its messages; together
    they identify it. `skipped` are facts on what was not imported. The entry is deleted with its
    conversation, whether the import stored that or found it here.
    """

    class Outcome(models.TextChoices):
        STORED = "stored"
        KNOWN = "known"
        SKIPPED = "skipped"

    job = models.ForeignKey(Import, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=7, choices=Outcome.choices)
    title = models.CharField(max_length=200, blank=True)
    source = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    messages = models.PositiveIntegerField(default=0)
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, null=True, blank=True, related_name="+"
    )
    skipped = models.JSONField(default=list, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["job", "number"], name="history_import_number")
        ]
        indexes = [models.Index(fields=["digest", "source"], name="history_import_digest")]

    def __str__(self) -> str:
        return f"{self.outcome} chat {self.number} of {self.job_id}"
