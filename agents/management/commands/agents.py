"""`manage.py agents`: export templates and networks to a file, and import them."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agents.files.fields import document, rows_of
from agents.files.formats import format_of, written
from agents.files.importing import LONGEST, ImportedRow, import_agents
from agents.files.reading import FilesRefused, read
from history.core.words.wording import printable

WAY_OUT = "Nothing was imported. Fix this and import again; --dry-run saves nothing."


class Command(BaseCommand):
    help = "Export agent templates and networks to a file, or import them from files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        export = actions.add_parser("export", help="export templates and networks")
        export.add_argument("slugs", nargs="*", metavar="SLUG", help="which ones; default: all")
        export.add_argument(
            "--format", choices=["yaml", "json"], help="default: by the file's name"
        )
        export.add_argument("--output", type=Path, metavar="FILE", help="default: the terminal")
        importing = actions.add_parser(
            "import", help="import templates and networks, AgentDock's included"
        )
        importing.add_argument("files", nargs="+", type=Path, metavar="FILE")
        importing.add_argument(
            "--dry-run", action="store_true", help="show what would change without saving"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "export":
            self._export(options["slugs"], options["format"], options["output"])
        else:
            self._import(options["files"], dry_run=options["dry_run"])

    def _export(self, slugs: Sequence[str], format_name: str | None, output: Path | None) -> None:
        try:
            text = written(document(rows_of(slugs)), format_name or _format_for(output))
        except LookupError as error:
            raise CommandError(str(error)) from error
        if output is None:
            self.stdout.write(text, ending="")
            return
        try:
            output.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise CommandError(f"{output}: cannot be written: {error.strerror}") from error

    def _import(self, files: Sequence[Path], *, dry_run: bool) -> None:
        try:
            rows = import_agents(read(files), dry_run=dry_run)
        except FilesRefused as error:
            raise CommandError("\n".join([*error.messages, WAY_OUT])) from error
        for imported in rows:
            for line in _lines(imported):
                self.stdout.write(line)
        if dry_run:
            self.stdout.write("Dry run: nothing was saved.")


def _format_for(output: Path | None) -> str:
    try:
        return format_of(output) if output else "yaml"
    except ValueError as error:
        raise CommandError(f"--output {output}: {error}, or give --format") from error


def _lines(imported: ImportedRow) -> Iterator[str]:
    filed = imported.filed
    yield f"{printable(filed.slug)}: {imported.outcome}"
    for change in imported.changes:
        yield from (f"  {line}" for line in change.lines())
    for part in filed.unused:
        yield f"  no counterpart: {printable(part, LONGEST)}"
