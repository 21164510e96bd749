"""Keep the system prompt that a conversation began with, so that its requests begin alike.

If the prompt is edited meanwhile, the new one follows the messages that the model has read, if its
provider accepts system messages there. If not, it waits until requests begin differently anyway.
"""

from collections.abc import Sequence
from dataclasses import replace

from history.core.money.prefix import compared, sent_entries
from history.core.plan.injected import (
    CONTINUE,
    NEW_PROMPT,
    OF_THE_TURN,
    SYSTEM_PROMPT,
    Injected,
    new_prompt,
)
from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import HELD
from history.core.projection.request import ProjectionRequest
from history.core.words.facts import Rule, note


def keeping(
    request: ProjectionRequest, before: Sequence[Injected], turn: int
) -> ProjectionRequest | None:
    """Return the request with the prompts of an earlier request; None if that changes nothing, if
    the agent no longer has a prompt, or if the model does not take those prompts.

    `turn` is the turn being answered, or the next one if an answer is continued: a new prompt is
    sent before it, in place of one that was to be sent there.
    """
    now = [text for text in request.injected if text.label == SYSTEM_PROMPT]
    is_taken = request.takes_new_prompts or all(text.place == "start" for text in before)
    if not now or list(before) == now or not is_taken:
        return None
    rest = request.injected[len(now) :]
    if before and before[-1].text == now[0].text:
        return replace(request, injected=(*before, *rest))
    if request.takes_new_prompts:
        changed = new_prompt(turn, now[0].text, now[0].tokens)
        earlier = (text for text in before if text.place == "start" or text.turn < turn)
        return replace(request, injected=(*earlier, changed, *rest))
    notes = (*request.notes, note(Rule.PROMPT_WAITS))
    return replace(request, injected=(*before, *rest), notes=notes) if before else None


def may_keep(before: Plan, after: Plan, settled: int | None = None) -> bool:
    """Whether a request may keep the prompts of an earlier one. `after` is its plan with them.

    It may if both begin alike. If they are steps of one answer, it also may if nothing that the
    earlier one `settled` had to be decided anew.
    """
    return after.settled == settled or begin_alike(before, after)


def begin_alike(before: Plan, after: Plan) -> bool:
    """Whether two requests begin alike, but for the system prompt: with the same tools, texts and
    summaries, and with the same first message of the window.
    """
    was, now = _lasting(before), _lasting(after)
    differs = compared(was, now)
    if differs.first_difference is None or differs.was is None:
        return True
    window = (e.first for e in was if e.first is not None and e.rule not in HELD)
    place = differs.was.position
    return place is not None and place > next(window, place)


def _lasting(plan: Plan) -> list[Entry]:
    """Return what is sent, without system prompts and what only this request or turn contains."""
    return [
        entry
        for entry in sent_entries(plan)
        if not entry.label.startswith((SYSTEM_PROMPT, CONTINUE)) and entry.rule != OF_THE_TURN
    ]


def prompts_of(texts: Sequence[Injected]) -> tuple[Injected, ...]:
    """Return the system prompts among the texts of a request, in their order."""
    return tuple(t for t in texts if t.label == SYSTEM_PROMPT or t.label.startswith(NEW_PROMPT))
