"""`manage.py delete_inactive`: count chats that nobody continues, or delete them."""

from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.formats import date_format

from history.core.words.wording import number
from history.models import Message
from history.services.answers.deleting import hide_inactive, inactive

LONGEST = 36_500  # In days: all calendars have dates a hundred years ago.


class Command(BaseCommand):
    help = "Count chats without a message for so many days, or delete them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("days", type=int, help="how long nobody has written in them")
        parser.add_argument("--pinned", action="store_true", help="pinned chats, too")
        parser.add_argument(
            "--delete", action="store_true", help="delete them; otherwise they are only counted"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        since, pinned = _since(options["days"]), options["pinned"]
        day = date_format(since)
        if options["delete"]:
            count = hide_inactive(since, with_pinned=pinned)
            self.stdout.write(f"Deleted chats without a message since {day}: {number(count)}.")
            self.stdout.write("A running Vitrine removes them for good within a minute.")
            return
        chats = inactive(since, with_pinned=pinned)
        messages = Message.objects.filter(branch__conversation__in=chats).count()
        self.stdout.write(f"Chats without a message since {day}: {number(chats.count())}.")
        self.stdout.write(f"Messages in them: {number(messages)}.")
        if not pinned:
            pinned_count = inactive(since, with_pinned=True).count() - chats.count()
            self.stdout.write(f"Pinned ones, which stay without --pinned: {number(pinned_count)}.")
        self.stdout.write("Nothing was deleted. To delete them, add --delete.")


def _since(days: int) -> datetime:
    if not 1 <= days <= LONGEST:
        raise CommandError(f"The days must be from 1 to {LONGEST}; {days} is not.")
    return timezone.now() - timedelta(days=days)
