"""Spend what limits allow: from buckets in this process's memory, or in Redis if it is used."""

from math import ceil
from typing import ClassVar

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chatapp.limits.buckets import Buckets, MemoryBuckets, Take
from chatapp.limits.shared import SharedBuckets
from chatapp.telemetry.metrics import REFUSALS
from history.services.errors import Refused


class TooMany(Refused):
    """A limit is reached. `seconds` is how long to wait before trying again."""

    status: ClassVar[int] = 429

    def __init__(self, sentence: str, seconds: float) -> None:
        self.seconds = max(1, ceil(seconds))
        again = _("Try again in {time}.").format(time=spoken(self.seconds))
        super().__init__("too_many", f"{sentence} {again}")


buckets: Buckets = SharedBuckets() if settings.REDIS_URL else MemoryBuckets()


def spend(*takes: Take, buckets: Buckets = buckets) -> None:
    """Take from all of these limits, or from none. Raise TooMany."""
    charges: list[Take] = []
    for limit, who, amount in takes:
        if wait := buckets.take(limit, who, amount):
            for earlier, whose, much in charges:
                buckets.charge(earlier, whose, -much)
            REFUSALS.count(limit.name)
            raise TooMany(limit.sentence.format(most=f"{limit.most:,}"), wait)
        charges.append((limit, who, amount))


def spoken(seconds: int) -> str:
    """Write a number of seconds in words, rounded up."""
    if seconds < 120:
        return ngettext("{n} second", "{n} seconds", seconds).format(n=seconds)
    if seconds < 7_200:
        minutes = ceil(seconds / 60)
        return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
    hours = ceil(seconds / 3_600)
    return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
