"""`manage.py reset_link NAME`: make a link with which a person sets a new password."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chatapp.accounts.links import reset_link
from chatapp.accounts.record import record


class Command(BaseCommand):
    help = "Print a one-time link that sets a new password for an account."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"No account is called {name}.")
        if not user.is_active:
            raise CommandError(f"The account {name} is disabled. Enable it first.")
        record(user, "Created a reset link on the command line.")
        hours = settings.PASSWORD_RESET_TIMEOUT // 3600
        self.stdout.write(
            f"{reset_link(user)}\nIt works once, for {hours} hours, or until {name} signs in."
        )
        if not settings.PUBLIC_URL:
            self.stdout.write("If Vitrine runs at another address, replace the start of the link.")
