"""The record of requests in the file of an imported chat."""

import json
import zlib
from collections.abc import Mapping
from typing import Any

from django.db import models

from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.conversation import Conversation
from history.models.message import Message

LARGEST = 1_000_000  # Bytes of a record as JSON.


def packed_record(record: Mapping[str, Any]) -> bytes | None:
    """Compress a record; return None for one that is too large to keep."""
    data = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    return zlib.compress(data) if len(data) <= LARGEST else None


def unpacked_record(data: bytes | memoryview) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(zlib.decompress(data))
    return found


class FileRecordQuerySet(AppendOnlyQuerySet["FileRecord"]):
    """Records from files, with no way to change them."""


class FileRecord(AppendOnlyModel):
    """The file's record of a request and its outcome, or of a summary. It is always shown as the
    file's claim, never treated as a record of ours, never sent, and nothing in it was checked.

    `message` is the newest message that the request contained, or that the summary stands for.
    `packed` is the JSON, compressed.
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
