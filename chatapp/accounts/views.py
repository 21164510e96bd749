"""Change a password, or reset a forgotten one: Django's views in our design."""

from typing import Any

from django.conf import settings
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse_lazy
from django.views.generic import TemplateView

from chatapp.accounts.forms import ResetByMailForm, SignInForm
from chatapp.accounts.signing_in import begin_asking, begin_try, end_try


class SignIn(views.LoginView):
    form_class = SignInForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"can_mail": settings.CAN_MAIL}


class ChangePassword(views.PasswordChangeView):
    """This browser stays signed in; all others are signed out."""

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
    """Works only if mail is set up. The answer does not reveal whether the address is known."""

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
