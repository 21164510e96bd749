"""The environment's limits, each with the sentence for people who used it up."""

from django.conf import settings

from chatapp.limits.buckets import Limit

MINUTE, HOUR, DAY = 60, 3_600, 86_400


def spoken_size(size: int) -> str:
    """Write a size in decimal units, rounded to one place at most: 50 MB, 1.5 kB."""
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:,.1f}".removesuffix(".0") + f" {name}"
    return f"{size} bytes"


def sends() -> Limit:
    sentence = "You've sent {most} messages in a minute."
    return Limit("sends", settings.SENDS_PER_MINUTE, MINUTE, sentence)


def sends_by_address() -> Limit:
    sentence = "{most} messages came from your network address in a minute."
    return Limit("sends by address", settings.SENDS_PER_MINUTE_PER_ADDRESS, MINUTE, sentence)


def bytes_stored() -> Limit:
    most = spoken_size(settings.BYTES_PER_DAY)
    sentence = f"You've stored {most} of text, the limit for one day."
    return Limit("bytes", settings.BYTES_PER_DAY, DAY, sentence)


def tokens() -> Limit:
    sentence = "You've used {most} tokens, the limit for one day."
    return Limit("tokens", settings.TOKENS_PER_DAY, DAY, sentence)


def handshakes() -> Limit:
    sentence = "{most} tabs were opened from your network address in a minute."
    return Limit("handshakes", settings.SOCKETS_PER_MINUTE, MINUTE, sentence)


def frames() -> Limit:
    sentence = "This tab has sent {most} commands in a second."
    return Limit("frames", settings.FRAMES_PER_SECOND, 1, sentence)


def visitors() -> Limit:
    sentence = "{most} new visitors came from your network address in an hour."
    return Limit("visitors", settings.VISITORS_PER_HOUR, HOUR, sentence)
