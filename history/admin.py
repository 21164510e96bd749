"""The administration's pages on transcripts: everything can be read, and nothing changed.

Reading requires the permission to read everybody's chats, and is recorded. The lists show no text
of messages.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import OuterRef, QuerySet, Subquery, UUIDField
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from history.models import ContextPlan, Conversation, Generation, Message, TokenCalibration, Viewing
from history.services.access import Actor, record_reading
from history.wording.plans import worded_plan

OFFERED = {"", "exact", "id__exact", "isnull", "year", "month", "day", "gte", "lt"}


class ReadOnly(admin.ModelAdmin):
    """The admin of rows that only the chat itself writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class TranscriptAdmin(ReadOnly):
    """The admin of rows whose pages show what people and models said."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and reader_of(request).may_read_all

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Record the access: a row's view, delete and history pages all come through here."""
        row = super().get_object(request, *args, **kwargs)
        if row is not None and self.has_view_permission(request, row):
            record_reading(reader_of(request), self.conversation_of(row), Viewing.Page.ADMIN)
        return row

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Allow only the list's own filters: any other filter could reveal the text of messages
        without a record of the access.
        """
        name, _sep, how = lookup.partition("__")
        return name in {*self.list_filter, self.date_hierarchy} and how in OFFERED

    def conversation_of(self, row: Any) -> Conversation:
        return row.conversation


class ChatColumns(TranscriptAdmin):
    """Columns that tell rows apart by chat and person. The chat's title is not among them, because
    it comes from what was said.
    """

    def turn_of(self, row: Any) -> int:
        return row.turn

    @admin.display(description=_("chat"))
    def chat(self, row: Any) -> str:
        """Link to the inspector if a plan is stored: opening the inspector is recorded, looking at
        the list is not. A deleted chat has no inspector.
        """
        conversation, turn = self.conversation_of(row), self.turn_of(row)
        key, query = conversation.pk, self.plan_of(row)
        short = str(key)[:8]
        if not query or conversation.deleted_at:
            return short
        label = _("{key}: inspector, turn {turn}").format(key=short, turn=turn)
        address = reverse("turn", args=[key, turn], query=query)
        return format_html('<a href="{}" aria-label="{}">{}</a>', address, label, short)

    def plan_of(self, row: Any) -> dict[str, Any]:
        """Return the query of the address of the row's plan; empty if it has none."""
        return {"generation": row.planned} if row.planned else {}

    @admin.display(description=_("person"))
    def person(self, row: Any) -> str:
        owner = self.conversation_of(row).owner
        return owner.get_username() if owner else str(_("a visitor"))


class AnswerColumns(ChatColumns):
    """Columns for rows about one answer; the agent is the one that wrote it."""

    def generation_of(self, row: Any) -> Generation:
        return row

    @admin.display(description=_("answer"))
    def answer(self, row: Any) -> str:
        return str(self.generation_of(row))

    @admin.display(description=_("agent"))
    def agent(self, row: Any) -> str:
        return ", ".join(self.generation_of(row).agent_names.values())


def reader_of(request: HttpRequest) -> Actor:
    return Actor(request.user if isinstance(request.user, User) else None)


def with_planned(rows: QuerySet[Any], generation: str) -> QuerySet[Any]:
    """Add `planned` to the rows: their generation's key, if a plan of it is stored."""
    plans = ContextPlan.objects.filter(generation=OuterRef(generation))
    return rows.annotate(planned=Subquery(plans.values("generation")[:1], UUIDField()))


@admin.register(Message)
class MessageAdmin(ChatColumns):
    list_display = ("position", "turn", "role", "chat", "person", "tokens", "created")
    list_filter = ("role",)
    list_select_related = ("conversation__owner",)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        return with_planned(super().get_queryset(request), "generation")


@admin.register(Generation)
class GenerationAdmin(AnswerColumns):
    list_display = ("answer", "chat", "person", "agent", "created", "ended")
    ordering = ("-created",)
    list_filter = ("status", "kind")
    list_select_related = ("conversation__owner",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Generation]:
        return with_planned(super().get_queryset(request), "pk")


@admin.register(ContextPlan)
class ContextPlanAdmin(AnswerColumns):
    list_display = (
        *("answer", "step", "chat", "person", "agent"),
        *("head", "short_hash", "milliseconds", "created"),
    )
    list_select_related = ("generation__conversation__owner",)
    show_full_result_count = False

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Add sentences to the plan's facts, only to show them: this page stores nothing."""
        record = super().get_object(request, *args, **kwargs)
        if record is not None:
            record.plan = worded_plan(record.plan)
        return record

    def generation_of(self, row: Any) -> Generation:
        return row.generation

    def conversation_of(self, row: Any) -> Conversation:
        return row.generation.conversation

    def turn_of(self, row: Any) -> int:
        return row.generation.turn

    def plan_of(self, row: Any) -> dict[str, Any]:
        return {"generation": row.generation_id, "step": row.step}

    @admin.display(description=_("request hash"), ordering="request_hash")
    def short_hash(self, plan: ContextPlan) -> str:
        """Show the hash's beginning, to tell requests apart; the plan's page shows all of it."""
        return plan.request_hash[:12]


@admin.register(TokenCalibration)
class TokenCalibrationAdmin(ReadOnly):
    """The admin of the measured ratio between a model's token count and ours."""

    list_display = ("model", "factor", "requests")
    search_fields = ("model",)


@admin.register(Viewing)
class ViewingAdmin(ReadOnly):
    """The admin of the record of which staff looked at whose conversation, and when."""

    list_display = ("created", "viewer", "page", "owner_or_visitor", "chat")
    list_filter = ("page",)
    search_fields = ("viewer", "owner", "conversation")
    date_hierarchy = "created"
    ordering = ("-created",)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Viewing]:
        """Add the chats' titles, for those who may read the chats."""
        chats = Conversation.objects.filter(pk=OuterRef("conversation"), deleted_at=None)
        if not reader_of(request).may_read_all:
            chats = chats.none()
        return super().get_queryset(request).annotate(title=Subquery(chats.values("title")[:1]))

    @admin.display(description=_("chat"), ordering="conversation")
    def chat(self, viewing: Any) -> str:
        return viewing.title or str(viewing.conversation)

    @admin.display(description=_("owner"), ordering="owner")
    def owner_or_visitor(self, viewing: Viewing) -> str:
        return viewing.owner or str(_("a visitor"))
