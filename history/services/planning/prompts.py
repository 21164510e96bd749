"""Send the previous request's system prompts again, if the prefix is to stay the same."""

from contextlib import suppress
from dataclasses import replace
from uuid import UUID

from agents.snapshot import AgentSnapshot
from history.core.plan.injected import SYSTEM_PROMPT, Injected, new_prompt
from history.core.projection.project import Projection
from history.core.projection.prompts import keeping, may_keep
from history.core.projection.request import ProjectionRequest
from history.core.settings.reduction import STABLE
from history.core.transcript.messages import Role, Transcript
from history.core.words.errors import CannotPlan
from history.models import Branch, ContextPlan, Message
from history.services.path.transcripts import Path, project_path
from history.services.texts import stored_text
from history.tokens import count_message

FIRST_PROMPT = "system_prompt"  # The first prompt's name in a record's texts; others have labels.


def project_kept(
    path: Path, request: ProjectionRequest, agent: AgentSnapshot, turn: int
) -> tuple[Transcript, Projection]:
    """Project with the system prompts of the last request before the turn, or of the step before
    this one, if the request then begins as that did. Otherwise the present prompt comes first.
    """
    has_steps = request.settled is not None
    before = last_request(path.branch, turn + has_steps, agent) if _is_stable(request) else None
    if not (before and (kept_request := keeping(request, prompts_then(before), turn))):
        return project_path(path, request)
    with suppress(CannotPlan):  # The kept prompts may be the larger ones.
        transcript, projection = project_path(path, kept_request)
        if may_keep(before.core_plan, request, projection.plan):
            return transcript, projection
    return project_path(path, replace(request, settled=None))


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
    is_same = (then.slug, then.model) == (agent.slug, agent.model)
    is_told = agent.prompt_is_public and not then.prompt_is_public
    return record if is_same and not is_told else None


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
