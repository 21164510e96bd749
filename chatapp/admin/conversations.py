"""The administration's pages on conversations, which can be deleted even while an answer is being
written.
"""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from chatapp.generation.deleting import stop_answers_now
from history.admin import TranscriptAdmin, reader_of
from history.models import Conversation
from history.services.answers.deleting import delete_conversations


class ConversationAdmin(TranscriptAdmin):
    """Lets people delete a conversation with its transcript, but no transcript without it."""

    list_display = ("id", "agent", "owner", "messages_stored", "active")
    list_filter = ("agent",)
    ordering = ("-active",)
    search_fields = ("id", "owner__username")
    date_hierarchy = "active"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        permitted = admin.ModelAdmin.has_delete_permission(self, request, obj)
        return permitted and reader_of(request).may_read_all

    def conversation_of(self, row: Any) -> Conversation:
        return row

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        rows = super().get_queryset(request).select_related("agent", "owner")
        return rows.annotate(messages_stored=Count("messages"))

    @admin.display(ordering="messages_stored", description=_("messages"))
    def messages_stored(self, conversation: Conversation) -> int:
        return conversation.messages_stored

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """Stop running answers before the deletion, which is a single transaction."""
        if request.POST.get("post") and self.has_delete_permission(request):
            with suppress(ValueError):  # The address may contain no valid id.
                stop_answers_now([UUID(object_id)])
        return super().delete_view(request, object_id, extra_context)

    def delete_model(self, request: HttpRequest, obj: Conversation) -> None:
        delete_conversations([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        stop_answers_now(ids)
        delete_conversations(ids)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Require no permission to delete dependent rows, because nobody has one."""
        rows, counts, _, protected = super().get_deleted_objects(objs, request)
        return rows, counts, set(), protected
