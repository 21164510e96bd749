"""The administration's pages on users and groups: nobody can raise their own rights or take over an
account with more rights. Deleting a user deletes their conversations.
"""

from copy import copy
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext as _

from agents.changes import AnyField, GuardedAdmin, GuardedForm, SuperusersAdmin
from chatapp.accounts.links import reset_link
from chatapp.accounts.record import changed_roles, record, roles
from chatapp.generation.deleting import stop_answers_now
from history.models import Conversation
from history.services.answers.deleting import conversations_of, delete_users

ROLES = ("is_staff", "is_superuser", "groups", "user_permissions")
DATES = ("last_login", "date_joined")  # A page that was opened earlier would set these fields back.
admin.site.unregister([User, Group])


def may_manage(manager: Any, user: User) -> bool:
    """Return whether the manager may manage the user: the manager needs all rights of the user.

    A person who sets an account's password can sign in to the account and use its rights.
    """
    if manager.is_superuser:
        return True
    switched_on = copy(user)
    switched_on.is_active = True
    return not user.is_superuser and manager.has_perms(switched_on.get_all_permissions())


class AccountForm(GuardedForm, UserChangeForm):
    """The form for an account, without the password, which has a page of its own."""

    def guarded(self, row: Model) -> list[AnyField]:
        names = self.fields.keys() - {"password"}
        return [field for field in super().guarded(row) if field.name in names]


class AccountAdmin(GuardedAdmin, UserAdmin):
    """The form for accounts, with a reset link for users who forgot their password."""

    form = AccountForm

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        permitted = super().has_change_permission(request, obj)
        return permitted and (obj is None or may_manage(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        permitted = super().has_delete_permission(request, obj)
        return permitted and (obj is None or may_manage(request.user, obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return DATES if request.user.is_superuser else (*DATES, *ROLES)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.reset_link)
        return [
            path("<int:pk>/reset-link/", view, name="auth_user_reset_link"),
            *super().get_urls(),
        ]

    def reset_link(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for confirmation; then show the link once, without storing it."""
        user = self.get_object(request, str(pk))
        if user is None or not self.has_change_permission(request, user):
            raise PermissionDenied
        context = {**self.admin_site.each_context(request), "opts": self.opts, "original": user}
        context |= {"title": "Reset link", "link": ""}
        if request.method == "POST" and user.is_active:
            context["link"] = reset_link(user, request.build_absolute_uri("/").rstrip("/"))
            record(user, "Made a reset link.", request.user)
        return TemplateResponse(request, "admin/auth/user/reset_link.html", context)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001 -- Django's signature
        form.roles_before = roles(User.objects.get(pk=obj.pk)) if change else {"active"}
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, *args: Any) -> None:
        super().save_related(request, form, *args)
        if sentence := changed_roles(form.roles_before, roles(form.instance)):
            record(form.instance, sentence, request.user)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Count the users' conversations to be deleted, instead of listing all their messages."""
        people = list(objs)
        count = Conversation.objects.filter(owner__in=people).count()
        may = request.user.has_perm("history.delete_conversation") or not count
        counts = {_("users"): len(people), _("chats"): count}
        refused = {str(user) for user in people if not self.has_delete_permission(request, user)}
        refused |= set() if may else {_("chats")}
        return [str(user) for user in people], counts, refused, []

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """Stop the user's running answers before the deletion, which is a single transaction."""
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


@admin.register(Group)
class SuperusersGroupAdmin(SuperusersAdmin, GroupAdmin):
    form = GuardedForm
    fields = ("name", "permissions")
