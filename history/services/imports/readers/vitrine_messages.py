"""The messages of a Vitrine export: places on branches become parents, and parts become files."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import (
    File,
    Image,
    Part,
    Reasoning,
    part_from_dict,
    supplied_files,
)
from history.core.words.storable import storable
from history.models.file_answer import FileAnswer
from history.services.exports.message_schema import ExportedMessage
from history.services.exports.schema import AnsweredBy, ExportedBranch, ExportedGeneration
from history.services.imports.chats import ImportedFile, ImportedMessage
from history.services.imports.readers.values import possible

LONGEST_ERROR = 2_000
ENDED = {"done", "stopped", "passed_over", "interrupted", "failed"}
MEMBER = re.compile(r"files/([0-9a-f]{64})\.\w+")


class MessagesOfFile:
    """Reads the rows of a file in its order: branches, generations, messages."""

    def __init__(self, members: Iterable[str]) -> None:
        self.read: list[ImportedMessage] = []
        matches = filter(None, map(MEMBER.fullmatch, members))
        self._members = {match[1]: match[0] for match in matches}
        self._lineages: dict[int, list[tuple[int, int]]] = {}
        self._works: dict[UUID, ExportedGeneration] = {}
        self._begun: set[UUID] = set()  # The answers of which the first message was read.
        self._ids: dict[tuple[int, int], str] = {}  # Ids of messages, by branch and position.
        self._ends: dict[int, int] = {}  # The last position on each branch that is not inherited.

    def branch(self, row: ExportedBranch) -> None:
        self._lineages[row.id] = row.lineage

    def generation(self, row: ExportedGeneration) -> None:
        self._works[row.id] = row

    def take(self, row: ExportedMessage) -> None:
        id_ = str(row.id)
        self._ids[row.branch, row.position] = id_
        self._ends[row.branch] = row.position
        parts = [part_from_dict(part.model_dump()) for part in row.parts]
        by = self._answered_by(row)
        self.read.append(
            ImportedMessage(
                id=id_,
                parent=self._before(row),
                role=row.role,
                text=row.text,
                created=possible(row.created),
                model=row.model or (by.model if by else ""),
                agent=by.agent.name if by else _named(row),
                calls=tuple(
                    ToolCall(call.id, call.name, call.arguments, call.tokens, call.fields)
                    for call in row.tool_calls
                ),
                call_id=row.tool_call_id,
                tool_name=row.tool_name,
                failed=row.failed,
                took_ms=row.took_ms,
                answer=self._answer(row),
                missing=tuple(row.missing or ()),
                parts=(*self._parts(parts),),
            )
        )

    def at(self, branch: int, position: int) -> str | None:
        """Return the id of the message at a position of a branch's path."""
        return self._ids.get((self._owner(branch, position), position))

    def last_of(self, branch: int | None) -> str | None:
        """Return the id of the last message on a branch's path."""
        if branch in self._ends:
            return self._ids[branch, self._ends[branch]]
        lineage = self._lineages.get(branch, []) if branch else []
        return self._ids.get(lineage[-1]) if lineage else None

    def _before(self, row: ExportedMessage) -> str | None:
        """Return the id of the message before this one; if that is missing, an unused id."""
        position = row.position - 1
        if position < 0:
            return None
        owner = self._owner(row.branch, position)
        return self._ids.get((owner, position), f"{owner}:{position}")

    def _owner(self, branch: int, position: int) -> int:
        """Return the branch to which the message at this position of a branch's path belongs."""
        lineage = self._lineages.get(branch, [])
        return next((owner for owner, last in lineage if position <= last), branch)

    def _answered_by(self, row: ExportedMessage) -> AnsweredBy | None:
        work = self._works.get(row.generation) if row.generation else None
        answered = work.answered_by if work else []
        own = [by for by in answered if by.agent.slug == row.agent]
        return next(iter(own or answered), None)

    def _answer(self, row: ExportedMessage) -> FileAnswer | None:
        """Return what the file says about the answer that begins with this message."""
        if answer := row.file_answer:
            return _told(answer.status, answer.error, continues=answer.continues)
        work = self._works.get(row.generation) if row.generation else None
        if work is None or work.id in self._begun:
            return None
        self._begun.add(work.id)
        ending = _told(work.status, work.error, continues=work.kind == "continue")
        return ending if ending != FileAnswer() else None

    def _parts(self, parts: list[Part]) -> Iterator[Reasoning | ImportedFile]:
        yield from (part for part in parts if isinstance(part, Reasoning))
        for group in supplied_files(parts):
            yield from self._files(group)

    def _files(self, group: Mapping[int, Image | File]) -> Iterator[ImportedFile]:
        """Yield a supplied file, and its pages' images unless these can be made from the file."""
        first, *pages = group.values()
        if isinstance(first, File) and first.digest not in self._members and first.text:
            yield ImportedFile(first.name, data=first.text.encode(), at=first.at)
        else:
            yield self._file(first)
            pages = [] if isinstance(first, File) else pages
        yield from map(self._file, pages)

    def _file(self, part: Image | File) -> ImportedFile:
        member = self._members.get(part.digest, f"files/{part.digest}")
        return ImportedFile(part.name, member=member, at=part.at, digest=part.digest)


def _named(row: ExportedMessage) -> str:
    """Return the agent's name that an earlier import kept; other rows have a slug instead."""
    return row.agent if row.imported else ""


def _told(status: str, error: Mapping[str, Any] | None, *, continues: bool) -> FileAnswer:
    """Return how an answer ended. One without an end counts as interrupted. Of an error, only the
    message is kept.
    """
    words = error.get("message") if error else None
    fault = {"message": storable(words)[:LONGEST_ERROR]} if isinstance(words, str) else None
    return FileAnswer(continues, status if status in ENDED else "interrupted", fault)
