"""Send the previous request's system prompts again, if the prefix is to stay the same."""

from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from agents.snapshot import AgentSnapshot
from history.core.plan.injected import SYSTEM_PROMPT, Injected, new_prompt
from history.core.projection.project import Projection
from history.core.projection.prompts import keeping, may_keep
from history.core.projection.request import ProjectionRequest
from history.core.settings.reduction import STABLE
from history.core.transcript.messages import Role, Transcript
from history.core.words.errors import CannotPlan
from history.models import Branch, ContextPlan, Generation, Message
from history.services.path.transcripts import Path, project_path
from history.services.texts import stored_text
from history.tokens import count_message

FIRST_PROMPT = "system_prompt"  # The first prompt's name in a record's texts; others have labels.


class RunningStep(NamedTuple):
    """A step that is being planned."""

    generation: Generation
    step: int


def project_kept(
    path: Path,
    request: ProjectionRequest,
    agent: AgentSnapshot,
    turn: int,
    running: RunningStep | None,
) -> tuple[Transcript, Projection]:
    """Project with the system prompts of the agent's step before, or else of the last request
    before the turn, as far as `may_keep` allows. Otherwise the present prompt comes first.
    """
    if not _is_stable(request):
        return project_path(path, request)
    own = _step_before(running, agent) if running else None
    before = own or last_request(path.branch, turn, agent)
    if not (before and (kept_request := keeping(request, prompts_then(before), turn))):
        return project_path(path, request)
    with suppress(CannotPlan):  # The kept prompts may be the larger ones.
        transcript, projection = project_path(path, kept_request)
        if may_keep(before.core_plan, projection.plan, request.settled if own else None):
            return transcript, projection
    # If a step of the answer had other prompts, this one decides anew.
    return project_path(path, replace(request, settled=None) if own else request)


def _step_before(running: RunningStep, agent: AgentSnapshot) -> ContextPlan | None:
    """Return the agent's newest earlier step of this answer; None if it has made none."""
    generation, step = running
    agents = {n: generation.snapshot_at(n).agent for n in range(1, step)}
    own = [n for n, then in agents.items() if _may_repeat(then, agent)]
    return generation.plans.filter(step__in=own).order_by("-step").first()


def last_request(branch: Branch, turn: int, agent: AgentSnapshot) -> ContextPlan | None:
    """Return the last request before a turn, if its prompts may be sent again: the same agent made
    it with the same model, and its prompts were not private if the agent's prompt is public now.
    """
    generation = _answered_before(branch, turn)
    plans = ContextPlan.objects.filter(generation=generation).select_related("generation")
    record = plans.order_by("-step").first() if generation else None
    if record is None:
        return None
    then = record.generation.snapshot_at(record.step).agent
    return record if _may_repeat(then, agent) else None


def _may_repeat(then: AgentSnapshot, agent: AgentSnapshot) -> bool:
    is_same = (then.slug, then.model) == (agent.slug, agent.model)
    is_told = agent.prompt_is_public and not then.prompt_is_public
    return is_same and not is_told


def prompts_then(record: ContextPlan) -> tuple[Injected, ...]:
    """Return the system prompts of a request, in their order."""
    first = _text(record.texts.get(FIRST_PROMPT, ""))
    prompts = [Injected(SYSTEM_PROMPT, Role.SYSTEM, *first)] if first[0] else []
    for turn in record.plan.get("new_prompts", ()):
        label = new_prompt(turn, "", 0).label
        prompts.append(new_prompt(turn, *_text(record.texts[label])))
    return tuple(prompts)


def _text(digest: str) -> tuple[str, int]:
    text = stored_text(digest) if digest else ""
    return text, count_message(Role.SYSTEM, text, ())


def _is_stable(request: ProjectionRequest) -> bool:
    return bool(request.settings.value("prefix") == STABLE)


def _answered_before(branch: Branch, turn: int) -> UUID | None:
    """Return the newest generation that answered an earlier turn of the path."""
    for span in branch.spans():
        rows = Message.objects.on_span(span).filter(turn__lt=turn, role=Role.ASSISTANT)
        answered = rows.exclude(generation=None).order_by("-turn", "-position")
        if (key := answered.values_list("generation", flat=True).first()) is not None:
            return key
    return None
