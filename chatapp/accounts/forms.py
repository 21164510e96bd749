"""Django's own forms, with a mail server that nobody waits for."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm

from chatapp.accounts.links import link_for

letters = ThreadPoolExecutor(1, thread_name_prefix="letters")


class SignInForm(AuthenticationForm):
    """An account that is switched off is told nothing else: nobody learns that it exists."""

    error_messages: ClassVar = {
        **AuthenticationForm.error_messages,
        "invalid_login": "That name and password don't match an account. Check both and try again.",
    }


class ResetByMailForm(PasswordResetForm):
    """Answered at once: how long the mail takes would tell that there is such an address."""

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        """A failure is logged by Django, in the thread that sends."""
        context = args[2]
        context["link"] = link_for(context["user"], context["token"])
        context["hours"] = settings.PASSWORD_RESET_TIMEOUT // 3600
        letters.submit(super().send_mail, *args, **kwargs)
