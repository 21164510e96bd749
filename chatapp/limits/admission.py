"""Decide whether a person may begin one more answer; asked once, just before it begins."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from chatapp.limits import limits
from chatapp.limits.buckets import TooMany, spend

SOON = 5  # Seconds: an answer may end at any moment.


@dataclass(frozen=True, slots=True)
class Admission:
    """One person at one address, and the number of their other open answers."""

    person: str
    address: str
    opened: int

    def __call__(self, size: int) -> None:
        """Admit an answer to a text of this many bytes. Raise TooMany."""
        most = settings.OPEN_ANSWERS_PER_PERSON
        if most and self.opened >= most:
            sentence = _("You can have at most {most} answers in progress. Stop one or wait.")
            raise TooMany(sentence.format(most=most), SOON)
        spend(
            (limits.sends(), self.person, 1),
            (limits.sends_by_address(), self.address, 1),
            (limits.bytes_stored(), self.person, size),
            (limits.tokens(), self.person, 1),
        )
