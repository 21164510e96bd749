"""The lists of an exported chat, each of which is read when its turn comes.

Rows that were stored after the export began are left out, so that every row that another one names
is in the export.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import TypeAlias
from uuid import UUID

from django.db.models import QuerySet
from pydantic import BaseModel

from history.models import (
    Branch,
    CallStage,
    ContextPlan,
    Conversation,
    Generation,
    Media,
    Message,
    MessageMark,
    StoredText,
)
from history.services.exports import making
from history.services.exports.message_schema import ExportedMessage
from history.services.exports.reader import ExportReader
from history.services.exports.records_schema import ExportedPlan, ExportedText
from history.services.exports.rows import each, in_pages
from history.services.exports.schema import ExportedGeneration

Items: TypeAlias = Iterable[BaseModel]
FEW = 10  # How many generations' plans are read at once; one plan may take 20 kB.


def media_of(conversation: Conversation, until: datetime) -> Iterator[Media]:
    """Yield each of the chat's attached media once, in the order of their digests."""
    rows = Media.objects.filter(attachments__conversation=conversation, created__lte=until)
    return each(rows.distinct(), "digest")


class ChatSections:
    def __init__(self, conversation: Conversation, reader: ExportReader, until: datetime) -> None:
        self.until = until
        self._conversation = conversation
        self._reader = reader
        self._texts: set[str] = set()  # The hashes that plans have named so far.

    def in_order(self) -> Mapping[str, Items]:
        """Return all lists in the order of the file."""
        conversation = self._conversation
        sees_cost = self._reader.sees_cost(conversation)
        summaries = conversation.checkpoints.filter(created__lte=self.until)
        rows = conversation.attachments.filter(created__lte=self.until)
        attachments = rows.prefetch_related("media")
        return {
            "branches": map(making.branch, self._branches()),
            "generations": self._generation_rows(),
            "messages": self._messages(),
            "marks": self._marks(),
            "summaries": (
                making.summary(row, sees_cost=sees_cost) for row in each(summaries, "id")
            ),
            "plans": self._plans(),
            "texts": self._named_texts(),
            "file_records": self._file_records(),
            "attachments": map(making.attachment, each(attachments, "created", "id")),
            "media": map(making.media, media_of(conversation, self.until)),
        }

    def _branches(self) -> Iterator[Branch]:
        return each(self._conversation.branches.filter(created__lte=self.until), "id")

    def _messages(self) -> Iterator[ExportedMessage]:
        for branch in self._branches():
            rows = Message.objects.filter(branch=branch, created__lte=self.until)
            yield from map(making.message, each(rows, "position"))

    def _marks(self) -> Items:
        rows = MessageMark.objects.filter(conversation=self._conversation)
        return map(making.mark, each(rows.filter(message__created__lte=self.until), "id"))

    def _generations(self) -> QuerySet[Generation]:
        return self._conversation.generations.filter(created__lte=self.until)

    def _generation_rows(self) -> Iterator[ExportedGeneration]:
        for page in in_pages(self._generations(), "created", "id"):
            stages = _stages([row.pk for row in page])
            for row in page:
                yield making.generation(row, stages[row.pk])

    def _plans(self) -> Iterator[ExportedPlan]:
        for page in in_pages(self._generations(), "created", "id", size=FEW):
            for row in self._plans_of(page):
                plan = making.plan(row, self._reader)
                self._texts.update(plan.texts.values())
                yield plan

    def _plans_of(self, generations: Iterable[Generation]) -> Iterator[ContextPlan]:
        for generation in generations:
            generation.conversation = self._conversation
            rows = generation.plans.filter(created__lte=self.until).select_related("outcome")
            yield from rows.order_by("step")

    def _file_records(self) -> Items:
        rows = self._conversation.file_records.all()
        return map(making.file_record, each(rows, "id", size=FEW))

    def _named_texts(self) -> Iterator[ExportedText]:
        hashes = iter(sorted(self._texts))
        while some := list(islice(hashes, FEW)):
            for row in StoredText.objects.filter(pk__in=some).order_by("pk"):
                yield ExportedText(hash=row.hash, text=row.text)


def _stages(generations: Iterable[UUID]) -> Mapping[UUID, list[CallStage]]:
    stages: dict[UUID, list[CallStage]] = defaultdict(list)
    for row in CallStage.objects.filter(generation__in=list(generations)).order_by("pk"):
        stages[row.generation_id].append(row)
    return stages
