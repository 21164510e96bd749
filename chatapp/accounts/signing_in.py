"""Who signs in: Django's own accounts, behind a pause that grows with each wrong password.

By name and address together, so that nobody can lock out another, and by address alone. A name
that does not exist is treated in no other way.
"""

import logging
import unicodedata
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest

from chatapp.accounts.tries import Allowance, Key, Tries
from chatapp.limits.buckets import TooMany
from chatapp.server.client_address import address_of_request

logger = logging.getLogger(__name__)
tries = Tries()


class SlowedBackend(ModelBackend):
    """Every door leads here: the sign-in page and the administration's."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> User | None:
        """Raises TooMany. A program without a request, such as a command, never waits."""
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
    """A name that is none may be a password in the wrong field."""
    known = name if User.objects.filter(username=name).exists() else "nobody we know"
    logger.warning("A sign-in as %s from %s failed", known, address_of_request(request))


def begin_try(request: HttpRequest, name: str) -> None:
    """Before a password is looked at. Raises TooMany."""
    if wait := tries.begin(*_keys(request, name)):
        raise TooMany("Too many wrong passwords.", wait)


def end_try(request: HttpRequest, name: str) -> None:
    """It was the right one."""
    (own, whose), (by_address, address) = _keys(request, name)
    tries.forget(own, whose)
    tries.take_back(by_address, address)


def begin_asking(request: HttpRequest, address: str) -> None:
    """Before a reset link is mailed, whoever asks for it. Raises TooMany."""
    (own, whose), by_address = _keys(request, address)
    if wait := tries.begin((own, f"mail {whose}"), by_address):
        raise TooMany("Too many reset links were asked for.", wait)


def _keys(request: HttpRequest, name: str) -> tuple[Key, Key]:
    address = address_of_request(request)
    folded = unicodedata.normalize("NFKC", name).strip().casefold()[:150]
    longest = settings.LOGIN_PAUSE_SECONDS
    own = Allowance("name", settings.LOGIN_TRIES, longest)
    by_address = Allowance("address", settings.LOGIN_TRIES_PER_ADDRESS, longest)
    return (own, f"{address} {folded}"), (by_address, address)
