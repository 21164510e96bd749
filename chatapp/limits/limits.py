"""The limits of the environment, each with a sentence for people who have reached it.

Several of them decide whether a person may begin one more answer.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from chatapp.limits.buckets import Limit
from chatapp.limits.spending import TooMany, spend
from chatapp.telemetry.metrics import REFUSALS

MINUTE, HOUR, DAY = 60, 3_600, 86_400
PROVIDER_TRIES = 10  # How many tries of a provider are allowed per minute; each has to be paid for.
SOON = 5  # Seconds to wait before a retry: another answer may end at any moment.


def spoken_size(size: int) -> str:
    """Write a size in decimal units, rounded to at most one decimal: 50 MB, 1.5 kB."""
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:,.1f}".removesuffix(".0") + f" {name}"
    return f"{size} bytes"


def sends() -> Limit:
    sentence = _("You've reached the limit of {most} messages per minute.")
    return Limit("sends", settings.SENDS_PER_MINUTE, MINUTE, sentence)


def sends_by_address() -> Limit:
    sentence = _("Your IP address has reached the limit of {most} messages per minute.")
    return Limit("sends by address", settings.SENDS_PER_MINUTE_PER_ADDRESS, MINUTE, sentence)


def bytes_stored() -> Limit:
    most = spoken_size(settings.BYTES_PER_DAY)
    sentence = _("You've reached the limit of {size} of text per day.").format(size=most)
    return Limit("bytes", settings.BYTES_PER_DAY, DAY, sentence)


def files() -> Limit:
    sentence = _("You've reached the limit of {most} files per minute.")
    return Limit("files", settings.FILES_PER_MINUTE, MINUTE, sentence)


def file_bytes() -> Limit:
    most = spoken_size(settings.FILE_BYTES_PER_DAY)
    sentence = _("You've reached the limit of {size} of files per day.").format(size=most)
    return Limit("file bytes", settings.FILE_BYTES_PER_DAY, DAY, sentence)


def file_seconds() -> Limit:
    """Limit processor time, charged after use: over the limit, no more files are read."""
    sentence = _("You've reached the limit of {most} seconds per hour for reading files.")
    return Limit("file seconds", settings.FILE_SECONDS_PER_HOUR, HOUR, sentence)


def tokens() -> Limit:
    sentence = _("You've reached the limit of {most} tokens per day.")
    return Limit("tokens", settings.TOKENS_PER_DAY, DAY, sentence)


def handshakes() -> Limit:
    sentence = _("Your IP address has reached the limit of {most} new tabs per minute.")
    return Limit("handshakes", settings.SOCKETS_PER_MINUTE, MINUTE, sentence)


def frames() -> Limit:
    sentence = _("This tab has reached the limit of {most} commands per second.")
    return Limit("frames", settings.FRAMES_PER_SECOND, 1, sentence)


def visitors() -> Limit:
    sentence = _("Your IP address has reached the limit of {most} new visitors per hour.")
    return Limit("visitors", settings.VISITORS_PER_HOUR, HOUR, sentence)


def provider_tries() -> Limit:
    sentence = _("You can test models and connections {most} times per minute.")
    return Limit("provider tries", PROVIDER_TRIES, MINUTE, sentence)


@dataclass(frozen=True, slots=True)
class Admission:
    """The check whether one person at one address may begin another answer, and how to count their
    other open answers. The address is empty if the server itself sends a follow-up that waited.
    """

    person: str
    address: str
    opened: Callable[[], int]

    def __call__(self, size: int) -> None:
        """Admit an answer to a text of this many bytes, just before it begins, or raise TooMany."""
        most = settings.OPEN_ANSWERS_PER_PERSON
        if most and self.opened() >= most:
            sentence = _("You can have at most {most} answers in progress. Stop one or wait.")
            REFUSALS.count("open answers")
            raise TooMany(sentence.format(most=most), SOON)
        by_address = [(sends_by_address(), self.address, 1)] if self.address else []
        spend(
            (sends(), self.person, 1),
            *by_address,
            (bytes_stored(), self.person, size),
            (tokens(), self.person, 1),
        )
