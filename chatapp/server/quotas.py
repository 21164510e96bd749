"""Each limit of the environment, with the sentence for whoever used it up."""

from django.conf import settings

from chatapp.server.limits import Limit

MINUTE, HOUR, DAY = 60, 3_600, 86_400


def sends() -> Limit:
    sentence = "You've sent {most} messages in a minute."
    return Limit("sends", settings.SENDS_PER_MINUTE, MINUTE, sentence)


def sends_by_address() -> Limit:
    sentence = "{most} messages came from your network address in a minute."
    return Limit("sends by address", settings.SENDS_PER_MINUTE_PER_ADDRESS, MINUTE, sentence)


def bytes_stored() -> Limit:
    sentence = "You've stored {most} bytes of text, the most for one day."
    return Limit("bytes", settings.BYTES_PER_DAY, DAY, sentence)


def tokens() -> Limit:
    sentence = "You've used {most} tokens, the most for one day."
    return Limit("tokens", settings.TOKENS_PER_DAY, DAY, sentence)


def frames() -> Limit:
    sentence = "This tab has sent {most} commands in a second."
    return Limit("frames", settings.FRAMES_PER_SECOND, 1, sentence)


def visitors() -> Limit:
    sentence = "{most} new visitors came from your network address in an hour."
    return Limit("visitors", settings.VISITORS_PER_HOUR, HOUR, sentence)
