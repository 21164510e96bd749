"""A person's own page: their theme, their password, and everything stored about them, which they
can export or delete.
"""

from typing import Any

from django import forms
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from chatapp.accounts.sessions import end_all_of
from chatapp.accounts.signing_in import begin_try, end_try
from chatapp.generation.deleting import stop_answers_now
from chatapp.pages.guard import chatting
from history.services.access import Actor, listed_conversations, own_conversations
from history.services.answers.deleting import delete_everything, may_leave


class DeleteForm(forms.Form):
    """The form that confirms the deletion, by a password or, for a visitor, by a ticked box."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(label=_("Yes, delete all of it"))

    def __init__(self, request: HttpRequest, actor: Actor, data: Any = None) -> None:
        super().__init__(data)
        self.request, self.user = request, actor.user
        del self.fields["sure" if actor.user else "password"]

    def clean_password(self) -> str:
        """Check the password. Raise TooMany after too many wrong ones, as signing in does."""
        password = str(self.cleaned_data["password"])
        assert self.user
        begin_try(self.request, self.user.get_username())
        if not self.user.check_password(password):
            raise ValidationError(_("That's not your password. Nothing was deleted."))
        end_try(self.request, self.user.get_username())
        return password

    def clean(self) -> dict[str, Any]:
        if self.user and not may_leave(self.user):
            raise ValidationError(
                _("This is the only administrator's account. Make somebody else one first.")
            )
        return self.cleaned_data


@require_http_methods(["GET", "HEAD", "POST"])
@chatting
def own_data(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the page. A POST request deletes all of the person's data, and their account."""
    form = DeleteForm(request, actor, request.POST or None)
    if request.method == "POST" and form.is_valid():
        stop_answers_now(own_conversations(actor).values_list("pk", flat=True))
        delete_everything(actor)
        if actor.user:
            end_all_of(actor.user.pk)
        logout(request)
        return redirect("all_deleted")
    context = {"form": form, "chats": listed_conversations(actor).count(), "actor": actor}
    return render(request, "accounts/own_data.html", context)


@require_safe
def all_deleted(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/all_deleted.html")
