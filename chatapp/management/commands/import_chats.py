"""`manage.py import_chats FILE --user NAME`: import chats from another program's file."""

from hashlib import file_digest
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chatapp.imports import background
from chatapp.imports.report import lines, report_of
from chatapp.uploads.names import clean_name
from history.models import Import, ImportState
from history.services.access import Actor
from history.services.errors import Refused
from history.services.imports.lifecycle import ImportRequest, access_import, begin


class Command(BaseCommand):
    help = "Import chats from a file of Vitrine, ChatGPT, Claude, Open WebUI, LibreChat or OpenAI."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", required=True, help="whose chats they become")
        parser.add_argument("--agent", default="demo", help="who answers in them; default: demo")
        parser.add_argument(
            "--instructions", action="store_true", help="send the file's system messages, too"
        )
        parser.add_argument(
            "--copies", action="store_true", help="import chats that are here already once more"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"No account is called {options['user']}.")
        actor = Actor(user)
        job = self._begun(actor, options)
        background.work_now(job.pk)
        report = report_of(access_import(actor, job.pk), noteworthy=True)
        for line in lines(report):
            self.stdout.write(line)
        if report.job.state != ImportState.DONE:
            raise CommandError(f"It is {report.job.state}. Run the command again to go on.")

    def _begun(self, actor: Actor, options: dict[str, Any]) -> Import:
        path: Path = options["file"]
        try:
            with path.open("rb") as file:
                size = path.stat().st_size
                if size > settings.MAX_IMPORT_BYTES:
                    raise CommandError(f"{path} is larger than MAX_IMPORT_BYTES.")
                supply = ImportRequest(
                    file=file,
                    name=clean_name(path.name),
                    size=size,
                    digest=file_digest(file, "sha256").hexdigest(),
                    agent=options["agent"],
                    instructs=options["instructions"],
                    copies=options["copies"],
                )
                return begin(actor, supply)[0]
        except OSError as error:
            raise CommandError(f"{path}: cannot be read: {error.strerror}") from error
        except Refused as refusal:
            raise CommandError(refusal.message) from refusal
