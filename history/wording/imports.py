"""Sentences on what an import left out, and why."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

SKIPPED: Mapping[str, Any] = {
    "unknown_format": _(
        "This isn't a file that can be imported. Choose a chat export of Vitrine, ChatGPT, Claude,"
        " Open WebUI or LibreChat, or a transcript in OpenAI's format: JSON, JSONL or a ZIP."
    ),
    "markdown": _(
        "This is an export as Markdown, which is for reading. Export the chats as JSON, and import"
        " that."
    ),
    "damaged": _("The archive is damaged or cut off. Download it again."),
    "cut": _(
        "The archive is damaged or cut off, and nothing of it was imported. Download it again."
    ),
    "not_json": _(
        "From about byte {byte}, the file is no longer valid JSON. It may be cut off; download it "
        "again."
    ),
    "line": _(
        "Line {line} isn't JSON from its character {character} on. If it is the last one, the file"
        " may be cut off; download it again."
    ),
    "not_utf8": _("The file's text isn't UTF-8. Save it as UTF-8 and import it again."),
    "too_large": _("Larger than {most} bytes, more than can be read here."),
    "too_complex": _("Made of more than {most} values, more than can be read here."),
    "too_deep": _("Nested in more than {most} levels, more than can be read here."),
    "no_chat": _("Not a chat: it doesn't have the fields of one."),
    "no_messages": _("The chat contains no messages."),
    "no_message": _("A message can't be read: it doesn't have the form of one."),
    "duplicate_id": _("Two messages have the same id; the first one was taken."),
    "no_parent": _("The message that came before isn't in the file; this one begins a branch."),
    "cycle": _("These messages follow each other in a circle: {count}."),
    "unknown_role": _("A message was left out: it is by {role}, who can't speak here."),
    "unknown_part": _("A part of a message was left out: {kind} is an unknown kind."),
    "hidden": _("Messages that were hidden in the original app were left out: {count}."),
    "other_bytes": _("A file in the archive isn't what was exported; the archive is damaged."),
    "no_file": _("A file isn't in what was uploaded."),
    "file_refused": "{sentence}",
    "too_long": _("The text is too long ({size} bytes; the limit is {most})."),
    "too_many": _("There are {count}; the limit is {most}."),
    "setting": _("The setting {name} has a value that can't be used here."),
    "other_version": _(
        "The file is of version {version} of Vitrine's export. This Vitrine reads {known}; a newer"
        " one may read it."
    ),
    "unfit": _("This doesn't match the schema of Vitrine's export."),
    "records": _(
        "Records of requests or summaries that are too large, or of no message here: {count}."
    ),
    "fetched": _("Only an address is given, and nothing is fetched from other servers."),
    "fault": _("Something went wrong on the server. It was logged."),
}


def skipped(fact: Mapping[str, Any]) -> str:
    """Make a sentence from what `Skipped.as_dict` returned."""
    figures = {name: _shown(value) for name, value in fact.get("figures", {}).items()}
    return str(SKIPPED[fact["rule"]]).format(**figures)


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
