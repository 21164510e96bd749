"""The request before a shown one on its path: what they share, and what caused them to differ."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from history.core.money.prefix import Prefix, shared_prefix
from history.core.plan.injected import CONTEXT, OPENING, SYSTEM_PROMPT, TOOL_SCHEMAS
from history.core.plan.plan import Plan, Verdict
from history.models import Branch, ContextPlan, Generation
from history.services.explain.cost.resent import resent_tokens
from history.services.path.reading import user_message_of

RECENT = 50  # Generations that are looked through.
CANDIDATES = 200  # Requests of theirs.
TRIM = _("our own trimming")
OURS = {
    Verdict.TRIMMED: TRIM,
    Verdict.FILTERED: _("our own filter"),
    Verdict.SUMMARISED: _("our own summary"),
    Verdict.PLACEHOLDER: _("our own placeholder"),
    Verdict.ALTERED: _("our own shortening"),
}
OTHERS = {Verdict.EXCLUDED: _("an exclusion"), Verdict.REPAIRED: _("a repair")}
TEMPLATE = _("a change to the agent template")
REFRESHED = _("context that is refreshed every turn")
CHOICE = _("a change of settings, pins or exclusions")
INJECTED = _("our own injected text")


@dataclass(frozen=True, slots=True)
class Cause:
    """What made two requests differ; `is_ours`: a stage of the projection, not a person."""

    name: Promise
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class SharedWithPrevious:
    """What a request has in common with the one before it.

    Tokens are the model's own, as far as they are known: `shared` from the start, `resent` again
    after the first difference. `cold`: the gap between them outlived the provider's cache.
    """

    turn: int
    step: int
    shared: int
    prefix: Prefix
    cause: Cause | None = None
    resent: int = 0
    cold: bool = False


def request_before(record: ContextPlan) -> ContextPlan | None:
    """Return the newest earlier one whose whole transcript lies on the record's path."""
    own = record.branch
    for pk, head, branch, lineage in _candidates(record):
        path = Branch(pk=branch, lineage=lineage).fork_lineage(head)
        if head <= record.head and path == own.fork_lineage(head):
            rows = ContextPlan.objects.select_related("generation", "branch", "outcome")
            return rows.get(pk=pk)
    return None


def common_with(
    record: ContextPlan, plan: Plan, before: ContextPlan | None
) -> SharedWithPrevious | None:
    """Compare with the request before; None for the first request of a path."""
    if before is None:
        return None
    earlier = before.core_plan
    prefix = shared_prefix(earlier, plan)
    parts = prefix.first_difference is not None
    return SharedWithPrevious(
        turn=before.generation.turn,
        step=before.step,
        shared=_scaled(prefix.tokens, plan),
        prefix=prefix,
        cause=_cause(prefix, plan) if parts else None,
        resent=_scaled(resent_tokens(record, earlier, plan, prefix), plan) if parts else 0,
        cold=before.generation.turn < record.generation.turn and is_cold(record),
    )


def _candidates(record: ContextPlan) -> Iterator[tuple[int, int, int, list[list[int]]]]:
    """Yield id, head, branch and lineage, the newest first. The index on a conversation's recent
    generations helps here: their plans are large.
    """
    generation = record.generation
    recent = Generation.objects.filter(
        conversation=generation.conversation_id, created__lte=generation.created
    ).order_by("-created")[:RECENT]
    rows = ContextPlan.objects.filter(generation__in=recent.values("pk"), pk__lt=record.pk)
    found = rows.order_by("-pk").values_list("pk", "head", "branch", "branch__lineage")
    yield from found[:CANDIDATES]


def is_cold(record: ContextPlan) -> bool:
    """Whether the gap before the turn's question outlived the provider's cache."""
    question = user_message_of(record.branch, record.generation.turn)
    return question is not None and question.cold


def _cause(prefix: Prefix, plan: Plan) -> Cause:
    """Name what caused two requests to differ."""
    was, now = prefix.was, prefix.now
    if was is None or now is None:
        raise ValueError("one request continues the other")
    opens = now.label == OPENING
    if label := was.label if opens else now.label or was.label:
        return _of_label(label)
    if not opens and (was.position or 0) > (now.position or 0):
        return Cause(CHOICE)
    verdict = plan.verdict_of(was.position or 0)
    if verdict in OURS:
        return Cause(OURS[verdict], is_ours=True)
    return Cause(OTHERS.get(verdict, CHOICE))


def _of_label(label: str) -> Cause:
    """Name the cause by an injected text's label: a stage made all others (summaries and notes)."""
    if label in {SYSTEM_PROMPT, TOOL_SCHEMAS}:
        return Cause(TEMPLATE)
    if label.startswith(CONTEXT):
        return Cause(REFRESHED)
    return Cause(INJECTED, is_ours=True)


def _scaled(tokens: int, plan: Plan) -> int:
    return round(tokens * plan.factor)
