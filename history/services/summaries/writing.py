"""Have a model write a summary, and store the result, whatever it is."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, TypeAlias

from django.db import transaction
from django.utils import timezone

from agents.catalogue import catalogue
from history.core.summaries.prose import fault, prose
from history.core.transcript.messages import Role
from history.core.words.storable import storable
from history.models import Checkpoint, CheckpointState
from history.services.summaries.due import PreparedSummary, hold
from history.services.wire.figures import store_summary_figures, stored_cost
from history.tokens import count_message

logger = logging.getLogger(__name__)
InDatabase: TypeAlias = Callable[..., Awaitable[Any]]

LONGEST_LIFE = timedelta(minutes=15)  # A pending checkpoint that is older counts as abandoned.


class CannotSummarise(Exception):
    """No summary was made; `history.wording.summaries` puts the reason into words.

    `usage` is what was reported all the same, because a useless answer is paid for, too.
    """

    def __init__(self, why: str, usage: Mapping[str, int] | None = None, **figures: Any) -> None:
        super().__init__(why)
        self.figures = {"why": why, **figures}
        self.usage = usage


@dataclass(frozen=True, slots=True)
class WrittenSummary:
    """The text that a model wrote; `usage` as in a `RequestOutcome`, None if none was reported."""

    text: str
    usage: Mapping[str, int] | None = None


class Summarise(Protocol):
    """A function that asks a model for a summary. It raises CannotSummarise."""

    async def __call__(
        self, model: str, messages: list[dict[str, str]], max_tokens: int
    ) -> WrittenSummary: ...


async def make(
    job: PreparedSummary, summarise: Summarise, in_database: InDatabase
) -> Checkpoint | None:
    """Have the model write the summary. Return the row as it is afterwards; None if its
    conversation is gone.

    If this is cancelled, the row says that the summary was abandoned.
    """
    try:
        summary = await _ask(job, summarise)
        row: Checkpoint | None = await in_database(finish, job, summary)
    except CannotSummarise as failure:
        row = await in_database(fail, job.row, failure.figures, failure.usage)
    except asyncio.CancelledError:
        await asyncio.shield(in_database(fail, job.row, {"why": "abandoned"}))
        raise
    except Exception:
        logger.exception("Checkpoint %s failed", job.row.pk)
        row = await in_database(fail, job.row, {"why": "broken"})
    return row


async def _ask(job: PreparedSummary, summarise: Summarise) -> WrittenSummary:
    model = job.row.model
    if reason := catalogue().fault(model):
        raise CannotSummarise("bad_model", model=model, fault=reason)
    return await summarise(model, job.prompt, job.max_tokens)


def finish(job: PreparedSummary, summary: WrittenSummary) -> Checkpoint | None:
    """Store the text, if it may stand for its source. Raise CannotSummarise."""
    row, text = job.row, prose(storable(summary.text))
    row.summary = text
    row.tokens = count_message(Role.USER, row.as_core().quoted)
    if figures := fault(text, row.tokens, job.bound):
        raise CannotSummarise(usage=summary.usage, **figures)
    with transaction.atomic():
        if not hold(row.conversation_id):
            return None
        ended = _ended(row, CheckpointState.READY, summary.usage)
        count = _pending(row).update(summary=text, tokens=row.tokens, **ended)
        if count and job.parts:
            rows = Checkpoint.objects.filter(pk__in=job.parts, state=CheckpointState.READY)
            rows.update(state=CheckpointState.FOLDED, folded_into=row)
    return _as_ended(row)


def fail(
    row: Checkpoint, figures: Mapping[str, Any], usage: Mapping[str, int] | None = None
) -> Checkpoint | None:
    """Record a failure, which changes nothing else; a row that has ended stays as it is."""
    ended = _ended(row, CheckpointState.FAILED, usage)
    _pending(row).update(reason=json.dumps(figures), **ended)
    return _as_ended(row)


def _ended(
    row: Checkpoint, state: CheckpointState, usage: Mapping[str, int] | None
) -> dict[str, Any]:
    """Return the fields of a row that ends now, with its cost at today's prices."""
    cost = stored_cost(row.model, usage)
    return {"state": state, "ended": timezone.now(), "usage": usage, "cost": cost}


def fail_abandoned(older_than: timedelta = LONGEST_LIFE) -> int:
    """Mark as failed the pending checkpoints that nobody writes any more: those older than
    `older_than`, which is zero when the only process starts.
    """
    rows = Checkpoint.objects.filter(
        state=CheckpointState.PENDING, created__lte=timezone.now() - older_than
    )
    return rows.update(
        state=CheckpointState.FAILED, reason=json.dumps({"why": "abandoned"}), ended=timezone.now()
    )


def _pending(row: Checkpoint) -> Any:
    return Checkpoint.objects.filter(pk=row.pk, state=CheckpointState.PENDING)


def _as_ended(row: Checkpoint) -> Checkpoint | None:
    checkpoint = Checkpoint.objects.filter(pk=row.pk).first()
    if checkpoint:
        store_summary_figures(checkpoint)
    return checkpoint
