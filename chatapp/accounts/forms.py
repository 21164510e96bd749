"""Django's own forms, with a mail server that nobody waits for."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm
from django.core.exceptions import ValidationError

from chatapp.accounts.links import link_for

NO_MATCH = "That name and password don't match an account. Check both and try again."
letters = ThreadPoolExecutor(1, thread_name_prefix="letters")


class SignInForm(AuthenticationForm):
    """An account that is switched off is told nothing else: nobody learns that it exists."""

    def get_invalid_login_error(self) -> ValidationError:
        return ValidationError(NO_MATCH, "invalid_login")


class ResetByMailForm(PasswordResetForm):
    """Answered at once: how long the mail takes would tell that there is such an address."""

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        """A failure is logged by Django, in the thread that sends."""
        context = args[2]
        context["link"] = link_for(context["user"], context["token"])
        context["hours"] = settings.PASSWORD_RESET_TIMEOUT // 3600
        letters.submit(super().send_mail, *args, **kwargs)
