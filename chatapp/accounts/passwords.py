"""Refuse passwords that anybody would try first, in addition to those that Django refuses."""

import unicodedata
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

NAMES = ("username", "first_name", "last_name", "email")


class RepeatedNameValidator:
    """Refuses a password that is the user's name, once or repeated, such as bobbobbob."""

    def validate(self, password: str, user: Any = None) -> None:
        bare = _bare(password)
        if any(bare == name * (len(bare) // len(name)) for name in _names(user)):
            raise ValidationError(
                _("The password only repeats your name."), "password_repeats_name"
            )

    def get_help_text(self) -> str:
        return _("Your password can't be your name, repeated.")


def _names(user: Any) -> Iterator[str]:
    for field in NAMES:
        name = str(getattr(user, field, "") or "")
        yield from filter(None, {_bare(name), _bare(name.partition("@")[0])})


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text))).casefold()
