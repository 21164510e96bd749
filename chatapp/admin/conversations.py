"""The administration's pages on conversations, which can be deleted even while an answer is being
written.
"""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from chatapp.generation.deleting import stop_answers_now
from history.admin import TranscriptAdmin, reader_of, with_planned
from history.models import Conversation, Generation
from history.services.answers.deleting import delete_conversations
from history.services.search import titled
from history.wording.names import label_of
from history.wording.settings import shown_setting


class ConversationAdmin(TranscriptAdmin):
    """Lets people delete a conversation with its transcript, but no transcript without it.

    The list and each chat's page show titles, as the overview does to the same people.
    """

    exclude = ("title", "history_settings")
    readonly_fields = ("own_settings",)

    list_display = ("chat", "person", "partner", "messages_stored", "active")
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
        rows = super().get_queryset(request).select_related("agent", "network", "owner")
        return rows.annotate(messages_stored=Count("messages"))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Conversation], search_term: str
    ) -> tuple[QuerySet[Conversation], bool]:
        """Find titles, too, matched as in the sidebar. Messages are not searched."""
        chats = Conversation.objects.order_by()
        others, may_repeat = super().get_search_results(request, chats, search_term)
        if not search_term.strip():
            return queryset, False
        titles = titled(chats, search_term)
        condition = Q(pk__in=others.values("pk")) | Q(pk__in=titles.values("pk"))
        return queryset.filter(condition), may_repeat

    @admin.display(ordering="title", description=_("chat"))
    def chat(self, conversation: Conversation) -> str:
        return conversation.title or str(_("Untitled chat"))

    @admin.display(ordering="owner__username", description=_("person"))
    def person(self, conversation: Conversation) -> str:
        return conversation.owner.get_username() if conversation.owner else str(_("a visitor"))

    @admin.display(description=_("agent or network"))
    def partner(self, conversation: Conversation) -> str:
        return conversation.partner.name

    @admin.display(ordering="messages_stored", description=_("messages"))
    def messages_stored(self, conversation: Conversation) -> int:
        return conversation.messages_stored

    @admin.display(description=_("settings of its own"))
    def own_settings(self, conversation: Conversation) -> str:
        """Write a setting on each line; the page keeps the lines."""
        settings = conversation.history_settings.items()
        lines = [f"{label_of(name)}: {shown_setting(name, value)}" for name, value in settings]
        return "\n".join(lines) or str(_("none"))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Tell the template which answer's request the inspector can show."""
        newest = None
        with suppress(ValueError):  # The address may contain no valid id.
            rows = Generation.objects.filter(conversation=UUID(object_id)).order_by("-created")
            newest = with_planned(rows, "pk").exclude(planned=None).first()
        extra = {**(extra_context or {}), "newest": newest}
        return super().change_view(request, object_id, form_url, extra)

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
