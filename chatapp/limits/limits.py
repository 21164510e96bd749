"""The environment's limits, each with the sentence for people who used it up."""

from django.conf import settings
from django.utils.translation import gettext as _

from chatapp.limits.buckets import Limit

MINUTE, HOUR, DAY = 60, 3_600, 86_400


def spoken_size(size: int) -> str:
    """Write a size in decimal units, rounded to one place at most: 50 MB, 1.5 kB."""
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:,.1f}".removesuffix(".0") + f" {name}"
    return f"{size} bytes"


def sends() -> Limit:
    sentence = _("You've reached the limit of {most} messages per minute.")
    return Limit("sends", settings.SENDS_PER_MINUTE, MINUTE, sentence)


def sends_by_address() -> Limit:
    sentence = _("Your network address has reached the limit of {most} messages per minute.")
    return Limit("sends by address", settings.SENDS_PER_MINUTE_PER_ADDRESS, MINUTE, sentence)


def bytes_stored() -> Limit:
    most = spoken_size(settings.BYTES_PER_DAY)
    sentence = _("You've reached the limit of {size} of text per day.").format(size=most)
    return Limit("bytes", settings.BYTES_PER_DAY, DAY, sentence)


def tokens() -> Limit:
    sentence = _("You've reached the limit of {most} tokens per day.")
    return Limit("tokens", settings.TOKENS_PER_DAY, DAY, sentence)


def handshakes() -> Limit:
    sentence = _("Your network address has reached the limit of {most} new tabs per minute.")
    return Limit("handshakes", settings.SOCKETS_PER_MINUTE, MINUTE, sentence)


def frames() -> Limit:
    sentence = _("This tab has reached the limit of {most} commands per second.")
    return Limit("frames", settings.FRAMES_PER_SECOND, 1, sentence)


def visitors() -> Limit:
    sentence = _("Your network address has reached the limit of {most} new visitors per hour.")
    return Limit("visitors", settings.VISITORS_PER_HOUR, HOUR, sentence)
