"""Sign in to Django's own accounts, with a pause that grows with each wrong password.

Tries count by name and address together, so that nobody can lock out somebody else, and by address
alone. A name that does not exist is treated the same.
"""

import logging
import unicodedata
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from chatapp.accounts.shared_tries import SharedTries
from chatapp.accounts.tries import Allowance, Key, Tries
from chatapp.limits.sharing import working_for
from chatapp.limits.spending import TooMany
from chatapp.server.client_address import address_of_request
from chatapp.telemetry.metrics import REFUSALS

logger = logging.getLogger(__name__)
tries = SharedTries() if settings.REDIS_URL else Tries()


class SlowedBackend(ModelBackend):
    """The only authentication backend: the sign-in page and the administration both use it."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> User | None:
        """Check a password. Raise TooMany if a pause is due; a caller without a request, such as a
        command, never waits.
        """
        if request is None or username is None:
            return super().authenticate(request, username, password, **kwargs)
        begin_try(request, username)
        user = super().authenticate(request, username, password, **kwargs)
        if user is None:
            _log_failure(request, username)
        else:
            end_try(request, username)
        return user


def _log_failure(request: HttpRequest, name: str) -> None:
    """Log a failed sign-in, without an unknown name: it may be a password typed there."""
    person = name if User.objects.filter(username=name).exists() else "nobody we know"
    logger.warning("A sign-in as %s from %s failed", person, address_of_request(request))


def begin_try(request: HttpRequest, name: str) -> None:
    """Count a try before its password is checked. Raise TooMany if a pause is due."""
    working_for.set(address_of_request(request))
    if wait := tries.begin(*_keys(request, name)):
        REFUSALS.count("sign-ins")
        raise TooMany(_("Too many wrong passwords."), wait)


def end_try(request: HttpRequest, name: str) -> None:
    """Take a successful try out of the counts: reset the name's count, lower the address's."""
    (own, whose), (by_address, address) = _keys(request, name)
    tries.forget(own, whose)
    tries.take_back(by_address, address)


def nobody_has_signed_in() -> bool:
    """Whether the printed password of the first administrator is still to be used."""
    return not User.objects.filter(last_login__isnull=False).exists()


def begin_asking(request: HttpRequest, address: str) -> None:
    """Count a request for a reset link before it is mailed. Raise TooMany if a pause is due."""
    working_for.set(address_of_request(request))
    (own, whose), by_address = _keys(request, address)
    if wait := tries.begin((own, f"mail {whose}"), by_address):
        raise TooMany(_("Too many reset links have been requested."), wait)


def _keys(request: HttpRequest, name: str) -> tuple[Key, Key]:
    address = address_of_request(request)
    folded = unicodedata.normalize("NFKC", name).strip().casefold()[:150]
    longest = settings.LOGIN_PAUSE_SECONDS
    own = Allowance("name", settings.LOGIN_TRIES, longest)
    by_address = Allowance("address", settings.LOGIN_TRIES_PER_ADDRESS, longest)
    return (own, f"{address} {folded}"), (by_address, address)
