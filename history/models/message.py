"""The rows of the transcript, and people's decisions about single messages."""

from typing import Any, Protocol

from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from history.core.transcript import messages as core
from history.core.transcript.messages import Role
from history.core.transcript.parts import part_from_dict
from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.conversation import END, Branch, Conversation
from history.models.file_answer import FileAnswer


class MessageFields(Protocol):
    """The fields of a message's row that a projection reads."""

    position: int
    turn: int
    role: str
    text: str
    parts: list[dict[str, Any]]
    tool_calls: list[dict[str, Any]]
    tool_call_id: str
    tool_name: str
    withheld: bool
    cold: bool
    tokens: int
    tokens_through: int
    results_through: int
    images_through: int
    files_through: int


class MessageQuerySet(AppendOnlyQuerySet["Message"]):
    def on_span(self, span: tuple[int, int, int]) -> "MessageQuerySet":
        """Filter by a span. An open end gets no bound: with one, databases choose a slow way."""
        branch, first, last = span
        lower = {"position__gte": first} if first else {}
        upper = {"position__lte": last} if last < END else {}
        return self.filter(branch=branch, **lower, **upper)

    def stored(self) -> "QuerySet[Any, MessageFields]":
        """Return plain rows instead of models, for speed: a request reads a hundred of them."""
        return self.values_list(*MessageFields.__annotations__, named=True)


class Message(AppendOnlyModel):
    """A message, written once: projections leave messages out, but never change or delete rows."""

    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="messages", verbose_name=_("chat")
    )
    branch = models.ForeignKey(
        Branch, models.CASCADE, related_name="messages", db_index=False, verbose_name=_("branch")
    )  # The constraint on (branch, position) is the index; a second one misleads PostgreSQL.
    generation = models.ForeignKey(
        "Generation",
        models.RESTRICT,
        null=True,
        blank=True,
        related_name="messages",
        verbose_name=_("answer"),
    )
    position = models.PositiveIntegerField(
        _("position"), help_text=_("Position on the path, from 0.")
    )
    turn = models.PositiveIntegerField(
        _("turn"), help_text=_("Number of user messages up to here.")
    )
    segment = models.PositiveIntegerField(
        _("segment"), help_text=_("Position of the segment's first message.")
    )
    role = models.CharField(_("role"), max_length=9, choices=[(role, role) for role in Role])
    text = models.TextField(_("text"), blank=True)
    has_text = models.BooleanField(_("has text"))
    parts = models.JSONField(
        _("parts"), default=list, blank=True, help_text=_("Reasoning, images and files.")
    )
    tool_calls = models.JSONField(_("tool calls"), default=list, blank=True)
    tool_call_id = models.CharField(_("tool call id"), max_length=200, blank=True)
    tool_name = models.CharField(_("tool name"), max_length=200, blank=True)
    failed = models.BooleanField(
        _("failed"), default=False, help_text=_("Whether this tool result is an error.")
    )
    took_ms = models.PositiveIntegerField(
        _("duration (ms)"), null=True, help_text=_("How long the tool ran.")
    )
    # The slug; of an imported answer the name, as its file says.
    agent = models.CharField(
        _("agent"),
        max_length=50,
        blank=True,
        help_text=_("The agent that wrote it; for a handover, the agent that takes over."),
    )
    tokens = models.PositiveIntegerField(_("tokens"))
    tokens_through = models.PositiveBigIntegerField(
        _("tokens so far"), help_text=_("Running total along the path.")
    )
    results_through = models.PositiveIntegerField(
        _("tool results so far"), help_text=_("Number of tool results up to here.")
    )
    images_through = models.PositiveIntegerField(
        _("images so far"), default=0, help_text=_("Number of images up to here.")
    )
    files_through = models.PositiveIntegerField(
        _("files so far"), default=0, help_text=_("Number of files up to here.")
    )
    client_msg_id = models.UUIDField(_("client message id"), null=True, blank=True)
    cold = models.BooleanField(
        _("cache expired"), default=False, help_text=_("The cache had expired before this message.")
    )
    imported = models.BooleanField(
        _("imported"), default=False, help_text=_("Whether it comes from a file.")
    )
    withheld = models.BooleanField(
        _("withheld"), default=False, help_text=_("Shown, but never sent: a file's instructions.")
    )
    model = models.CharField(
        _("model"),
        max_length=120,
        blank=True,
        default="",
        help_text=_("The model that wrote it, as the imported file says."),
    )
    file_answer = models.JSONField(
        _("answer of the file"),
        null=True,
        blank=True,
        help_text=_("What the imported file says of the answer that begins here."),
    )
    missing = models.JSONField(
        _("missing files"),
        null=True,
        blank=True,
        help_text=_("Names of files that the imported file did not bring along."),
    )
    created = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    objects = MessageQuerySet.as_manager()

    class Meta(AppendOnlyModel.Meta):
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(fields=["branch", "position"], name="history_message_position"),
            models.UniqueConstraint(
                fields=["conversation", "client_msg_id"],
                condition=Q(client_msg_id__isnull=False),
                name="history_message_client_id",
            ),
            models.CheckConstraint(
                condition=Q(role__in=[str(role) for role in Role]), name="history_message_role"
            ),
        ]
        indexes = [
            models.Index(fields=["branch", "turn", "position"], name="history_message_turn"),
            models.Index(fields=["branch", "segment"], name="history_message_segment"),
            models.Index(
                fields=["conversation", "tool_call_id"],
                condition=~Q(tool_call_id=""),
                name="history_message_result",
            ),
            models.Index(
                fields=["branch", "position"],
                condition=Q(role="system"),
                name="history_message_system",
            ),
            models.Index(
                fields=["branch", "position"],
                condition=Q(role="assistant", has_text=True),
                name="history_message_answer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.role}"

    @property
    def answer_of_file(self) -> FileAnswer | None:
        return FileAnswer(**self.file_answer) if self.file_answer else None

    def as_core(self) -> core.Message:
        return core_of(self)


def core_of(row: MessageFields) -> core.Message:
    return core.Message(
        position=row.position,
        role=Role(row.role),
        text=row.text,
        tool_calls=tuple(_call(call) for call in row.tool_calls),
        tool_call_id=row.tool_call_id or None,
        tool_name=row.tool_name or None,
        turn=row.turn,
        tokens=row.tokens,
        withheld=row.withheld,
        cold=row.cold,
        parts=tuple(map(part_from_dict, row.parts)),
    )


def _call(call: dict[str, Any]) -> core.ToolCall:
    fields = call.get("fields", {})
    return core.ToolCall(call["id"], call["name"], call["arguments"], call["tokens"], fields)


class MessageHashQuerySet(AppendOnlyQuerySet["MessageHash"]):
    """Hashes of messages, which nothing can change."""


class MessageHash(AppendOnlyModel):
    """A hash of what is said on a path up to a message (`history.core.transcript.path_hash`)."""

    message = models.OneToOneField(
        Message, models.CASCADE, primary_key=True, related_name="path_hash"
    )
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="+", db_index=False)
    hash = models.CharField(max_length=64)

    objects = MessageHashQuerySet.as_manager()

    class Meta(AppendOnlyModel.Meta):
        verbose_name_plural = "message hashes"
        indexes = [models.Index(fields=["hash", "conversation"], name="history_hash_conversation")]

    def __str__(self) -> str:
        return self.hash[:12]


class MessageMark(models.Model):
    """A pin or an exclusion. It marks its segment on every branch that contains the segment.

    The row refers to the segment's first message, and does not change that message.
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
