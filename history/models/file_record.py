"""Records of requests, as the file of an imported chat contains them."""

import json
import zlib
from collections.abc import Mapping
from typing import Any

from django.db import models

from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.conversation import Conversation
from history.models.message import Message

LARGEST = 1_000_000  # The most bytes that one record may have as JSON.


def packed_record(record: Mapping[str, Any]) -> bytes | None:
    """Compress a record; return None if it is too large to be kept."""
    data = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    return zlib.compress(data) if len(data) <= LARGEST else None


def unpacked_record(data: bytes | memoryview) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(zlib.decompress(data))
    return record


class FileRecordQuerySet(AppendOnlyQuerySet["FileRecord"]):
    """Records from imported files, which nothing can change."""


class FileRecord(AppendOnlyModel):
    """What a file says about a request and its outcome, or about a summary. It is always shown as
    the file's claim, never treated as a record of ours, never sent, and never checked.

    `message` is the newest message that the request contained, or that the summary stands for.
    `packed` is the compressed JSON.
    """

    class Kind(models.TextChoices):
        REQUEST = "request"
        SUMMARY = "summary"

    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="file_records", db_index=False
    )
    message = models.ForeignKey(Message, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=7, choices=Kind.choices, default=Kind.REQUEST)
    packed = models.BinaryField()

    objects = FileRecordQuerySet.as_manager()

    class Meta(AppendOnlyModel.Meta):
        indexes = [models.Index(fields=["conversation", "id"], name="history_file_record")]

    def __str__(self) -> str:
        return f"record {self.pk} from a file"
