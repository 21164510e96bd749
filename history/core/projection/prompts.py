"""Keep the system prompt that a conversation began with, so that its requests begin alike.

A prompt that is edited meanwhile is sent behind what the model has already read, where its provider
takes system messages there. Elsewhere it waits until requests begin otherwise anyway.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from history.core.money.prefix import sent_entries
from history.core.plan.injected import (
    NEW_PROMPT,
    OF_THE_TURN,
    SYSTEM_PROMPT,
    Injected,
    new_prompt,
)
from history.core.plan.plan import Plan
from history.core.plan.verdict import HELD
from history.core.projection.request import ProjectionRequest
from history.core.words.facts import Rule, note


def keeping(
    request: ProjectionRequest, before: Sequence[Injected], turn: int
) -> ProjectionRequest | None:
    """Return the request with the prompts of an earlier one; None if that changes nothing, or if
    the agent has no prompt any more.

    `turn` is the one being answered: a new prompt is sent before it.
    """
    now = [text for text in request.injected if text.label == SYSTEM_PROMPT]
    if not now or list(before) == now:
        return None
    rest = request.injected[len(now) :]
    if before and before[-1].text == now[0].text:
        return replace(request, injected=(*before, *rest))
    if request.takes_new_prompts:
        changed = new_prompt(turn, now[0].text, now[0].tokens)
        return replace(request, injected=(*before, changed, *rest))
    notes = (*request.notes, note(Rule.PROMPT_WAITS))
    return replace(request, injected=(*before, *rest), notes=notes) if before else None


def begin_alike(before: Plan, after: Plan) -> bool:
    """Whether two requests begin alike, but for the system prompt: with the same tools, texts and
    summaries, and with the same message of the window.
    """
    return list(_beginning(before)) == list(_beginning(after))


def _beginning(plan: Plan) -> Iterator[tuple[str, str, int | None]]:
    for entry in sent_entries(plan):
        if entry.label.startswith(SYSTEM_PROMPT) or entry.rule in {OF_THE_TURN, *HELD}:
            continue
        yield entry.label, entry.digest, entry.first
        if entry.positions:
            return


def prompts_of(texts: Sequence[Injected]) -> tuple[Injected, ...]:
    """Return the system prompts among the texts of a request, in their order."""
    return tuple(t for t in texts if t.label == SYSTEM_PROMPT or t.label.startswith(NEW_PROMPT))
