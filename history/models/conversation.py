"""A conversation and the branches of its transcript."""

import uuid
from typing import TypeAlias

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from agents.models import AgentTemplate
from agents.networks.models import Network

# The number of a branch, and a first and a last position on it.
Span: TypeAlias = tuple[int, int, int]
END = 2**31 - 1  # The last position of a span that still grows.
# The conversation belongs to an account, or to a visitor's session.
ONE_OWNER = Q(owner__isnull=False, visitor="") | Q(owner__isnull=True) & ~Q(visitor="")


class Conversation(models.Model):
    """A conversation of a person with an account, or of a visitor, whose id is in their session.

    `agent` is the agent with which it began. In a network another agent may have taken over since;
    the path decides which agent answers now, see `history.services.settings.answerer`.
    """

    id = models.UUIDField(_("id"), primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("owner"),
    )
    visitor = models.CharField(_("visitor"), max_length=32, blank=True)
    agent = models.ForeignKey(
        AgentTemplate, models.PROTECT, related_name="conversations", verbose_name=_("agent")
    )
    network = models.ForeignKey(
        Network,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="conversations",
        verbose_name=_("network"),
    )
    asked_by = models.ForeignKey(
        "Generation",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("The answer that delegated this task; empty if a user started the chat."),
        verbose_name=_("delegated by"),
    )
    asked_call = models.CharField(
        _("delegating call"),
        max_length=200,
        blank=True,
        help_text=_("The tool call that delegated it."),
    )
    depth = models.PositiveSmallIntegerField(
        _("delegation depth"), default=0, help_text=_("How many levels deep it was delegated.")
    )
    branch = models.ForeignKey(
        "Branch", models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("branch")
    )
    model = models.CharField(
        _("model"),
        max_length=120,
        blank=True,
        help_text=_("Chosen in this chat. Empty: the agent's own."),
    )
    title = models.CharField(_("title"), max_length=200, blank=True)
    imported = models.CharField(
        _("imported from"),
        max_length=20,
        blank=True,
        help_text=_("The format of the file that it comes from. Empty: it began here."),
    )
    history_settings = models.JSONField(_("history settings"), default=dict, blank=True)
    applied_settings = models.JSONField(
        _("applied settings"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("What was last applied to it from a try, and what that replaced."),
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    active = models.DateTimeField(_("last message"), help_text=_("Time of the last message."))
    has_new_answer = models.BooleanField(
        _("new answer"),
        default=False,
        editable=False,
        help_text=_("An answer has ended that its owner has not looked at."),
    )
    pinned_at = models.DateTimeField(_("pinned"), null=True, blank=True, editable=False)
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True, editable=False)
    deleted_at = models.DateTimeField(
        _("deleted"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("Nobody sees it since then. Soon it is gone for good."),
    )

    class Meta:
        verbose_name = _("chat")
        verbose_name_plural = _("chats")
        permissions = [("read_all", "Can read everybody's chats")]
        constraints = [
            models.CheckConstraint(condition=ONE_OWNER, name="history_conversation_one_owner")
        ]
        indexes = [
            models.Index(fields=["owner", "-active"], name="history_conv_owner"),
            models.Index(fields=["visitor", "-active"], name="history_conv_visitor"),
            models.Index(
                fields=["owner", "visitor", "-pinned_at"],
                name="history_conv_pinned",
                condition=Q(pinned_at__isnull=False),
            ),
            models.Index(
                fields=["deleted_at"],
                name="history_conv_deleted",
                condition=Q(deleted_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        """Leave out the title, because logs and admin lists show this text."""
        return f"chat {self.pk}"

    @property
    def is_pinned(self) -> bool:
        """Whether the chat is at the top of the list: archiving makes its pin ineffective."""
        return self.pinned_at is not None and self.archived_at is None

    @property
    def partner(self) -> AgentTemplate | Network:
        """The network or the agent that the user is talking to."""
        return self.network or self.agent


class Branch(models.Model):
    """A line of the transcript. Editing or asking again starts a new one; nothing is overwritten.

    `lineage` never changes. It is a list of pairs [branch id, last position taken from that
    branch], the oldest first. An ancestor that contributes no message is left out, to keep the
    lineage short.
    """

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="branches")
    lineage = models.JSONField(default=list)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "branches"

    def __str__(self) -> str:
        return f"branch {self.pk} of {self.conversation_id}"

    @property
    def first_own_position(self) -> int:
        return self.lineage[-1][1] + 1 if self.lineage else 0

    def spans(self, through: int | None = None) -> list[Span]:
        """Return the path's spans, newest first; `through` ends the path after that position."""
        last = END if through is None else through
        spans: list[Span] = []
        starts = [0, *(upto + 1 for _, upto in self.lineage)]
        owners = [(branch, upto) for branch, upto in self.lineage] + [(self.pk, last)]
        for (branch, upto), start in zip(owners, starts, strict=True):
            if start <= min(upto, last):
                spans.append((branch, start, min(upto, last)))
        return spans[::-1]

    def has_on_path(self, branch: int, position: int) -> bool:
        """Return whether the message at that position of a branch lies on this branch's path."""
        return any(b == branch and first <= position <= last for b, first, last in self.spans())

    def fork_lineage(self, through: int) -> list[list[int]]:
        """Return the lineage of a new branch that shares this path up to position `through` (-1
        means that it shares nothing).
        """
        return [[branch, last] for branch, _, last in reversed(self.spans(through))]
