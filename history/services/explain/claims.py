"""Claims: what an imported chat's file says about requests and summaries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from history.models import Conversation, FileRecord
from history.models.file_record import unpacked_record

FORMAT = "vitrine"  # Only Vitrine's own files contain such records.
MOST = 20


@dataclass(frozen=True, slots=True)
class Claim:
    """A request as the file describes it; figures that the file does not give are None."""

    turn: int
    step: int | None
    model: str
    sent: int | None
    transcript: int | None
    prompt: int | None
    completion: int | None


@dataclass(frozen=True, slots=True)
class SummaryClaim:
    """A summary that was in use, according to the file. It is never sent."""

    first: int
    last: int
    model: str
    summary: str


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims in a file, the newest first; `total` is how many requests the file describes."""

    requests: Sequence[Claim] = ()
    total: int = 0
    summaries: Sequence[SummaryClaim] = ()

    def __bool__(self) -> bool:
        return bool(self.requests or self.summaries)


NO_CLAIMS = Claims()


def claims_of(conversation: Conversation, turn: int | None = None) -> Claims:
    """Return the newest claims, or those on one turn."""
    if conversation.imported != FORMAT:
        return NO_CLAIMS
    rows = conversation.file_records.select_related("message").order_by("-pk")
    rows = rows if turn is None else rows.filter(message__turn=turn)
    requests = rows.filter(kind=FileRecord.Kind.REQUEST)
    return Claims([_claim(row) for row in requests[:MOST]], requests.count(), _summaries_in(rows))


def claimed_summaries(conversation: Conversation) -> Sequence[SummaryClaim]:
    """Return the newest summaries in the file; Vitrine never sends them."""
    return _summaries_in(conversation.file_records.order_by("-pk")) if conversation.imported else ()


def _summaries_in(rows: QuerySet[FileRecord]) -> Sequence[SummaryClaim]:
    own = rows.filter(kind=FileRecord.Kind.SUMMARY)[:MOST]
    return [claim for claim in map(_summary, own) if claim]


def _summary(row: FileRecord) -> SummaryClaim | None:
    record = unpacked_record(row.packed)
    summary, model = record.get("summary"), record.get("model")
    first, last = _number(record.get("first")), _number(record.get("last"))
    if not isinstance(summary, str) or not summary or first is None or last is None:
        return None  # The summary failed, or was still being written.
    return SummaryClaim(first + 1, last + 1, model[:120] if isinstance(model, str) else "", summary)


def _claim(row: FileRecord) -> Claim:
    record = unpacked_record(row.packed)
    model, counts = _in(record, "parameters").get("model"), _in(record, "plan", "counts")
    usage = _in(record, "outcome", "usage")
    return Claim(
        turn=row.message.turn,
        step=_number(record.get("step")),
        model=model[:120] if isinstance(model, str) else "",
        sent=_number(counts.get("sent")),
        transcript=_number(counts.get("transcript")),
        prompt=_number(usage.get("prompt")),
        completion=_number(usage.get("completion")),
    )


def _in(record: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """Return an object within the record, or an empty one if there is no object at that place."""
    for name in names:
        inner = record.get(name)
        record = inner if isinstance(inner, Mapping) else {}
    return record


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
