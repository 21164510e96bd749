"""Sign in, and change or reset a password: Django's forms and views, in our design."""

from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext_lazy as _
from django.views.generic import TemplateView

from chatapp.accounts.links import link_for
from chatapp.accounts.signing_in import begin_asking, begin_try, end_try, nobody_has_signed_in
from chatapp.limits.fair_pool import FairPool
from chatapp.limits.shared_places import EMAILS
from history.services.access import actor_of, listed_conversations

NO_MATCH = _("That name and password don't match an account. Check both and try again.")
emails: FairPool[None] = FairPool(EMAILS)


class SignInForm(AuthenticationForm):
    """Gives a disabled account the same answer as a missing one, which hides that it exists."""

    def get_invalid_login_error(self) -> ValidationError:
        return ValidationError(NO_MATCH, "invalid_login")


class ResetByMailForm(PasswordResetForm):
    """Answers at once: the time that mailing takes would reveal that an address is known."""

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        """Send the mail in a thread; Django logs failures there."""
        context = args[2]
        context["link"] = link_for(context["user"], context["token"])
        context["hours"] = settings.PASSWORD_RESET_TIMEOUT // 3600
        emails.submit(partial(super().send_mail, *args, **kwargs))


class SignIn(views.LoginView):
    form_class = SignInForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add values for the sign-in page.

        `chats` is the number of a visitor's chats, which will move to the account.
        """
        return super().get_context_data(**kwargs) | {
            "can_mail": settings.CAN_MAIL,
            "is_new_here": settings.MODE == "local" and nobody_has_signed_in(),
            "may_chat": settings.ANONYMOUS_CHAT,
            "chats": listed_conversations(actor_of(self.request)).count(),
        }


def administration_login(request: HttpRequest) -> HttpResponseBase:
    """Lead whoever is not signed in to the page where everybody signs in.

    Whoever is signed in already, but may not administer, would be sent to and fro: Django's page
    tells them. It also takes the forms that programs post, under the same limits.
    """
    if request.method != "GET" or request.user.is_authenticated:
        return admin.site.login(request)
    address = request.GET.get("next") or reverse("admin:index")
    return redirect_to_login(address, reverse("login"))


class ChangePassword(views.PasswordChangeView):
    """Changes the password; this browser stays signed in, all others are signed out."""

    template_name = "accounts/change.html"
    success_url = reverse_lazy("password_changed")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        begin_try(request, request.user.get_username())
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        self._knows_the_old_one()
        return super().form_valid(form)

    def form_invalid(self, form: PasswordChangeForm) -> HttpResponse:
        if "old_password" not in form.errors:
            self._knows_the_old_one()
        return super().form_invalid(form)

    def _knows_the_old_one(self) -> None:
        end_try(self.request, self.request.user.get_username())


class PasswordChanged(LoginRequiredMixin, TemplateView):
    template_name = "accounts/changed.html"


class AskForLink(views.PasswordResetView):
    """Mails a reset link, if mail is set up, without revealing whether the address is known."""

    template_name = "accounts/ask.html"
    form_class = ResetByMailForm
    email_template_name = "accounts/mail.txt"
    subject_template_name = "accounts/mail_subject.txt"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.CAN_MAIL:
            raise Http404("Email is not set up.")
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        begin_asking(request, request.POST.get("email", ""))
        return super().post(request, *args, **kwargs)
