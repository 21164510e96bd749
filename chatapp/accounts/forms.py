"""Django's own forms, without waiting for the mail server."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from chatapp.accounts.links import link_for

NO_MATCH = _("That name and password don't match an account. Check both and try again.")
letters = ThreadPoolExecutor(1, thread_name_prefix="letters")


class SignInForm(AuthenticationForm):
    """A disabled account gets the same answer as a missing one, so that nobody learns it exists."""

    def get_invalid_login_error(self) -> ValidationError:
        return ValidationError(NO_MATCH, "invalid_login")


class ResetByMailForm(PasswordResetForm):
    """Answers at once: the time that mail takes would reveal whether the address is known."""

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        """Send in a thread, in which Django logs failures."""
        context = args[2]
        context["link"] = link_for(context["user"], context["token"])
        context["hours"] = settings.PASSWORD_RESET_TIMEOUT // 3600
        letters.submit(super().send_mail, *args, **kwargs)
