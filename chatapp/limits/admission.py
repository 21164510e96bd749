"""Whether one more answer may be begun for a person: asked once, where it would really be."""

from dataclasses import dataclass

from django.conf import settings

from chatapp.limits import quotas
from chatapp.limits.buckets import TooMany, spend

SOON = 5  # Seconds: an answer may end at any moment.


@dataclass(frozen=True, slots=True)
class Admission:
    """One person at one address, who has so many other answers open."""

    person: str
    address: str
    opened: int

    def __call__(self, size: int) -> None:
        """Admit an answer to a text of so many bytes. Raises TooMany."""
        most = settings.OPEN_ANSWERS_PER_PERSON
        if most and self.opened >= most:
            raise TooMany(f"{most} of your answers are being written. Stop one, or wait.", SOON)
        spend(
            (quotas.sends(), self.person, 1),
            (quotas.sends_by_address(), self.address, 1),
            (quotas.bytes_stored(), self.person, size),
            (quotas.tokens(), self.person, 1),
        )
