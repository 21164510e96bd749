"""Vitrine's own exports (docs/export.md). A document is one chat, with lists in a fixed order."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ValidationError

from history.core.words.json_text import DEEPEST, is_too_deep
from history.models import FileRecord
from history.models.file_record import packed_record
from history.services.exports.message_schema import ExportedMessage
from history.services.exports.records_schema import (
    ExportedFileRecord,
    ExportedPlan,
    ExportedSummary,
)
from history.services.exports.schema import (
    VERSION,
    ExportedBranch,
    ExportedChat,
    ExportedGeneration,
    ExportedMark,
)
from history.services.imports.chats import (
    ImportedChat,
    ImportedRecord,
    Read,
    Skipped,
    Unreadable,
    Why,
)
from history.services.imports.formats import Head, Source
from history.services.imports.readers.values import possible
from history.services.imports.readers.vitrine_messages import MessagesOfFile

M = TypeVar("M", bound=BaseModel)
# Lists that are stored without a check of their rows.
RECORDS = ("summaries", "plans", "file_records")
MAJOR = int(VERSION.partition(".")[0])


class VitrineReader:
    format: ClassVar[str] = "vitrine"

    def takes(self, head: Head) -> bool:
        return head.values.get("format") == "vitrine-chat" and not head.is_list

    def read(self, source: Source) -> Iterator[Read]:
        for document in source.documents:
            version = str(source.head(document).values.get("version", ""))
            if _major(version) != MAJOR:
                figures = {"version": version[:20], "known": VERSION}
                yield Skipped(Why.OTHER_VERSION, document, figures)
                continue
            work = _ChatOfFile(document, MessagesOfFile(source.members))
            try:
                for name, value in source.sections(document):
                    work.take(name, value)
                yield work.chat()
            except Unreadable as error:
                yield replace(error.skipped, where=error.skipped.where or document)


class _ChatOfFile:
    def __init__(self, document: str, messages: MessagesOfFile) -> None:
        self._document = document
        self._messages = messages
        self._chat: ExportedChat | None = None
        self._marks: dict[str, str] = {}
        self._records: list[ImportedRecord] = []
        self._counts: Counter[str] = Counter()

    def take(self, name: str, value: Any) -> None:
        """Read a row. Raise `Unreadable` if it breaks the schema; unknown lists are left out."""
        number = self._counts[name]
        self._counts[name] += 1
        at = f"{self._document}: {name if name == 'chat' else f'{name}[{number}]'}"
        match name:
            case "chat":
                self._chat = _read(ExportedChat, value, at)
            case "branches":
                self._messages.branch(_read(ExportedBranch, value, at))
            case "generations":
                self._messages.generation(_read(ExportedGeneration, value, at))
            case "messages":
                self._messages.take(_read(ExportedMessage, value, at))
            case "marks":
                mark = _read(ExportedMark, value, at)
                self._marks[str(mark.message)] = mark.kind
            case _:
                self._claim(name, value, at)

    def _claim(self, name: str, value: Any, at: str) -> None:
        """Keep what the file says about requests and summaries."""
        match name:
            case "summaries":
                summary = _read(ExportedSummary, value, at)
                last = self._messages.at(summary.branch, summary.last)
                self._record(last, value, FileRecord.Kind.SUMMARY)
            case "plans":
                plan = _read(ExportedPlan, value, at)
                self._record(self._messages.at(plan.branch, plan.head), value)
            case "file_records":
                record = _read(ExportedFileRecord, value, at)
                self._record(str(record.message), record.record, record.kind)

    def chat(self) -> ImportedChat:
        chat = self._chat
        if chat is None:
            raise Unreadable(Why.NO_CHAT, self._document)
        return ImportedChat(
            source=str(chat.id),
            title=chat.title,
            created=possible(chat.created),
            messages=self._messages.read,
            current=self._messages.last_of(chat.branch),
            agent=chat.agent.slug,
            marks=self._marks,
            settings=chat.settings,
            records=tuple(self._records),
            skipped=tuple(self._left_out()),
            is_pinned=chat.pinned is not None,
            is_archived=chat.archived is not None or chat.asked_by is not None,
        )

    def _left_out(self) -> Iterator[Skipped]:
        if count := sum(self._counts[name] for name in RECORDS) - len(self._records):
            yield Skipped(Why.RECORDS, self._document, {"count": count})

    def _record(
        self, message: str | None, record: dict[str, Any], kind: str = FileRecord.Kind.REQUEST
    ) -> None:
        data = packed_record(record)
        if message is not None and data is not None:
            self._records.append(ImportedRecord(message, data, kind))


def _read(kind: type[M], value: Any, at: str) -> M:
    """Read a row of the file. Raise `Unreadable`, which names the place."""
    if isinstance(value, Skipped):
        raise Unreadable(value.why, at, **value.figures)
    if is_too_deep(value):
        raise Unreadable(Why.TOO_DEEP, at, most=DEEPEST)
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join((at, *map(str, first["loc"])))
        raise Unreadable(Why.UNFIT, where) from error


def _major(version: str) -> int | None:
    number, _, minor = version.partition(".")
    return int(number) if number.isdecimal() and minor.isdecimal() and len(number) < 5 else None
