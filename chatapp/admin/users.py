"""Users in the administration: deleting one deletes their conversations."""

from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from chatapp.accounts.admin import AccountAdmin
from chatapp.generation.deleting import stop_answers_now
from history.models import Conversation
from history.services.answers.conversation import conversations_of, delete_users


class PersonAdmin(AccountAdmin):
    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Count their conversations: nobody reads a list of all that was ever said."""
        people = list(objs)
        count = Conversation.objects.filter(owner__in=people).count()
        may = request.user.has_perm("history.delete_conversation") or not count
        counts = {_("users"): len(people), _("conversations"): count}
        refused = {str(user) for user in people if not self.has_delete_permission(request, user)}
        refused |= set() if may else {_("conversations")}
        return [str(user) for user in people], counts, refused, []

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """End what is being written for them first: the deletion itself is one transaction."""
        user = User.objects.filter(pk=object_id).first() if object_id.isdecimal() else None
        if user and request.POST.get("post") and self.has_delete_permission(request, user):
            stop_answers_now(conversations_of([user.pk]))
        return super().delete_view(request, object_id, extra_context)

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        delete_users([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        stop_answers_now(conversations_of(ids))
        delete_users(ids)
