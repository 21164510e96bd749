"""`manage.py export_chats`: write a chat, or all chats of a person, as files."""

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chatapp.exports.asking import ExportChoice, FormName, owner_of
from history.models import Conversation
from history.services.answers.delegating import delegated_within
from history.services.exports.exporting import Download, all_exported, exported, in_order
from history.services.exports.schema import json_schema

TERMINAL = "-"


class Command(BaseCommand):
    help = "Export a chat, or all chats of a user, as Markdown or as JSON with everything."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("chat", nargs="?", help="its id, as in /chat/<id>")
        what.add_argument("--user", metavar="NAME", help="everything of this user")
        what.add_argument(
            "--schema", action="store_true", help="print the JSON Schema of an exported chat"
        )
        parser.add_argument(
            "--format", choices=list(FormName), default=FormName.JSON, help="default: json"
        )
        parser.add_argument(
            "--no-thoughts", action="store_true", help="Markdown without what the model thought"
        )
        parser.add_argument(
            "--output",
            metavar="FILE",
            default="",
            help="where to write; - for standard output; default: a name made of the chat's",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["schema"]:
            self.stdout.write(schema_text(), ending="")
            return
        download = _download(options)
        target = options["output"] or download.name
        with nullcontext(sys.stdout.buffer) if target == TERMINAL else _new(target) as file:
            for piece in download.pieces:
                file.write(piece)
        if target != TERMINAL:
            self.stdout.write(f"Exported to {target}.")


def schema_text() -> str:
    """Return the contents of docs/export.schema.json."""
    return json.dumps(json_schema(), indent=1, sort_keys=True) + "\n"


def _download(options: dict[str, Any]) -> Download:
    choice = ExportChoice(FormName(options["format"]), thoughts=not options["no_thoughts"])
    if options["user"] is not None:
        user = _user(options["user"])
        chats = in_order(Conversation.objects.filter(owner=user))
        return all_exported(chats, choice.form_for(None, user.get_username()))
    chat = _chat(options["chat"])
    return exported([chat, *delegated_within(chat)], choice.form_for(None, owner_of(chat)))


def _user(name: str) -> User:
    try:
        return User.objects.get(username=name)
    except User.DoesNotExist as error:
        raise CommandError(f"There is no user {name}.") from error


def _chat(name: str) -> Conversation:
    try:
        return Conversation.objects.select_related("agent", "network", "branch", "owner").get(
            pk=name
        )
    except (Conversation.DoesNotExist, ValueError, ValidationError) as error:
        raise CommandError(f"No conversation has the id {name}.") from error


def _new(target: str) -> BinaryIO:
    """Create a file. Raise CommandError if it exists, so that nothing is overwritten."""
    try:
        return Path(target).open("xb")
    except OSError as error:
        raise CommandError(f"--output {target}: {error.strerror}.") from error
